package dev.laurel.processors.generation;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.processors.runtime.Boards;
import dev.laurel.processors.runtime.Ledger;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.NodeContext;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationRecord;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the generations of this node as {@code laurel.generations} lists them: the one in force, which is read; beside it the next one,
 * silent; and for some moments the former one, until it has produced its last output. {@link #ledger} and {@link #boards} remain the
 * same objects when another generation comes into force.
 *
 * <p>The output does not depend on when this class sees a record, since the log contains the markers where one generation ends and
 * the next begins. This class decides only what runs and what is read, on one thread of its own.
 */
public final class NodeGenerations implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeGenerations.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long CHECK_EVERY_MS = 200;

    /** Checks of the former generation before it is closed, since partitions of another node may move here. */
    private static final int LAST_CHECKS = 25;

    private final RunningGeneration.Shared shared;
    private final Generations operations;
    private final WideLog logs;
    private final LogCopier copier;
    private final GenerationFolders folders;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Semaphore changes = new Semaphore(0);
    private final Ledger ledger;
    private final Boards boards;

    /** Guarded by this, as are the others. Read through {@link #ledger} and {@link #boards}. */
    private volatile RunningGeneration current;

    /** Silent, and not yet in force; null if there is none. */
    private RunningGeneration next;

    /** Produces its last output; null if there is none. */
    private RunningGeneration former;
    private int checks;

    /**
     * Whether the ledger of {@link #current} waits to be started until the former generation has reached its end. Otherwise it would
     * wait on its own threads, and the former one may have to restore all its stores.
     */
    private boolean isHeld;

    private NodeGenerations(RunningGeneration.Shared shared) throws InterruptedException {
        this.shared = shared;
        this.operations = new Generations(shared.clientProperties(), shared.table(), shared.node().clock());
        this.logs = new WideLog(shared.clientProperties());
        this.copier = new LogCopier(shared.node(), shared.table());
        this.folders = new GenerationFolders(shared.node().config().stateDir());
        folders.removeOver(shared.table().all().values());
        GenerationRecord inForce = shared.table().inForce();
        this.former = startFormer(inForce);
        this.isHeld = former != null;
        this.current = startInForce(inForce);
        this.ledger = current.ledger();
        this.boards = current.boards();
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
     * @param metrics of this process
     * @param onFault receives the fault that stopped an application
     */
    public static NodeGenerations start(LedgerConfig config, NodeId node, Rulesets published, GenerationTable table,
            InstantSource clock, Tracing tracing, Metrics metrics, Consumer<Throwable> onFault)
            throws InterruptedException {
        var layout = BoardLayout.ask(config.clientProperties(), PATIENCE);
        var generations = new NodeGenerations(
                new RunningGeneration.Shared(new NodeContext(config, node, layout, clock, metrics, onFault), published,
                        table,
                        tracing));
        generations.thread.start();
        return generations;
    }

    /** The one of the generation in force. */
    public Ledger ledger() {
        return ledger;
    }

    /** The one of the generation in force. */
    public Boards boards() {
        return boards;
    }

    /** The number of the generation that is read here. Never waits. */
    public int shown() {
        return current.number();
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                check();
                // Woken early by changes: reads wait for the new generation.
                changes.tryAcquire(CHECK_EVERY_MS, TimeUnit.MILLISECONDS);
                changes.drainPermits();
            }
        } catch (InterruptedException _) {
            // The thread is to end.
        } catch (RuntimeException | Error e) {
            LOG.error("Generations are no longer followed", e);
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
        if (next == null) {
            // During a promotion the next generation would wait on its own threads until this one has restored its stores.
            if (current.ledger().awaitReady(Duration.ZERO)) {
                startNext(known);
            }
        } else if (known.get(next.number()).state() == State.OVER) {
            LOG.info("Generation {} was given up", next.number());
            next.close();
            folders.remove(next.generation());
            next = null;
        } else if (known.get(next.number()).state() == State.IN_FORCE && former == null) {
            show();
        }
        if (isHeld && hasHandedOver(known)) {
            LOG.info("Generation {} has reached its end, {} is started", former.number(), current.number());
            current.startLedger();
            isHeld = false;
        }
        if (former != null && !isHeld && hasCompleted(known)) {
            if (++checks >= LAST_CHECKS) {
                retire(known.get(former.number()));
            }
        } else {
            checks = 0;
        }
    }

    private interface Check {

        boolean holds() throws InterruptedException;
    }

    /** False while Kafka does not answer. */
    private boolean ask(Check check) throws InterruptedException {
        try {
            return check.holds();
        } catch (KafkaUnavailableException | KafkaException e) {
            LOG.warn("Could not check whether generation {} has produced its last output; trying again: {}",
                    former.number(), e.getMessage());
            return false;
        }
    }

    /** Records the offsets of copied markers: nodes copy them, and the process that promoted the generation may be gone. */
    private void finishPromotion(Map<Integer, GenerationRecord> known) throws InterruptedException {
        for (GenerationRecord record : known.values()) {
            List<Long> markers = record.state() == State.PROMOTED ? logs.markers(record) : null;
            if (markers != null) {
                operations.finish(record, markers);
                LOG.info("The log of generation {} has its markers", record.number());
            }
        }
    }

    /** Whether the ledger of the former generation has reached the beginning of the one in force. */
    private boolean hasHandedOver(Map<Integer, GenerationRecord> known) throws InterruptedException {
        return ask(() -> known.get(former.number()).state() == State.OVER
                || former.isBehind(known.get(current.number()).endsOfFormer()));
    }

    /** If the former generation is over, another node has found that out, and its group may be deleted. */
    private boolean hasCompleted(Map<Integer, GenerationRecord> known) throws InterruptedException {
        return ask(() -> known.get(former.number()).state() == State.OVER
                ? former.isSettled()
                : former.hasCompleted(known.get(current.number()).endsOfFormer()));
    }

    private void startNext(Map<Integer, GenerationRecord> known) throws InterruptedException {
        GenerationRecord coming = known.values().stream().filter(record -> record.number() > current.number())
                .filter(record -> switch (record.state()) {
                    case FOLLOWED, PROMOTED, IN_FORCE -> true;
                    case BUILDING, OVER -> false;
                })
                .min(Comparator.comparingInt(GenerationRecord::number)).orElse(null);
        if (coming != null) {
            LOG.info("Generation {} is followed", coming.number());
            next = RunningGeneration.start(shared, coming);
        }
    }

    private RunningGeneration startInForce(GenerationRecord inForce) throws InterruptedException {
        try {
            return isHeld ? RunningGeneration.held(shared, inForce) : RunningGeneration.start(shared, inForce);
        } catch (InterruptedException | RuntimeException e) {
            if (former != null) {
                former.close();
            }
            throw e;
        }
    }

    /** A node that was restarted in between has to complete the former generation. @return null if that is over */
    private RunningGeneration startFormer(GenerationRecord inForce) throws InterruptedException {
        if (inForce.number() == GenerationRecord.FIRST.number()) {
            return null;
        }
        GenerationRecord before = shared.table().before(inForce.number());
        return before.state() == State.OVER ? null : RunningGeneration.start(shared, before);
    }

    private void show() {
        LOG.info("Generation {} is in force, {} produces its last output", next.number(), current.number());
        RunningGeneration shown = current.become(next);
        former = current.movedTo(next);
        current = shown;
        next = null;
        checks = 0;
    }

    private void retire(GenerationRecord record) throws InterruptedException {
        boolean isRecorded = record.state() == State.OVER || ask(() -> {
            operations.retire(record.number());
            return true;
        });
        if (!isRecorded) {
            return;
        }
        former.close();
        folders.remove(former.generation());
        LOG.info("Generation {} has produced its last output", former.number());
        former = null;
    }

    /** Closes all generations. */
    @Override
    public void close() {
        closing.countDown();
        changes.release();
        synchronized (this) {
            copier.close();
            for (RunningGeneration pair : new RunningGeneration[]{next, former, current}) {
                if (pair != null) {
                    pair.close();
                }
            }
        }
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
