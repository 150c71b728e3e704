package dev.laurel.processors.core.leaderboard;

import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.Comparator;

/**
 * A participant and what it has come to.
 *
 * @param name null if the user has none
 * @param value above 0
 * @param changedMs time of the last change of the value
 */
public record Standing(UserId user, String name, BigDecimal value, long changedMs) {

    /** Best first (semantics.md §7): the higher value, then who had it earlier, then the user id. No two users are equal. */
    public static final Comparator<Standing> BEST_FIRST = Comparator.comparing(Standing::value).reversed()
            .thenComparingLong(Standing::changedMs).thenComparing(standing -> standing.user().value());
}
