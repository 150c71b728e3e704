package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.compare.UserFacts.Place;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.leaderboard.Runs;
import dev.laurel.processors.core.leaderboard.Standing;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.BoardState;
import dev.laurel.processors.core.user.LocalDays;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where users of one state stand on leaderboards at one moment: on the open ones, in the run in which the user's day lies, in the
 * group of the user's attributes. Groups are read as a whole and kept while there is room, so one leaderboard for everybody is
 * read once. One thread.
 */
final class Places {

    /** Of all groups that are kept, some 50 MB; a group has at most 1,000. */
    private static final int MAX_KEPT = 200_000;

    private record Spot(int rank, Standing standing) {}

    private final State state;
    private final long nowMs;
    private final Map<BoardGroup, Map<UserId, Spot>> groups = new LinkedHashMap<>(16, 0.75f, true);
    private int kept;

    Places(State state, long nowMs) {
        this.state = state;
        this.nowMs = nowMs;
    }

    /** By the number of the leaderboard. @param user as it is at that moment */
    SortedMap<Integer, Place> of(UserKey key, UserState user, CompiledRuleset rules) {
        var places = new TreeMap<Integer, Place>();
        int today = LocalDays.dayOf(nowMs, rules.zoneOf(user.profile().tz()));
        for (BoardRules board : rules.openBoards()) {
            int run = board.runs().runOf(today);
            List<String> values = board.groupOf(user.profile().attributes());
            if (run != Runs.NONE && values != null) {
                Spot spot = group(new BoardGroup(key.tenant(), board.number(), run, values)).get(key.user());
                BigDecimal own = ownValue(user, board.number(), run);
                if (spot != null) {
                    places.put(board.number(),
                            new Place(board.board().key(), values, spot.rank(), spot.standing().value()));
                } else if (own.signum() > 0) {
                    places.put(board.number(), new Place(board.board().key(), values, Place.NO_RANK, own));
                }
            }
        }
        return places;
    }

    /** What the user has come to, on a full leaderboard or not. */
    private static BigDecimal ownValue(UserState user, int board, int run) {
        BoardState state = user.boards().get(board);
        return state == null || state.run() != run ? BigDecimal.ZERO : state.value();
    }

    private Map<UserId, Spot> group(BoardGroup group) {
        Map<UserId, Spot> known = groups.get(group);
        if (known != null) {
            return known;
        }
        Ranking ranking = state.ranking(group);
        var spots = new HashMap<UserId, Spot>();
        for (int rank = 1; rank <= ranking.size(); rank++) {
            Standing standing = ranking.at(rank);
            spots.put(standing.user(), new Spot(rank, standing));
        }
        groups.put(group, spots);
        kept += 1 + spots.size();
        Iterator<Map<UserId, Spot>> eldest = groups.values().iterator();
        while (kept > MAX_KEPT) {
            kept -= 1 + eldest.next().size();
            eldest.remove();
        }
        return spots;
    }
}
