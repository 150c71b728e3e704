package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.leaderboard.Standing;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.BoardKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Says what happened on leaderboards, each one's facts in their order. One task, one thread. */
final class BoardFacts {

    private static final int MAX_RANKED = 10;

    private final ProcessorContext<Object, Object> context;
    private final String outlet;

    BoardFacts(ProcessorContext<Object, Object> context, String outlet) {
        this.context = context;
        this.outlet = outlet;
    }

    void started(TenantId tenant, BoardRules rules, int run, long atMs) {
        Leaderboard board = rules.board();
        tell(tenant, new Effect.LeaderboardStarted(Instant.ofEpochMilli(atMs), board.id(), board.key(),
                firstDate(rules, run), lastDate(rules, run)));
    }

    /**
     * @param before null if the user took no part
     * @param previousRank 0 if the user took no part
     * @param after null if the user takes no part now
     * @param rank 0 if the user takes no part now
     */
    void changed(BoardRules rules, BoardGroup group, UserId user, Standing before, int previousRank, Standing after,
            int rank, long atMs) {
        Leaderboard board = rules.board();
        tell(group.tenant(),
                new Effect.LeaderboardChanged(user, Instant.ofEpochMilli(atMs), board.id(), board.key(),
                        firstDate(rules, group.run()), lastDate(rules, group.run()), values(board, group),
                        rankOrNull(previousRank), rankOrNull(rank), valueOrNull(before), valueOrNull(after)));
    }

    void finished(BoardRules rules, BoardGroup group, Ranking ranking, long atMs) {
        Leaderboard board = rules.board();
        var best = new ArrayList<Effect.Ranked>();
        for (int rank = 1; rank <= Math.min(MAX_RANKED, ranking.size()); rank++) {
            Standing standing = ranking.at(rank);
            best.add(new Effect.Ranked(standing.user(), standing.name(), rank, standing.value()));
        }
        tell(group.tenant(),
                new Effect.LeaderboardFinished(Instant.ofEpochMilli(atMs), board.id(), board.key(),
                        firstDate(rules, group.run()), lastDate(rules, group.run()), values(board, group), best));
    }

    private static LocalDate firstDate(BoardRules rules, int run) {
        return rules.runs().firstDateOf(run);
    }

    private static LocalDate lastDate(BoardRules rules, int run) {
        return rules.runs().lastDateOf(run);
    }

    private static List<Effect.GroupValue> values(Leaderboard board, BoardGroup group) {
        var values = new ArrayList<Effect.GroupValue>(group.values().size());
        for (int i = 0; i < group.values().size(); i++) {
            values.add(new Effect.GroupValue(board.breakdownAttributes().get(i), group.values().get(i)));
        }
        return values;
    }

    private static Integer rankOrNull(int rank) {
        return rank == 0 ? null : rank;
    }

    private static BigDecimal valueOrNull(Standing standing) {
        return standing == null ? null : standing.value();
    }

    private void tell(TenantId tenant, Effect.OfLeaderboard effect) {
        byte[] key = new BoardKey(tenant, effect.leaderboardKey()).bytes();
        context.forward(new Record<>(key, effect, Math.max(0, effect.at().toEpochMilli())), outlet);
    }
}
