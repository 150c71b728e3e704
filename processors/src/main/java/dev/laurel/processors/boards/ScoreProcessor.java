package dev.laurel.processors.boards;

import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.GenerationBegan;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.RulesPublished;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scores;
import dev.laurel.core.leaderboard.LeaderboardMessage.TeamScores;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserForgotten;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserShown;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.RankingRules;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.view.LeaderboardBodies;
import dev.laurel.platform.kafka.AdaptivePollWait;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.boards.LeaderboardCodecs.Sent;
import dev.laurel.processors.store.boards.LeaderboardStores;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TaskProcessor;
import dev.laurel.processors.stream.TaskTrace;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.wire.EventBody.TickBody;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes one partition of {@code laurel.scores}, message by message, and ranks its leaderboards. Messages may come from transactions
 * that are aborted and repeated, or may be read again after a failure. No message changes anything twice, since values are absolute and
 * each carries its position in the log. One task, one thread.
 */
final class ScoreProcessor implements TaskProcessor.Handler<byte[], byte[]> {

    /** The name of the node that gets the answers. */
    static final String REPLIES_SINK = "replies-sink";

    private static final Logger LOG = LoggerFactory.getLogger(ScoreProcessor.class);
    private static final Duration ROUND = Duration.ofMillis(100);

    /** Groups that are brought up to date between messages. */
    private static final int MAX_WORK_PER_ROUND = 50;

    /** Groups that are brought up to date while a client waits for it. */
    private static final int MAX_WORK_PER_TICK = 200;

    private static final byte[] NOT_RANKED = {};

    private final ProcessorContext<Object, Object> context;
    private final TaskTrace trace;
    private final RulesetVersions rulesets;
    private final LeaderboardViews views;
    private final int partition;
    private final LeaderboardStores stores;
    private final LeaderboardGroups groups;
    private final LeaderboardProgress watermarks;
    private final LeaderboardEffects effects;
    private final LeaderboardMaintenance maintenance;
    private final Ranker ranker;

    /** Null while this generation produces all output, as it does without other generations. */
    private @Nullable GenerationCutover cutover;

    /** Whether everything due by time and rules is done, as last shown. */
    private boolean isSettled = true;

    private ScoreProcessor(
            ProcessorContext<Object, Object> context,
            TaskTrace trace,
            LeaderboardsTopology.Dependencies shared,
            OutputWindow window) {
        this.context = context;
        this.trace = trace;
        this.rulesets = shared.rulesets();
        this.views = shared.views();
        this.partition = context.taskId().partition();
        stores = new LeaderboardStores(context::getStateStore);
        groups = new LeaderboardGroups(stores, views, partition);
        watermarks = new LeaderboardProgress(stores, shared.logPartitions());
        effects = new LeaderboardEffects(context, tenant -> rulesets.get(tenant, watermarks.newestVersion(tenant)));
        maintenance =
                new LeaderboardMaintenance(rulesets, watermarks, stores, groups, effects, shared.layout(), partition);
        ranker = new Ranker(stores, groups, maintenance, effects);
        setCutover(window.startsSilent() ? cutoverSoFar(window, shared.logPartitions()) : null);
        setSettled(false);
        stores.beforeCommit(groups::save);
        stores.beforeCommit(stores::writeRankChanges);
        stores.beforeCommit(watermarks::save);
        context.schedule(ROUND, PunctuationType.WALL_CLOCK_TIME, _ -> onRound());
    }

    /** Supplies the processors of all tasks, with the stores that they own. */
    static ProcessorSupplier<byte[], byte[], Object, Object> supplier(
            LeaderboardsTopology.Dependencies shared, PipelineSettings settings) {
        return settings.supplier(
                (context, trace) -> new ScoreProcessor(context, trace, shared, settings.window()),
                LeaderboardStores.builders());
    }

    /** Null if the stored progress shows that this generation is in force in all partitions of the log. */
    private @Nullable GenerationCutover cutoverSoFar(OutputWindow window, int logPartitions) {
        window.refresh();
        var begun = new GenerationCutover(watermarks, logPartitions);
        boolean isOver = false;
        for (int logPartition = 0; logPartition < logPartitions; logPartition++) {
            if (watermarks.offset(logPartition) >= window.range(logPartition).from()) {
                isOver = begun.begin(logPartition);
            }
        }
        return isOver ? null : begun;
    }

    private void setCutover(@Nullable GenerationCutover begun) {
        cutover = begun;
        effects.setCutover(begun);
        views.setCurrent(partition, begun == null);
    }

    @Override
    public void close() {
        views.setSettled(partition, true);
        views.setCurrent(partition, true);
        groups.close();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Sent sent = LeaderboardCodecs.MESSAGE.decode(record.value());
        boolean isNew = watermarks.advance(sent.origin());
        if (cutover != null) {
            cutover.setSilent(OutputWindow.isMarkedSilent(record.headers()));
        }
        switch (sent.message()) {
            case Scores(List<Scored> scores) -> onScores(record, sent.origin(), scores, isNew);
            case TeamScores(List<TeamScores.Team> teams, List<Scored> scores) -> {
                if (isNew) {
                    teams.forEach(team -> onTeam(sent.origin(), team));
                }
                onScores(record, sent.origin(), scores, isNew);
            }
            case ClockMoved(long nowMs) -> onClock(record, sent.origin(), nowMs, isNew);
            case RulesPublished(TenantId tenant, long version) -> {
                if (isNew) {
                    changeRules(tenant, sent.origin(), version);
                }
            }
            case GenerationBegan _ -> {
                // Saved together with the committed offset: a successor that continues from there does not read this
                // message again.
                watermarks.save();
                if (cutover != null && cutover.begin(sent.origin().partition())) {
                    // The former generation has produced the output for the remaining work.
                    finishWork();
                    setCutover(null);
                }
            }
            case UserForgotten forgotten -> {
                if (isNew) {
                    ranker.forget(forgotten, record.timestamp());
                }
            }
            case UserShown shown -> {
                if (isNew) {
                    ranker.show(shown);
                }
            }
        }
        groups.trim();
    }

    private void finishWork() {
        while (maintenance.hasWork()) {
            maintenance.step(MAX_WORK_PER_TICK);
        }
    }

    private void onRound() {
        if (maintenance.hasWork()) {
            maintenance.step(MAX_WORK_PER_ROUND);
            AdaptivePollWait.ofThisThread().soon();
        }
        setSettled(!maintenance.hasWork());
        // For reports, which do not wait for the next commit.
        stores.writeRankChanges();
        // Also without messages: an idle partition makes room for the others.
        groups.trim();
    }

    private void setSettled(boolean settled) {
        if (settled != isSettled) {
            isSettled = settled;
            views.setSettled(partition, settled);
        }
    }

    private void changeRules(TenantId tenant, Origin origin, long version) {
        if (cutover != null) {
            cutover.rulesChange(tenant, origin.partition(), version);
        }
        long former = watermarks.advanceVersion(tenant, origin.partition(), version);
        if (former != version) {
            maintenance.rulesChanged(tenant, rulesets.published(tenant, former), rulesets.published(tenant, version));
            setSettled(false);
        }
    }

    private void onClock(Record<byte[], byte[]> record, Origin origin, long nowMs, boolean isNew) {
        long beforeMs = watermarks.clockMs();
        if (isNew && watermarks.moveClock(origin.partition(), nowMs)) {
            if (cutover != null) {
                finishSilentWork(cutover.silentUntilMs(), beforeMs);
            }
            maintenance.clockMoved();
            setSettled(false);
        }
        ReplyTo replyTo = ReplyHeaders.read(record.headers());
        if (replyTo != null) {
            maintenance.step(MAX_WORK_PER_TICK);
            reply(record, replyTo, Integer.toString(partition), Json.write(new TickBody(maintenance.hasWork())));
        }
    }

    /** If time moves beyond the time up to which the former generation produces output, does the work up to there first, silently. */
    private void finishSilentWork(long silentUntilMs, long beforeMs) {
        long nowMs = watermarks.clockMs();
        if (beforeMs <= silentUntilMs && silentUntilMs < nowMs) {
            watermarks.setClock(silentUntilMs);
            maintenance.clockMoved();
            finishWork();
            watermarks.setClock(nowMs);
        }
    }

    private void onTeam(Origin origin, TeamScores.Team team) {
        TenantId tenant = team.group().tenant();
        changeRules(tenant, origin, team.rulesVersion());
        CompiledRuleset rules = maintenance.rulesOf(tenant);
        LeaderboardRules board = rules.board(team.group().board());
        if (board != null) { // otherwise newer rules have removed it
            ranker.rank(team, origin, rules, board);
        }
    }

    /** Ranks users by the scores of a message. The last one gives the answer. */
    private void onScores(Record<byte[], byte[]> record, Origin origin, List<Scored> scores, boolean isNew) {
        ReplyTo replyTo = ReplyHeaders.read(record.headers());
        Ranker.Message message = ranker.begin(origin, isNew, replyTo != null);
        for (Scored scored : scores) {
            boolean isLast = scored == scores.getLast();
            if (isNew) {
                changeRules(scored.tenant(), origin, scored.rulesVersion());
            }
            CompiledRuleset rules = maintenance.rulesOf(scored.tenant());
            LeaderboardRules board = rules.board(scored.board());
            if (board == null) {
                // Newer rules have removed the leaderboard, while this partition of the log still uses older ones.
                rules = rulesets.get(scored.tenant(), scored.rulesVersion());
                board = rules == null ? null : rules.board(scored.board());
            }
            if (rules == null || board == null) {
                LOG.warn(
                        "Ignored a score from {}@{}: ruleset version {} has no leaderboard {}",
                        origin.partition(),
                        origin.offset(),
                        scored.rulesVersion(),
                        scored.board());
                continue;
            }
            Ranker.Result result = ranker.rank(message, scored, rules, board);
            if (replyTo != null && isLast) {
                reply(record, replyTo, board.board().key(), body(result, scored, rules, board));
            }
        }
    }

    private byte[] body(Ranker.Result result, Scored scored, CompiledRuleset rules, LeaderboardRules board) {
        if (result.previousRank() == 0 && result.rank() == 0) {
            return NOT_RANKED;
        }
        var threshold =
                RankingRules.threshold(result.group().ranking(), board.board().maxParticipants());
        boolean hasTeams = board.board().teams() != null;
        return Json.write(LeaderboardBodies.afterEvent(
                board,
                rules,
                result.group().id(),
                result.previousRank(),
                result.rank(),
                threshold,
                hasTeams ? groups.teamsBeside(result.group()) : TeamRanking.EMPTY,
                hasTeams ? groups.ranked(result.group()) : null,
                Instant.ofEpochMilli(scored.atMs())));
    }

    private void reply(Record<byte[], byte[]> record, ReplyTo replyTo, String part, byte[] body) {
        var reply = new Record<Integer, byte[]>(replyTo.partition(), body, record.timestamp());
        ReplyHeaders.writePart(reply.headers(), replyTo.requestId(), part);
        trace.write(reply.headers());
        context.forward(reply, REPLIES_SINK);
    }
}
