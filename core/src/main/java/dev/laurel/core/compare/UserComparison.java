package dev.laurel.core.compare;

import dev.laurel.core.compare.ComparedUser.Entry;
import dev.laurel.core.compare.ComparedUser.Points;
import dev.laurel.core.compare.ComparedUser.Streak;
import dev.laurel.core.compare.ComparedUser.Total;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The differences of one user, in the order existence, points, achievements, streak, leaderboards, metrics, and then by the
 * number of the object.
 */
public record UserComparison(UserKey user, List<Difference> differences) {

    /** The largest differences first, then by user. */
    public static final Comparator<UserComparison> LARGEST_FIRST = Comparator
            .comparingLong(UserComparison::pointsMoved).reversed()
            .thenComparing(Comparator.comparingLong(UserComparison::achievementsMoved).reversed())
            .thenComparing(Comparator.comparingLong(UserComparison::periodsMoved).reversed())
            .thenComparing(Comparator.comparingInt((UserComparison c) -> c.differences().size()).reversed())
            .thenComparing(comparison -> comparison.user().text(), UnicodeText.ORDER);

    public UserComparison {
        differences = List.copyOf(differences);
    }

    /**
     * @param before null: the user does not exist, as for {@code after}
     */
    public static UserComparison of(UserKey user, @Nullable ComparedUser before, @Nullable ComparedUser after) {
        var found = new ArrayList<Difference>();
        if (before == null && after != null) {
            found.add(new Difference.UserAppears());
        } else if (before != null && after == null) {
            found.add(new Difference.UserDisappears());
        }
        ComparedUser was = before == null ? ComparedUser.NONE : before;
        ComparedUser is = after == null ? ComparedUser.NONE : after;
        addEach(found, was.points(), is.points(), UserComparison::points);
        addEach(found, was.achievements(), is.achievements(), UserComparison::achievement);
        if (!Objects.equals(was.streak(), is.streak())) {
            found.add(new Difference.StreakDiffers(was.streak(), is.streak()));
        }
        addEach(found, was.entries(), is.entries(), UserComparison::entry);
        addEach(found, was.metrics(), is.metrics(), UserComparison::metric);
        return new UserComparison(user, found);
    }

    private interface Comparison<T> {

        /**
         * Returns null if there is no difference.
         *
         * @param either {@code after} if it exists, else {@code before}
         */
        @Nullable
        Difference of(@Nullable T before, @Nullable T after, T either);
    }

    private static <T> void addEach(List<Difference> found, SortedMap<Integer, T> before, SortedMap<Integer, T> after,
            Comparison<T> comparison) {
        var all = new TreeMap<>(before);
        all.putAll(after);
        all.forEach((number, either) -> {
            Difference difference = comparison.of(before.get(number), after.get(number), either);
            if (difference != null) {
                found.add(difference);
            }
        });
    }

    private static @Nullable Difference points(@Nullable Points before, @Nullable Points after, Points either) {
        long was = before == null ? 0 : before.total();
        long is = after == null ? 0 : after.total();
        String levelWas = before == null ? null : before.level();
        String levelIs = after == null ? null : after.level();
        if (was == is && Objects.equals(levelWas, levelIs)) {
            return null;
        }
        int levels = (after == null ? 0 : after.height()) - (before == null ? 0 : before.height());
        return new Difference.PointsDiffer(either.system(), was, is, levelWas,
                levelIs, levels);
    }

    private static @Nullable Difference achievement(@Nullable String before, @Nullable String after, String key) {
        if (before == null) {
            return new Difference.AchievementGained(key);
        }
        return after == null ? new Difference.AchievementLost(key) : null;
    }

    /** Another key of the leaderboard is no difference. */
    private static @Nullable Difference entry(@Nullable Entry before, @Nullable Entry after, Entry either) {
        if (before != null && after != null && before.rank() == after.rank() && before.group().equals(after.group())
                && before.value().compareTo(after.value()) == 0) {
            return null;
        }
        return new Difference.EntryDiffers(either.leaderboard(), before, after);
    }

    private static @Nullable Difference metric(@Nullable Total before, @Nullable Total after, Total either) {
        BigDecimal was = before == null ? BigDecimal.ZERO : before.value();
        BigDecimal is = after == null ? BigDecimal.ZERO : after.value();
        return was.compareTo(is) == 0 ? null : new Difference.MetricDiffers(either.metric(), was, is);
    }

    public boolean isSame() {
        return differences.isEmpty();
    }

    /** Whether only ranks differ, because of other users. */
    public boolean isOnlyOvertaken() {
        return !isSame() && differences.stream().allMatch(UserComparison::isRankOnly);
    }

    private static boolean isRankOnly(Difference difference) {
        return difference instanceof Difference.EntryDiffers(_, Entry before, Entry after)
                && Difference.isRankOnly(before, after);
    }

    private long pointsMoved() {
        long sum = 0;
        for (Difference difference : differences) {
            sum += difference instanceof Difference.PointsDiffer points ? Math.abs(points.change()) : 0;
        }
        return sum;
    }

    private long achievementsMoved() {
        return differences.stream().filter(d -> d instanceof Difference.AchievementGained
                || d instanceof Difference.AchievementLost).count();
    }

    private long periodsMoved() {
        long sum = 0;
        for (Difference difference : differences) {
            sum += difference instanceof Difference.StreakDiffers streak
                    ? Math.abs(streak.lengthAfter() - streak.lengthBefore())
                    : 0;
        }
        return sum;
    }

    /**
     * A difference of a user between the present state, {@code before}, and the result of a replay, {@code after}. Objects are
     * identified by their keys in the rules of {@code after}, or else in those of {@code before}.
     */
    public sealed interface Difference {

        /**
         * A different total of a metric. Totals depend on the log alone unless the metric was removed: one of the two is wrong.
         */
        record MetricDiffers(String metric, BigDecimal before, BigDecimal after) implements Difference {}

        /**
         * @param levelBefore key of the level, as for {@code levelAfter}; null: no level
         * @param levels number of levels up, or down if negative; 0 if only keys of levels differ
         */
        record PointsDiffer(String system, long before, long after, @Nullable String levelBefore,
                @Nullable String levelAfter,
                int levels) implements Difference {

            public long change() {
                return after - before;
            }
        }

        record AchievementGained(String achievement) implements Difference {}

        record AchievementLost(String achievement) implements Difference {}

        /** @param before null: no streak, as for {@code after} */
        record StreakDiffers(@Nullable Streak before, @Nullable Streak after) implements Difference {

            public int lengthBefore() {
                return before == null ? 0 : before.length();
            }

            public int lengthAfter() {
                return after == null ? 0 : after.length();
            }
        }

        /** @param before null: the user does not take part, as for {@code after} */
        record EntryDiffers(String leaderboard, @Nullable Entry before, @Nullable Entry after) implements Difference {}

        /** Whether an entry has the same group and value before and after. */
        static boolean isRankOnly(@Nullable Entry before, @Nullable Entry after) {
            return before != null && after != null && before.group().equals(after.group())
                    && before.value().compareTo(after.value()) == 0;
        }

        /** The user exists on one side only. */
        record UserAppears() implements Difference {}

        record UserDisappears() implements Difference {}
    }
}
