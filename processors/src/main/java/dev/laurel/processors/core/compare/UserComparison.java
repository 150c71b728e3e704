package dev.laurel.processors.core.compare;

import dev.laurel.processors.core.compare.ComparedUser.Entry;
import dev.laurel.processors.core.compare.ComparedUser.Points;
import dev.laurel.processors.core.compare.ComparedUser.Streak;
import dev.laurel.processors.core.compare.ComparedUser.Total;
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
 * The differences of one user, in this order: presence, points, achievements, streak, ranks, metrics; within each in the
 * order of the ruleset.
 */
public record UserComparison(UserKey user, List<Difference> differences) {

    /** The larger change first, so that a long list begins with what matters; equal ones by user. */
    public static final Comparator<UserComparison> LARGEST_FIRST = Comparator
            .comparingLong(UserComparison::pointsMoved).reversed()
            .thenComparing(Comparator.comparingLong(UserComparison::achievementsMoved).reversed())
            .thenComparing(Comparator.comparingLong(UserComparison::periodsMoved).reversed())
            .thenComparing(Comparator.comparingInt((UserComparison c) -> c.differences().size()).reversed())
            .thenComparing(comparison -> comparison.user().text());

    public UserComparison {
        differences = List.copyOf(differences);
    }

    /**
     * @param before null if the user is not there, as is {@code after}
     * @return with no differences if there are none
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

    /** Another name of a leaderboard or group is no difference. */
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

    /** Whether only ranks differ: others have passed the user or fallen behind. */
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
     * A difference of a user between both sides. {@code before} is the present state, {@code after} the result of reading the
     * log again. Objects are named by their keys in the rules of {@code after}, or in the others if those do not have the
     * object.
     */
    public sealed interface Difference {

        /**
         * A metric is a sum of the log that no rule changes, except by removing the metric: otherwise one of the two is
         * wrong.
         */
        record MetricDiffers(String metric, BigDecimal before, BigDecimal after) implements Difference {}

        /**
         * @param levelBefore key of the level held, null if none, as is {@code levelAfter}
         * @param levels how many levels up, negative: down; 0 where the levels have only other names or thresholds
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

        /** @param before null if there is no streak, as is {@code after} */
        record StreakDiffers(@Nullable Streak before, @Nullable Streak after) implements Difference {

            public int lengthBefore() {
                return before == null ? 0 : before.length();
            }

            public int lengthAfter() {
                return after == null ? 0 : after.length();
            }
        }

        /** @param before null if the user takes no part, as is {@code after} */
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
