package dev.laurel.processors.generation;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.processors.runtime.Leaderboards;
import dev.laurel.processors.runtime.Ledger;
import dev.laurel.processors.runtime.NodeContext;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.PipelineSettings.LocalReplies;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import java.util.List;
import java.util.Map;

/** The two applications of one generation in this process. */
final class RunningGeneration implements AutoCloseable {

    /**
     * The objects that all generations of a node share.
     *
     * @param published the rulesets, followed and caught up
     * @param replies the gateway in this process
     */
    record Shared(NodeContext node, Rulesets published, GenerationTable table, Tracing tracing, LocalReplies replies) {

        Map<String, Object> clientProperties() {
            return node.config().clientProperties();
        }

        /** See {@link dev.laurel.processors.runtime.LedgerConfig#forThroughput}. */
        Shared forThroughput() {
            return new Shared(node.forThroughput(), published, table, tracing, replies);
        }
    }

    private final GenerationRecord record;
    private final GenerationProgress progress;
    private final GenerationOutputWindow window;
    private final Ledger ledger;
    private final Leaderboards boards;

    /** Starts a generation without its ledger, see {@link #startLedger}. */
    RunningGeneration(Shared shared, GenerationRecord record) throws InterruptedException {
        this.record = record;
        Generation generation = record.generation();
        Map<String, Object> client = shared.clientProperties();
        progress = new GenerationProgress(client, generation, null, TIMEOUT);
        window = new GenerationOutputWindow(shared.table(), generation, progress.admin());
        boolean isLogCopied = generation.bringsLog() && record.state() != State.IN_FORCE;
        var settings =
                new PipelineSettings(generation, window, false, true, isLogCopied, shared.tracing(), shared.replies());
        ledger = new Ledger(shared.node(), settings, Generations.rulesOf(record, shared.published()));
        boards = Leaderboards.start(shared.node(), settings, ledger.rulesets(), ledger.layout());
    }

    /** Starts a generation. */
    static RunningGeneration start(Shared shared, GenerationRecord record) throws InterruptedException {
        var started = new RunningGeneration(shared, record);
        started.startLedger();
        return started;
    }

    /** Starts the ledger. Called once. */
    void startLedger() {
        ledger.start();
    }

    Generation generation() {
        return record.generation();
    }

    int number() {
        return record.number();
    }

    Ledger ledger() {
        return ledger;
    }

    Leaderboards boards() {
        return boards;
    }

    /** Whether its ledger has reached the next generation in all partitions. @param ends offsets of the markers that end it */
    boolean isBehind(List<Long> ends) throws InterruptedException {
        return progress.ledger().isBehind(ends);
    }

    /**
     * Whether it has produced its last output: its ledger has reached the next generation in all partitions, and its leaderboards have
     * processed all scores and done everything due.
     *
     * @param ends offsets of the markers that end it
     */
    boolean hasCompleted(List<Long> ends) throws InterruptedException {
        return isBehind(ends) && progress.boards().isDone(progress.boards().ends()) && isSettled();
    }

    /** Whether its leaderboards here have done everything due by time and rules. */
    boolean isSettled() {
        return boards.isSettled();
    }

    /** Begins what {@link #close} does, without waiting for it. */
    void beginClose() {
        ledger.beginClose();
        boards.beginClose();
    }

    @Override
    public void close() {
        // Each waits for its threads; both begin before the first wait.
        beginClose();
        boards.close();
        ledger.close();
        progress.close();
    }
}
