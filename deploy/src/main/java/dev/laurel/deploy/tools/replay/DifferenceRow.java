package dev.laurel.deploy.tools.replay;

import dev.laurel.core.compare.ComparedUser.Entry;
import dev.laurel.core.compare.ComparedUser.Streak;
import dev.laurel.core.compare.UserComparison.Difference;
import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A difference as written to JSON and CSV.
 *
 * @param kind {@code user}, {@code points}, {@code achievement}, {@code streak}, {@code place} or {@code metric}
 * @param key key of the object in the ruleset; empty for {@code user} and {@code streak}
 * @param before a total, a length or a rank; 1 or 0 for presence; null: no rank
 * @param after likewise
 * @param beforeDetail the level of points, the days of a streak, or the value and group of a rank
 * @param afterDetail likewise
 */
record DifferenceRow(String kind, String key, @Nullable BigDecimal before, @Nullable BigDecimal after,
        @Nullable String beforeDetail, @Nullable String afterDetail) {

    static DifferenceRow of(Difference difference) {
        return switch (difference) {
            case Difference.UserAppears() -> presence("user", "", false);
            case Difference.UserDisappears() -> presence("user", "", true);
            case Difference.PointsDiffer it -> new DifferenceRow("points", it.system(), number(it.before()),
                    number(it.after()), it.levelBefore(), it.levelAfter());
            case Difference.AchievementGained(String key) -> presence("achievement", key, false);
            case Difference.AchievementLost(String key) -> presence("achievement", key, true);
            case Difference.StreakDiffers it -> new DifferenceRow("streak", "", number(it.lengthBefore()),
                    number(it.lengthAfter()), days(it.before()), days(it.after()));
            case Difference.EntryDiffers it -> new DifferenceRow("place", it.leaderboard(), rank(it.before()),
                    rank(it.after()), value(it.before()), value(it.after()));
            case Difference.MetricDiffers(String metric, BigDecimal before, BigDecimal after) ->
                new DifferenceRow("metric", metric, before, after, null, null);
        };
    }

    private static DifferenceRow presence(String kind, String key, boolean isLost) {
        return new DifferenceRow(kind, key, number(isLost ? 1 : 0), number(isLost ? 0 : 1), null, null);
    }

    private static BigDecimal number(long value) {
        return BigDecimal.valueOf(value);
    }

    private static @Nullable BigDecimal rank(@Nullable Entry entry) {
        return entry == null || !entry.isRanked() ? null : number(entry.rank());
    }

    private static @Nullable String days(@Nullable Streak streak) {
        return streak == null
                ? null
                : streak.frequency().name().toLowerCase(Locale.ROOT) + " since " + streak.started() + ", until "
                        + streak.expires();
    }

    private static @Nullable String value(@Nullable Entry entry) {
        if (entry == null) {
            return null;
        }
        String value = entry.value().toPlainString();
        return entry.group().isEmpty() ? value : value + " in " + String.join(", ", entry.group());
    }
}
