package dev.laurel.query.read;

import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Runs;
import dev.laurel.processors.delivery.Lookups;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.question.Nodes;
import dev.laurel.query.question.ShowRanking;
import dev.laurel.query.question.ShowUser;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.UserBody;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * What delivery asks the nodes for, answered by them. Inactive leaderboards are answered, too: what is told of one happened
 * before it became so. Thread-safe.
 */
public final class DeliveryLookups implements Lookups {

    private final Nodes nodes;
    private final RulesetVersions rulesets;

    public DeliveryLookups(Nodes nodes, RulesetVersions rulesets) {
        this.nodes = nodes;
        this.rulesets = rulesets;
    }

    @Override
    public Optional<UserBody> user(UserKey user) throws NotNow {
        try {
            return Optional.ofNullable(nodes.ask(new ShowUser(user)).user());
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
        try {
            return nodes.ask(new ShowRanking(tenant, board.number(), run, group)).places();
        } catch (NotReadyException e) {
            throw new NotNow(e.getMessage());
        }
    }
}
