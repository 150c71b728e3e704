package dev.laurel.deploy.tools.replay;

import dev.laurel.core.compare.ComparedUser.Completed;
import dev.laurel.core.compare.ComparedUser.Entry;
import dev.laurel.core.compare.ComparedUser.Exists;
import dev.laurel.core.compare.ComparedUser.Points;
import dev.laurel.core.compare.ComparedUser.Streak;
import dev.laurel.core.compare.ComparedUser.Total;
import dev.laurel.core.compare.ComparedUser.Value;
import dev.laurel.core.compare.UserComparison.Difference;
import dev.laurel.schemas.kind.IssueList;
import java.math.BigDecimal;
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
record DifferenceRow(
        String kind,
        String key,
        @Nullable BigDecimal before,
        @Nullable BigDecimal after,
        @Nullable String beforeDetail,
        @Nullable String afterDetail) {

    static DifferenceRow of(Difference difference) {
        return new DifferenceRow(
                IssueList.word(difference.kind()),
                difference.key(),
                difference.numberBefore(),
                difference.numberAfter(),
                detail(difference.before()),
                detail(difference.after()));
    }

    private static @Nullable String detail(@Nullable Value value) {
        return switch (value) {
            case Points points -> points.level();
            case Streak streak ->
                IssueList.word(streak.frequency()) + " since " + streak.started() + ", until " + streak.expires();
            case Entry entry -> entry.value().toPlainString() + TextReport.in(entry);
            case Exists _, Completed _, Total _ -> null;
            case null -> null;
        };
    }
}
