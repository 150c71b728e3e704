package dev.laurel.processors.generation;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;
import static java.util.Objects.requireNonNull;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.LocalRecords;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.processors.runtime.Leaderboards;
import dev.laurel.processors.runtime.Ledger;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.NodeContext;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.PipelineSettings.LocalReplies;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the generations of this node as {@code laurel.generations} lists them: the generation in force, which serves reads; beside it the
 * next one, silent; and briefly the former one, until it has produced its last output. {@link #ledger} and {@link #boards} remain the
 * same objects when another generation comes into force.
 *
 * <p>The output does not depend on when this class reads a record, since the log contains the markers where one generation ends and the
 * next begins. This class only decides what runs and what serves reads, on one thread of its own.
 */
public final class NodeGenerations implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeGenerations.class);
    private static final long CHECK_EVERY_MS = 200;

    /** Checks before the former generation is closed, since partitions of another node may move here. */
    private static final int LAST_CHECKS = 25;

    private final RunningGeneration.Shared shared;
    private final Generations operations;
    private final RepartitionedLog logs;
    private final LogCopier copier;
    private final GenerationFolders folders;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Semaphore changes = new Semaphore(0);
    private final Ledger ledger;
    private final Leaderboards boards;
    private final CountDownLatch folding = new CountDownLatch(1);

    /** Serves reads through {@link #ledger} and {@link #boards}. Guarded by this, as are the other generations. */
    private volatile RunningGeneration current;

    /** Silent, and not yet in force; null: there is none. */
    private @Nullable RunningGeneration next;

    /** Produces its last output; null: there is none. */
    private @Nullable RunningGeneration former;

    /** Successive checks that found that the former generation has produced its last output. */
    private int checks;

    /**
     * Whether the ledger of {@link #current} is not started before the former generation has reached its end. Otherwise its threads
     * would wait for that, and the former generation may have to restore all its stores.
     */
    private boolean isHeld;

    private NodeGenerations(RunningGeneration.Shared shared) throws InterruptedException {
        this.shared = shared;
        this.operations = new Generations(
                shared.clientProperties(), shared.table(), shared.node().clock());
        this.logs = new RepartitionedLog(shared.clientProperties());
        this.copier = new LogCopier(shared.node(), shared.table());
        this.folders = new GenerationFolders(shared.node().config().streams().stateDir());
        GenerationRecord inForce = operations.continued();
        folders.removeOver(shared.table().all().values());
        this.former = startFormer(inForce);
        this.isHeld = former != null;
        this.current = startInForce(inForce);
        this.ledger = current.ledger().view();
        this.boards = current.boards().view();
        shared.table().onChange(changes::release);
        this.thread = Thread.ofPlatform().name("generations").daemon().unstarted(this::run);
    }

    /**
     * Starts the generation in force, and follows the table from then on.
     *
     * @param published the rulesets, followed and caught up
     * @param table of the generations, followed and caught up
     * @param clock gives the time of ticks, and nothing else
     * @param tracing of requests
     * @param tails what this process has written and need not fetch
     * @param replies the gateway in this process, which may be started later
     * @param metrics of this process
     * @param onFault receives the fault that stopped an application
     */
    public static NodeGenerations start(
            LedgerConfig config,
            NodeId node,
            Rulesets published,
            GenerationTable table,
            InstantSource clock,
            Tracing tracing,
            LocalRecords tails,
            LocalReplies replies,
            Metrics metrics,
            Consumer<Throwable> onFault)
            throws InterruptedException {
        var layout = new LeaderboardLayout(LogLayout.ask(config.clientProperties(), Topics.SCORES.name(), TIMEOUT)
                .partitions());
        var generations = new NodeGenerations(new RunningGeneration.Shared(
                new NodeContext(config, node, layout, clock, tails, metrics, onFault),
                published,
                table,
                tracing,
                replies));
        generations.thread.start();
        return generations;
    }

    /** The ledger of the generation in force. */
    public Ledger ledger() {
        return ledger;
    }

    /** The leaderboards of the generation in force. */
    public Leaderboards boards() {
        return boards;
    }

    /**
     * Waits until the generation in force has folded what former ones have published, which may be the whole log: it comes from a
     * backup, or takes over from state of an earlier release. Nothing serves reads before that.
     *
     * @return false if the timeout expired
     */
    public boolean awaitFolded(Duration timeout) throws InterruptedException {
        return folding.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** See {@link #awaitFolded}. Never waits. */
    public boolean isFolded() {
        return folding.getCount() == 0;
    }

    /** The number of the generation that serves reads here. Never waits. */
    public int shown() {
        return current.number();
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                check();
                // A change ends the pause, since reads wait for the new generation.
                changes.tryAcquire(CHECK_EVERY_MS, TimeUnit.MILLISECONDS);
                changes.drainPermits();
            }
        } catch (InterruptedException _) {
            // The node closes.
        } catch (RuntimeException | Error e) {
            LOG.error("Stopped following generations after a fault", e);
            shared.node().onFault().accept(e);
        }
    }

    private synchronized void check() throws InterruptedException {
        if (closing.getCount() == 0) {
            return;
        }
        Map<Integer, GenerationRecord> known = shared.table().all();
        try {
            copier.follow(known);
            finishPromotion(known);
        } catch (KafkaUnavailableException | KafkaException e) {
            LOG.warn("Could not check promotions and copies of the log; trying again: {}", e.getMessage());
            return;
        }
        if (!isFolded()) {
            GenerationRecord folded = recordOf(known, current);
            if (holds(() -> current.isBehind(requireNonNull(folded.handover(), "it is in force")), current)) {
                endFolding(folded);
            }
            return;
        }
        if (next == null) {
            // Started earlier, during a promotion, its threads would wait until this generation has restored its
            // stores.
            if (current.ledger().awaitReady(Duration.ZERO)) {
                startNext(known);
            }
        } else if (recordOf(known, next).state() == State.OVER) {
            LOG.info("Closing generation {}, which was abandoned", next.number());
            next.close();
            folders.remove(next.generation());
            next = null;
        } else if (recordOf(known, next).state() == State.IN_FORCE && former == null) {
            LOG.info("Generation {} is in force; {} produces its last output", next.number(), current.number());
            former = current;
            show(next);
            next = null;
            checks = 0;
        }
        if (former != null) {
            check(former, known);
        }
    }

    /** Starts the generation in force again, with the settings for clients that wait. */
    private void endFolding(GenerationRecord folded) throws InterruptedException {
        LOG.info("Generation {} has folded the log", folded.number());
        current.close();
        show(RunningGeneration.start(shared, folded));
        folding.countDown();
    }

    private void check(RunningGeneration ending, Map<Integer, GenerationRecord> known) throws InterruptedException {
        GenerationRecord record = recordOf(known, ending);
        // If it is over, another node has determined that, and its group may be deleted.
        boolean isOver = record.state() == State.OVER;
        List<Long> ends = requireNonNull(recordOf(known, current).endsOfFormer(), "a generation in force has markers");
        if (isHeld && holds(() -> isOver || ending.isBehind(ends), ending)) {
            LOG.info("Generation {} has reached its end; starting {}", ending.number(), current.number());
            current.startLedger();
            isHeld = false;
        }
        boolean isComplete = !isHeld && holds(() -> isOver ? ending.isSettled() : ending.hasCompleted(ends), ending);
        checks = isComplete ? checks + 1 : 0;
        if (checks >= LAST_CHECKS) {
            retire(ending, record);
        }
    }

    private static GenerationRecord recordOf(Map<Integer, GenerationRecord> known, RunningGeneration running) {
        return requireNonNull(known.get(running.number()), "a generation that runs has a record");
    }

    /** Evaluates a check; returns false while Kafka does not answer. */
    private static boolean holds(Condition check, RunningGeneration ending) throws InterruptedException {
        try {
            return check.holds();
        } catch (KafkaUnavailableException | KafkaException e) {
            LOG.warn("Could not check how far generation {} is; trying again: {}", ending.number(), e.getMessage());
            return false;
        }
    }

    /** Records the offsets of copied markers, since the process that promoted the generation may be gone. */
    private void finishPromotion(Map<Integer, GenerationRecord> known) throws InterruptedException {
        for (GenerationRecord record : known.values()) {
            List<Long> markers = record.state() == State.PROMOTED ? logs.markers(record) : null;
            if (markers != null) {
                operations.finish(record, markers);
                LOG.info("Found the markers of generation {} in its log; it is in force", record.number());
            }
        }
    }

    private void startNext(Map<Integer, GenerationRecord> known) throws InterruptedException {
        GenerationRecord coming = known.values().stream()
                .filter(record -> record.number() > current.number())
                .filter(record -> switch (record.state()) {
                    case FOLLOWED, PROMOTED, IN_FORCE -> true;
                    case BUILDING, OVER -> false;
                })
                .min(Comparator.comparingInt(GenerationRecord::number))
                .orElse(null);
        if (coming != null) {
            LOG.info("Starting generation {} beside {}", coming.number(), current.number());
            next = RunningGeneration.start(shared, coming);
        }
    }

    /** Whether nothing is left to fold of what former generations have published. */
    private boolean isFolded(GenerationRecord inForce) throws InterruptedException {
        List<Long> handover = inForce.handover();
        if (handover == null) {
            return true;
        }
        try (var progress = new GenerationProgress(shared.clientProperties(), inForce.generation(), null, TIMEOUT)) {
            return progress.ledger().isBehind(handover);
        }
    }

    private RunningGeneration startInForce(GenerationRecord inForce) throws InterruptedException {
        try {
            if (!isHeld && !isFolded(inForce)) {
                return RunningGeneration.start(shared.forThroughput(), inForce);
            }
            folding.countDown();
            return isHeld ? new RunningGeneration(shared, inForce) : RunningGeneration.start(shared, inForce);
        } catch (InterruptedException | RuntimeException e) {
            if (former != null) {
                former.close();
            }
            throw e;
        }
    }

    /** Starts the former generation, which a node that was restarted has to complete. @return null if it is over */
    private @Nullable RunningGeneration startFormer(GenerationRecord inForce) throws InterruptedException {
        if (inForce.number() == GenerationRecord.FIRST.number()) {
            return null;
        }
        GenerationRecord before = shared.table().before(inForce.number());
        return before.state() == State.OVER ? null : RunningGeneration.start(shared, before);
    }

    private void show(RunningGeneration shown) {
        ledger.show(shown.ledger());
        boards.show(shown.boards());
        current = shown;
    }

    private void retire(RunningGeneration ending, GenerationRecord record) throws InterruptedException {
        boolean isRecorded = record.state() == State.OVER
                || holds(
                        () -> {
                            operations.retire(record.number());
                            return true;
                        },
                        ending);
        if (isRecorded) {
            ending.close();
            folders.remove(ending.generation());
            former = null;
            LOG.info("Closed generation {}, which has produced its last output", ending.number());
        }
    }

    /** Begins to close all generations, which answer no reads from then on; {@link #close} waits for it. */
    public void beginClose() {
        closing.countDown();
        changes.release();
        synchronized (this) {
            all().forEach(RunningGeneration::beginClose);
        }
    }

    private Stream<RunningGeneration> all() {
        return Stream.of(next, former, current).filter(Objects::nonNull);
    }

    /** Closes all generations. */
    @Override
    public void close() {
        beginClose();
        synchronized (this) {
            copier.close();
            all().forEach(RunningGeneration::close);
        }
        try {
            thread.join(TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
