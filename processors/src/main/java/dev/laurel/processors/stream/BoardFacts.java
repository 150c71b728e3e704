package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.leaderboard.Standing;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.HookRules;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.BoardKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.EffectJson;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Says what happened on leaderboards, each one's facts in their order; where a webhook asks about them, to delivery as well.
 * One task, one thread.
 */
final class BoardFacts {

    private static final int MAX_RANKED = 10;

    private final ProcessorContext<Object, Object> context;
    private final BoardOutlets outlets;
    private final Function<TenantId, CompiledRuleset> rulesInForce;

    /** Null where all is told. */
    private Opening opening;

    /** @param rulesInForce the newest that a partition of the log goes by */
    BoardFacts(ProcessorContext<Object, Object> context, BoardOutlets outlets,
            Function<TenantId, CompiledRuleset> rulesInForce) {
        this.context = context;
        this.outlets = outlets;
        this.rulesInForce = rulesInForce;
    }

    /** @param between generations; null: from here on all is told */
    void open(Opening between) {
        opening = between;
    }

    void started(TenantId tenant, BoardRules rules, int run, long atMs) {
        if (isTimeSilent(tenant)) {
            return;
        }
        Leaderboard board = rules.board();
        tell(tenant, rules, new Effect.LeaderboardStarted(Instant.ofEpochMilli(atMs), board.id(), board.key(),
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
        if (opening == null || !opening.isSilent()) {
            tellChange(rules, group, user, before, previousRank, after, rank, atMs);
        }
    }

    /** A group holds fewer participants under other rules, and this one has had to leave. @param rank before that */
    void dropped(BoardRules rules, BoardGroup group, Standing last, int rank, long atMs) {
        if (!isTimeSilent(group.tenant())) {
            tellChange(rules, group, last.user(), last, rank, null, 0, atMs);
        }
    }

    private boolean isTimeSilent(TenantId tenant) {
        return opening != null && opening.isTimeSilent(tenant);
    }

    private void tellChange(BoardRules rules, BoardGroup group, UserId user, Standing before, int previousRank,
            Standing after, int rank, long atMs) {
        Leaderboard board = rules.board();
        tell(group.tenant(), rules,
                new Effect.LeaderboardChanged(user, Instant.ofEpochMilli(atMs), board.id(), board.key(),
                        firstDate(rules, group.run()), lastDate(rules, group.run()), values(board, group),
                        rankOrNull(previousRank), rankOrNull(rank), valueOrNull(before), valueOrNull(after)));
    }

    void finished(BoardRules rules, BoardGroup group, Ranking ranking, long atMs) {
        if (isTimeSilent(group.tenant())) {
            return;
        }
        Leaderboard board = rules.board();
        var best = new ArrayList<Effect.Ranked>();
        for (int rank = 1; rank <= Math.min(MAX_RANKED, ranking.size()); rank++) {
            Standing standing = ranking.at(rank);
            best.add(new Effect.Ranked(standing.user(), standing.name(), rank, standing.value()));
        }
        tell(group.tenant(), rules,
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

    private void tell(TenantId tenant, BoardRules rules, Effect.OfLeaderboard effect) {
        byte[] key = new BoardKey(tenant, effect.leaderboardKey()).bytes();
        long atMs = Math.max(0, effect.at().toEpochMilli());
        context.forward(new Record<>(key, effect, atMs), outlets.effects());
        CompiledRuleset inForce = rulesInForce.apply(tenant);
        // A leaderboard that newer rules have taken out is nobody's any more, though a score for it may still come.
        if (inForce != null && isAskedFor(effect, inForce.hooks()) && inForce.board(rules.number()) != null) {
            var news = new Outgoing.BoardNews(idOf(tenant, effect), tenant, effect.at(), inForce.version(), effect);
            context.forward(new Record<>(key, news, atMs), outlets.outbox());
        }
    }

    /**
     * Whether an event of webhooks comes of it: of its own, or one that is found out from it. Whoever is told of ranks must know
     * when runs begin and end, and whoever is told of changes when there are no more.
     */
    private static boolean isAskedFor(Effect.OfLeaderboard effect, HookRules hooks) {
        boolean isAskedForRanks = hooks.want(WebhookEvent.LEADERBOARD_RANK_CHANGED);
        return switch (effect) {
            case Effect.LeaderboardStarted _ -> isAskedForRanks || hooks.want(WebhookEvent.LEADERBOARD_STARTED);
            case Effect.LeaderboardChanged _ -> isAskedForRanks || hooks.want(WebhookEvent.LEADERBOARD_CHANGED);
            case Effect.LeaderboardFinished _ -> isAskedForRanks || hooks.want(WebhookEvent.LEADERBOARD_CHANGED)
                    || hooks.want(WebhookEvent.LEADERBOARD_FINISHED);
        };
    }

    /** A name made of what happened: the same if it is told again after a failure. */
    private static UUID idOf(TenantId tenant, Effect.OfLeaderboard effect) {
        byte[] head = ("laurel-board-news/" + tenant.value() + "/").getBytes(UTF_8);
        byte[] told = EffectJson.write(effect);
        return UUID.nameUUIDFromBytes(
                ByteBuffer.allocate(head.length + told.length).put(head).put(told).array());
    }
}
