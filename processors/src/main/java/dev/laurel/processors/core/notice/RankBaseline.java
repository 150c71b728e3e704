package dev.laurel.processors.core.notice;

import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a group stood when a webhook began to ask for ranks: nobody is told of that. It is found at the first look, by taking back
 * from the ranking what was heard since. Pure.
 */
public final class RankBaseline {

    /** After more moves than this nobody takes them back: then the group stands as it does. */
    public static final int MAX_MOVES = 500;

    private record Standing(UserId user, BigDecimal value) {}

    private RankBaseline() {}

    /** @param since in the order in which they happened */
    public static Map<UserId, ToldRank> of(List<RankingBody> ranking, List<RankMove> since) {
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
        var told = new HashMap<UserId, ToldRank>();
        for (int i = 0; i < standings.size(); i++) {
            told.put(standings.get(i).user(), new ToldRank(i + 1, standings.get(i).value(), ToldRank.NEVER));
        }
        return told;
    }
}
