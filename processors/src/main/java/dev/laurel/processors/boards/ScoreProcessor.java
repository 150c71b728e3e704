package dev.laurel.processors.boards;

import dev.laurel.processors.core.leaderboard.BoardMessage.ClockMoved;
import dev.laurel.processors.core.leaderboard.BoardMessage.GenerationBegan;
import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.core.leaderboard.BoardMessage.RulesPublished;
import dev.laurel.processors.core.leaderboard.BoardMessage.Scored;
import dev.laurel.processors.core.leaderboard.BoardMessage.UserForgotten;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.RankingRules;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.view.LeaderboardBodies;
import dev.laurel.processors.store.BoardMessages.Sent;
import dev.laurel.processors.store.BoardMessages;
import dev.laurel.processors.store.BoardStores;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.wire.TickBody;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leaderboards of one partition of {@code laurel.scores}, message by message. What it reads may come from transactions
 * that are aborted and repeated, or be read again after a failure; it changes nothing twice, because values are absolute and
 * each carries its place in the log. One task, one thread.
 */
public final class ScoreProcessor implements Processor<byte[], byte[], Object, Object> {

    private static final Logger LOG = LoggerFactory.getLogger(ScoreProcessor.class);
    private static final Duration ROUND = Duration.ofMillis(100);

    /** Groups that are brought up between messages. */
    private static final int MAX_WORK_PER_ROUND = 50;

    /** Groups that are brought up while somebody waits for it. */
    private static final int MAX_WORK_PER_TICK = 200;

    private static final byte[] NOT_ON_IT = {};

    /**
     * The objects that the tasks of an application share. All are thread-safe.
     *
     * @param views shows the rankings that the tasks hold in memory
     * @param layout assigns leaderboards to the partitions of {@code laurel.scores}
     * @param logPartitions the number of partitions of the log, which must all report a time before time moves
     */
    public record Dependencies(RulesetVersions rulesets, BoardViews views, BoardLayout layout, int logPartitions) {}

    /** The names of the nodes that this processor forwards to. */
    public record Sinks(String effects, String replies, String floors, String outbox) {}

    private final RulesetVersions rulesets;
    private final Dependencies shared;
    private final Sinks sinks;
    private final OutputWindow window;
    private ProcessorContext<Object, Object> context;
    private BoardGroups groups;
    private Watermarks marks;
    private FloorPublisher floors;
    private Ranker ranker;
    private LeaderboardMaintenance upkeep;
    private LeaderboardEffects facts;

    /** Null once all that follows is told, as it is where there is no other generation. */
    private GenerationCutover opening;

    /** Whether nothing is left of what time and rules have made due, as last shown. */
    private boolean isSettled;

    private ScoreProcessor(Dependencies shared, Sinks sinks, OutputWindow window) {
        this.rulesets = shared.rulesets();
        this.shared = shared;
        this.sinks = sinks;
        this.window = window;
    }

    /** Supplies the processors of all tasks, with the stores that they own. */
    public static ProcessorSupplier<byte[], byte[], Object, Object> supplier(Dependencies shared, Sinks sinks,
            PipelineSettings settings) {
        return settings.supplier(() -> new ScoreProcessor(shared, sinks, settings.window()), BoardStores.builders());
    }

    @Override
    public void init(ProcessorContext<Object, Object> processorContext) {
        context = processorContext;
        int partition = context.taskId().partition();
        // A task that is revived starts with the same object: nothing may outlive the stores.
        var stores = new BoardStores(context::getStateStore);
        groups = new BoardGroups(stores, shared.views(), partition);
        marks = new Watermarks(stores, shared.logPartitions());
        floors = new FloorPublisher(context, sinks.floors());
        facts = new LeaderboardEffects(context, sinks, tenant -> rulesets.get(tenant, marks.newestVersion(tenant)));
        open(window.startsSilent() ? openingHere() : null);
        upkeep = new LeaderboardMaintenance(rulesets, marks, stores, groups, floors, facts, shared.layout(), partition);
        ranker = new Ranker(stores, groups, upkeep, floors, facts);
        isSettled = true;
        settle(false);
        context.schedule(ROUND, PunctuationType.WALL_CLOCK_TIME, _ -> onRound());
    }

    /** Null if all partitions of the log have been heard to be in force. */
    private GenerationCutover openingHere() {
        window.refresh();
        var begun = new GenerationCutover(marks, shared.logPartitions());
        boolean isOver = false;
        for (int partition = 0; partition < shared.logPartitions(); partition++) {
            if (marks.heard(partition) >= window.range(partition).from()) {
                isOver = begun.begin(partition);
            }
        }
        return isOver ? null : begun;
    }

    @Override
    public void close() {
        if (groups != null) {
            shared.views().settled(context.taskId().partition(), true);
            shared.views().opened(context.taskId().partition(), true);
            groups.close();
        }
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Sent sent = BoardMessages.read(record.value());
        boolean isNews = marks.hear(sent.origin());
        if (opening != null) {
            opening.hear(OutputWindow.isMarkedSilent(record.headers()));
        }
        switch (sent.message()) {
            case Scored scored -> onScored(record, sent.origin(), scored, isNews);
            case ClockMoved(long nowMs) -> onClock(record, sent.origin(), nowMs, isNews);
            case RulesPublished(TenantId tenant, long version) -> {
                if (isNews) {
                    goBy(tenant, sent.origin(), version);
                }
            }
            case GenerationBegan _ -> {
                // With the place in the scores: whoever goes on from there does not hear it again.
                marks.save();
                if (opening != null && opening.begin(sent.origin().partition())) {
                    finishOpening();
                }
            }
            case UserForgotten forgotten -> {
                if (isNews) {
                    ranker.forget(forgotten, record.timestamp());
                }
            }
        }
        groups.trim();
    }

    /** What is left of what the generation before has told of is done first. */
    private void finishOpening() {
        workOff();
        open(null);
    }

    private void open(GenerationCutover begun) {
        opening = begun;
        facts.open(begun);
        shared.views().opened(context.taskId().partition(), begun == null);
    }

    private void workOff() {
        while (upkeep.isLeft()) {
            upkeep.step(MAX_WORK_PER_TICK);
        }
    }

    private void onRound() {
        if (upkeep.isLeft()) {
            upkeep.step(MAX_WORK_PER_ROUND);
        }
        settle(!upkeep.isLeft());
        // Also where nothing happens: a partition that is quiet makes room for the others.
        groups.trim();
        if (marks.haveChanged() || floors.hasChanges()) {
            // In this order: what is told of is in the store.
            marks.save();
            floors.publish(marks.offsets());
        }
    }

    private void settle(boolean settled) {
        if (settled != isSettled) {
            isSettled = settled;
            shared.views().settled(context.taskId().partition(), settled);
        }
    }

    private void goBy(TenantId tenant, Origin origin, long version) {
        long former = marks.goBy(tenant, origin.partition(), version);
        if (former != version) {
            upkeep.rulesCame(tenant, published(tenant, former), published(tenant, version));
            settle(false);
        }
    }

    private CompiledRuleset published(TenantId tenant, long version) {
        CompiledRuleset rules = rulesets.get(tenant, version);
        if (rules == null) {
            throw new IllegalStateException("the ledger goes by ruleset version " + version + " of tenant '" + tenant
                    + "', which was never published");
        }
        return rules;
    }

    private void onClock(Record<byte[], byte[]> record, Origin origin, long nowMs, boolean isNews) {
        long beforeMs = marks.clockMs();
        if (isNews && marks.moveClock(origin.partition(), nowMs)) {
            if (opening != null) {
                workOffTold(beforeMs);
            }
            upkeep.clockMoved();
            settle(false);
        }
        ReplyTo replyTo = ReplyHeaders.read(record.headers());
        if (replyTo != null) {
            upkeep.step(MAX_WORK_PER_TICK);
            reply(record, replyTo, Integer.toString(context.taskId().partition()),
                    Json.write(new TickBody(upkeep.isLeft())));
        }
    }

    /** Time may have moved beyond what the generation before has told of: up to there it is done in silence first. */
    private void workOffTold(long beforeMs) {
        long nowMs = marks.clockMs();
        long toldToMs = opening.toldToMs();
        if (beforeMs <= toldToMs && toldToMs < nowMs) {
            marks.standAt(toldToMs);
            upkeep.clockMoved();
            workOff();
            marks.standAt(nowMs);
        }
    }

    // Scores.

    private void onScored(Record<byte[], byte[]> record, Origin origin, Scored scored, boolean isNews) {
        if (isNews) {
            goBy(scored.tenant(), origin, scored.rulesVersion());
        }
        CompiledRuleset rules = upkeep.rulesOf(scored.tenant());
        BoardRules board = rules == null ? null : rules.board(scored.board());
        if (board == null) {
            // Taken out by newer rules, while this partition of the log goes by older ones still.
            rules = rulesets.get(scored.tenant(), scored.rulesVersion());
            board = rules == null ? null : rules.board(scored.board());
        }
        if (board == null) {
            LOG.warn("a score from {}@{} is for no leaderboard of ruleset version {}", origin.partition(),
                    origin.offset(), scored.rulesVersion());
            return;
        }
        ReplyTo replyTo = ReplyHeaders.read(record.headers());
        Ranker.Result result = ranker.rank(origin, scored, rules, board, isNews, replyTo != null);
        if (replyTo != null) {
            reply(record, replyTo, board.board().key(), body(result, scored, rules, board));
        }
    }

    // Answers.

    private static byte[] body(Ranker.Result result, Scored scored, CompiledRuleset rules, BoardRules board) {
        if (result.previousRank() == 0 && result.rank() == 0) {
            return NOT_ON_IT;
        }
        var threshold = RankingRules.threshold(result.group().ranking(), board.board().maxParticipants());
        return Json.write(LeaderboardBodies.afterEvent(board, rules, result.group().id(), result.previousRank(),
                result.rank(), threshold, Instant.ofEpochMilli(scored.atMs())));
    }

    private void reply(Record<byte[], byte[]> record, ReplyTo replyTo, String part, byte[] body) {
        var reply = new Record<Integer, byte[]>(replyTo.partition(), body, record.timestamp());
        ReplyHeaders.writePart(reply.headers(), replyTo.requestId(), part);
        context.forward(reply, sinks.replies());
    }
}
