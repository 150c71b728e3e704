package dev.laurel.processors.core.throttle;

import dev.laurel.processors.core.throttle.RankDiff.NotifiedRank;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reconstructs the ranking of a group at the time when a webhook subscribed to ranks, by undoing the moves received since.
 * Webhooks are not notified of the ranks of that time. Pure.
 */
public final class RankBaseline {

    /** The number of moves from which on the present ranking is the baseline. */
    public static final int MAX_MOVES = 500;

    private record Standing(UserId user, @Nullable BigDecimal value) {}

    private RankBaseline() {}

    /** @param since in the order in which they happened */
    public static Map<UserId, NotifiedRank> of(List<RankingBody> ranking, List<RankMove> since) {
        var standings = new ArrayList<Standing>(ranking.size());
        for (RankingBody place : ranking) {
            standings.add(new Standing(new UserId(place.userId()), place.value()));
        }
        if (since.size() < MAX_MOVES) {
            for (RankMove move : since.reversed()) {
                standings.removeIf(standing -> standing.user().equals(move.user()));
                if (move.previousRank() > 0) {
                    standings.add(Math.min(move.previousRank() - 1, standings.size()),
                            new Standing(move.user(), move.previousValue()));
                }
            }
        }
        var baseline = new HashMap<UserId, NotifiedRank>();
        for (int i = 0; i < standings.size(); i++) {
            baseline.put(standings.get(i).user(),
                    new NotifiedRank(i + 1, standings.get(i).value(), NotifiedRank.NEVER));
        }
        return baseline;
    }

    /**
     * A move received before the baseline is known.
     *
     * @param eventId the id of the outbox event
     * @param previousRank 0 if the user did not take part before
     * @param previousValue null: the user did not take part before
     */
    public record RankMove(UUID eventId, UserId user, int previousRank, @Nullable BigDecimal previousValue) {}
}
