package dev.laurel.query.read;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.delivery.throttle.NodeReads;
import dev.laurel.delivery.throttle.NodeReads.NotNow;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.LeaderboardQuery.ShowRanking;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery.ShowUser;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.UserBody;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * Answers the reads of delivery through the nodes. It includes inactive leaderboards, because a message about a leaderboard is
 * about a time when it was active. Thread-safe.
 */
public record DeliveryLookups(Nodes nodes, RulesetVersions rulesets) implements NodeReads {

    @Override
    public Optional<UserBody> user(UserKey user) throws NotNow {
        try {
            return nodes.ask(new ShowUser(user)).values().stream().findFirst();
        } catch (NotReadyException e) {
            throw new NotNow(e.getMessage());
        }
    }

    @Override
    public List<RankingBody> ranking(TenantId tenant, String leaderboard, LocalDate runStart, List<String> group)
            throws NotNow {
        LeaderboardRules board = rulesets.newest(tenant).board(leaderboard);
        if (board == null || board.keys().size() != group.size()) {
            return List.of();
        }
        int run = board.board().runs() == null ? Runs.PERPETUAL : PublicLeaderboard.dayOf(runStart);
        try {
            return nodes.ask(new ShowRanking(tenant, board.number(), run, group))
                    .values();
        } catch (NotReadyException e) {
            throw new NotNow(e.getMessage());
        }
    }
}
