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
 * Reconstructs the ranking of a group at the time when a webhook began to ask for ranks; webhooks are not notified of those
 * ranks. It takes back from the present ranking the moves received since. Pure.
 */
public final class RankBaseline {

    /** With more moves than this the present ranking is the baseline. */
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
        var told = new HashMap<UserId, NotifiedRank>();
        for (int i = 0; i < standings.size(); i++) {
            told.put(standings.get(i).user(), new NotifiedRank(i + 1, standings.get(i).value(), NotifiedRank.NEVER));
        }
        return told;
    }

    /**
     * A move received while the ranks of the others are not known yet.
     *
     * @param news its id
     * @param previousRank 0 if the user took no part before
     * @param previousValue null then
     */
    public record RankMove(UUID news, UserId user, int previousRank, @Nullable BigDecimal previousValue) {}
}
