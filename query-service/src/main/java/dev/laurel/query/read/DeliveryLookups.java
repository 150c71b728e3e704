package dev.laurel.query.read;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.leaderboard.Runs;
import dev.laurel.processors.core.leaderboard.Standing;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.delivery.Lookups;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.BoardPartitions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.UserBody;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What delivery asks the nodes for, answered by this one. Inactive leaderboards are answered, too: what is told of one happened
 * before it became so. Thread-safe.
 */
public final class DeliveryLookups implements Lookups {

    private final BoardPartitions boards;
    private final UserReads users;
    private final RulesetVersions rulesets;

    public DeliveryLookups(BoardPartitions boards, UserReads users, RulesetVersions rulesets) {
        this.boards = boards;
        this.users = users;
        this.rulesets = rulesets;
    }

    @Override
    public Optional<UserBody> user(UserKey user) throws NotNow {
        try {
            return users.find(user, present -> Bodies.user(present.state()));
        } catch (NotReadyException e) {
            throw new NotNow(e.getMessage());
        }
    }

    @Override
    public List<RankingBody> ranking(TenantId tenant, String leaderboard, LocalDate runStart, List<String> group)
            throws NotNow {
        BoardRules board = rulesets.newest(tenant).board(leaderboard);
        if (board == null || board.board().breakdownAttributes().size() != group.size()) {
            return List.of();
        }
        int run = board.board().runs() == null ? Runs.PERPETUAL : Math.toIntExact(runStart.toEpochDay());
        var asked = new BoardGroup(tenant, board.number(), run, group);
        try {
            return boards.readOwner(tenant, board.number(),
                    reads -> places(reads.ranking(asked, Leaderboard.MAX_PARTICIPANTS)));
        } catch (NotReadyException e) {
            throw new NotNow(e.getMessage());
        }
    }

    private static List<RankingBody> places(Ranking ranking) {
        var places = new ArrayList<RankingBody>(ranking.size());
        for (int rank = 1; rank <= ranking.size(); rank++) {
            Standing standing = ranking.at(rank);
            places.add(new RankingBody(standing.user().value(), standing.name(), rank, standing.value()));
        }
        return places;
    }
}
