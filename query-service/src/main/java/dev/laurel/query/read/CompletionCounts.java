package dev.laurel.query.read;

import dev.laurel.query.question.CountCompletions;
import dev.laurel.query.question.Nodes;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.wire.AchievementBody;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * How many users have completed which achievements (semantics.md §4).
 *
 * @param users all there are
 * @param completions in the order in which the achievements were asked for
 */
record CompletionCounts(long users, long[] completions) {

    /** Of all partitions. @throws NotReadyException if one of them cannot be read anywhere */
    static CompletionCounts of(Nodes nodes, TenantId tenant, List<Achievement> achievements) {
        var counted = nodes.ask(new CountCompletions(tenant, achievements.stream().map(Achievement::number).toList()));
        return new CompletionCounts(counted.users(), counted.completions());
    }

    AchievementBody addTo(AchievementBody body, int index) {
        return body.counted(completions[index], rarity(index));
    }

    /** Percent of all users, two decimals. */
    private BigDecimal rarity(int index) {
        return users == 0
                ? BigDecimal.ZERO
                : BigDecimal.valueOf(completions[index] * 100).divide(BigDecimal.valueOf(users), 2,
                        RoundingMode.HALF_UP);
    }
}
