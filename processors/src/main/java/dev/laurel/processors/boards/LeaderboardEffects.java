package dev.laurel.processors.boards;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.RankingRules.Placement;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.MessageRules.WebhookRules;
import dev.laurel.schemas.command.Command.RunFinished;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.LeaderboardKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.RulesetHeader;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Writes the effects of leaderboards, those of each leaderboard in their order, and forwards them to delivery if a webhook wants them.
 * When a run becomes final, also writes to the log who is to be rewarded. One task, one thread.
 */
final class LeaderboardEffects {

    /** The names of the nodes that get the effects, the events that webhooks want, and the commands for the log. */
    static final String EFFECTS_SINK = "effects-sink";

    static final String OUTBOX_SINK = "outbox-sink";
    static final String COMMANDS_SINK = "commands-sink";

    private static final int MAX_RANKED = 10;

    private final ProcessorContext<Object, Object> context;
    private final Function<TenantId, @Nullable CompiledRuleset> rulesInForce;

    /** Null while this generation produces all output. */
    private @Nullable GenerationCutover cutover;

    /** @param rulesInForce finds the newest rules in force in a partition of the log */
    LeaderboardEffects(
            ProcessorContext<Object, Object> context, Function<TenantId, @Nullable CompiledRuleset> rulesInForce) {
        this.context = context;
        this.rulesInForce = rulesInForce;
    }

    /** @param begun null: this generation produces all output from now on */
    void setCutover(@Nullable GenerationCutover begun) {
        cutover = begun;
    }

    void started(TenantId tenant, LeaderboardRules rules, int run, long atMs) {
        if (isTimeSilent(tenant)) {
            return;
        }
        Leaderboard board = rules.board();
        write(
                tenant,
                rules,
                new Effect.LeaderboardStarted(
                        Instant.ofEpochMilli(atMs),
                        board.id(),
                        board.key(),
                        rules.runs().firstDateOf(run),
                        rules.runs().lastDateOf(run)));
    }

    /** A participant entered, moved or left because of a record. */
    void changed(LeaderboardRules rules, LeaderboardGroup group, Placement placement, long atMs) {
        if (cutover == null || !cutover.isSilent()) {
            writeChange(rules, group, placement, atMs);
        }
    }

    /** A participant left or entered because new rules allow fewer or more of them. */
    void limited(LeaderboardRules rules, LeaderboardGroup group, Placement placement, long atMs) {
        if (!isTimeSilent(group.tenant())) {
            writeChange(rules, group, placement, atMs);
        }
    }

    private boolean isTimeSilent(TenantId tenant) {
        return cutover != null && cutover.isTimeSilent(tenant);
    }

    private void writeChange(LeaderboardRules rules, LeaderboardGroup group, Placement placement, long atMs) {
        Leaderboard board = rules.board();
        write(
                group.tenant(),
                rules,
                new Effect.LeaderboardChanged(
                        placement.user(),
                        Instant.ofEpochMilli(atMs),
                        board.id(),
                        board.key(),
                        rules.runs().firstDateOf(group.run()),
                        rules.runs().lastDateOf(group.run()),
                        values(rules, group),
                        rankOrNull(placement.previousRank()),
                        rankOrNull(placement.rank()),
                        valueOrNull(placement.before()),
                        valueOrNull(placement.after())));
    }

    void finished(LeaderboardRules rules, LeaderboardGroup group, Ranking ranking, long atMs) {
        if (isTimeSilent(group.tenant())) {
            return;
        }
        Leaderboard board = rules.board();
        var best = new ArrayList<Effect.Ranked>();
        for (int rank = 1; rank <= Math.min(MAX_RANKED, ranking.size()); rank++) {
            Standing standing = ranking.at(rank);
            best.add(new Effect.Ranked(standing.user(), standing.name(), rank, standing.value()));
        }
        write(
                group.tenant(),
                rules,
                new Effect.LeaderboardFinished(
                        Instant.ofEpochMilli(atMs),
                        board.id(),
                        board.key(),
                        rules.runs().firstDateOf(group.run()),
                        rules.runs().lastDateOf(group.run()),
                        values(rules, group),
                        best));
        reward(group, ranking, atMs);
    }

    /**
     * Writes a command for each participant with a rank that the rules reward. They go through the log, so that the state of users
     * follows from it alone, whatever a replay would rank.
     */
    private void reward(LeaderboardGroup group, Ranking ranking, long atMs) {
        CompiledRuleset inForce = rulesInForce.apply(group.tenant());
        if (inForce == null) {
            return;
        }
        int last = Math.min(inForce.runRewards(group.board()).lastRank(), ranking.size());
        for (int rank = 1; rank <= last; rank++) {
            UserId user = ranking.at(rank).user();
            var command = new RunFinished(UserChange.mention(user), group.board(), group.run(), rank, ranking.size());
            var record = new Record<Object, Object>(new UserKey(group.tenant(), user).bytes(), command, atMs);
            // The ledger must know the rules that reward the rank.
            RulesetHeader.write(record.headers(), inForce.version());
            context.forward(record, COMMANDS_SINK);
        }
    }

    private static List<Effect.GroupValue> values(LeaderboardRules rules, LeaderboardGroup group) {
        var values = new ArrayList<Effect.GroupValue>(group.values().size());
        for (int i = 0; i < group.values().size(); i++) {
            values.add(new Effect.GroupValue(rules.keys().get(i), group.values().get(i)));
        }
        return values;
    }

    private static @Nullable Integer rankOrNull(int rank) {
        return rank == 0 ? null : rank;
    }

    private static @Nullable BigDecimal valueOrNull(@Nullable Standing standing) {
        return standing == null ? null : standing.value();
    }

    private void write(TenantId tenant, LeaderboardRules rules, Effect.OfLeaderboard effect) {
        byte[] key = new LeaderboardKey(tenant, effect.leaderboardKey()).bytes();
        long atMs = Math.max(0, effect.at().toEpochMilli());
        context.forward(new Record<>(key, effect, atMs), EFFECTS_SINK);
        CompiledRuleset inForce = rulesInForce.apply(tenant);
        // Scores may still arrive for a leaderboard that newer rules have removed.
        if (inForce != null && isWanted(effect, inForce.hooks()) && inForce.board(rules.number()) != null) {
            var event =
                    new Outgoing.LeaderboardEvent(idOf(tenant, effect), tenant, effect.at(), inForce.version(), effect);
            context.forward(new Record<>(key, event, atMs), OUTBOX_SINK);
        }
    }

    /**
     * Whether a webhook event follows from an effect, directly or not. Rank changes are derived from the beginnings and ends of runs,
     * too, and leaderboard changes end with the run.
     */
    private static boolean isWanted(Effect.OfLeaderboard effect, WebhookRules hooks) {
        boolean wantRanks = hooks.want(WebhookEvent.LEADERBOARD_RANK_CHANGED);
        return switch (effect) {
            case Effect.LeaderboardStarted _ -> wantRanks || hooks.want(WebhookEvent.LEADERBOARD_STARTED);
            case Effect.LeaderboardChanged _ -> wantRanks || hooks.want(WebhookEvent.LEADERBOARD_CHANGED);
            case Effect.LeaderboardFinished _ ->
                wantRanks
                        || hooks.want(WebhookEvent.LEADERBOARD_CHANGED)
                        || hooks.want(WebhookEvent.LEADERBOARD_FINISHED);
        };
    }

    /** An id derived from the effect, so that it is the same if the effect is written again after a failure. */
    private static UUID idOf(TenantId tenant, Effect.OfLeaderboard effect) {
        byte[] head = ("laurel-board-news/" + tenant.value() + "/").getBytes(UTF_8);
        byte[] body = Json.write(effect);
        return UUID.nameUUIDFromBytes(ByteBuffer.allocate(head.length + body.length)
                .put(head)
                .put(body)
                .array());
    }
}
