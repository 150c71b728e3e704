package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.compare.UserComparison.Difference;
import dev.laurel.processors.core.compare.ComparedUser.Entry;
import dev.laurel.processors.core.compare.ComparedUser.Streak;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * A difference as written to JSON and CSV.
 *
 * @param kind {@code user}, {@code points}, {@code achievement}, {@code streak}, {@code place} or {@code metric}
 * @param key key of the object in the ruleset; empty for {@code user} and {@code streak}
 * @param before a total, a length or a rank; 1 or 0 for presence; null for no rank
 * @param after likewise
 * @param beforeDetail the level of points, the days of a streak, or the value and group of a rank; may be null
 * @param afterDetail likewise
 */
record DifferenceRow(String kind, String key, BigDecimal before, BigDecimal after, String beforeDetail,
        String afterDetail) {

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
            case Difference.EntryDiffers(String board, Entry before, Entry after) ->
                new DifferenceRow("place", board, rank(before),
                        rank(after), value(before), value(after));
            case Difference.MetricDiffers(String metric, BigDecimal before, BigDecimal after) ->
                new DifferenceRow("metric", metric, before, after, null, null);
        };
    }

    private static DifferenceRow presence(String kind, String key, boolean isThere) {
        return new DifferenceRow(kind, key, number(isThere ? 1 : 0), number(isThere ? 0 : 1), null, null);
    }

    private static BigDecimal number(long value) {
        return BigDecimal.valueOf(value);
    }

    private static BigDecimal rank(Entry place) {
        return place == null || !place.isRanked() ? null : number(place.rank());
    }

    private static String days(Streak streak) {
        return streak == null
                ? null
                : streak.frequency().name().toLowerCase(Locale.ROOT) + " since " + streak.started() + ", until "
                        + streak.expires();
    }

    private static String value(Entry place) {
        if (place == null) {
            return null;
        }
        String value = place.value().toPlainString();
        return place.group().isEmpty() ? value : value + " in " + String.join(", ", place.group());
    }
}
