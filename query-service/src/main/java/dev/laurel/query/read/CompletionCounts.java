package dev.laurel.query.read;

import dev.laurel.processors.store.UserReader;
import dev.laurel.query.locate.Partitions;
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

    /** The counters of all partitions. @throws NotReadyException if one of them is not served here */
    static CompletionCounts of(Partitions partitions, TenantId tenant, List<Achievement> achievements) {
        var completions = new long[achievements.size()];
        long users = 0;
        for (CompletionCounts part : partitions.readAll(reader -> of(reader, tenant, achievements))) {
            users += part.users();
            for (int i = 0; i < completions.length; i++) {
                completions[i] += part.completions()[i];
            }
        }
        return new CompletionCounts(users, completions);
    }

    private static CompletionCounts of(UserReader reader, TenantId tenant, List<Achievement> achievements) {
        return new CompletionCounts(reader.userCount(tenant),
                achievements.stream().mapToLong(a -> reader.completionCount(tenant, a.number())).toArray());
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
