package dev.laurel.processors;

import dev.laurel.processors.replay.Promotion;
import dev.laurel.processors.replay.Unanswered;
import dev.laurel.processors.replay.WideLog;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.schemas.metrics.Metrics;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationTable;
import dev.laurel.schemas.trace.Tracing;
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
 * The generations that run in this node, as {@code laurel.generations} has them: the one in force, whose ledger and
 * leaderboards others hold and read of; beside it one that is to come, silent; and for some moments the one before, until
 * it has told its last. {@link #ledger} and {@link #boards} stay the same objects when another one comes into force.
 *
 * <p>Nothing that is told depends on when this sees a record: in the log it is written where one generation ends and the
 * next begins. Here it is only decided what runs and what is shown, on one thread of its own.
 */
public final class Generations implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Generations.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long LOOK_EVERY_MS = 200;

    /** The former generation is looked at so many times before it is closed: another node's partitions may come here. */
    private static final int LAST_LOOKS = 25;

    private final GenerationPair.Parts parts;
    private final Promotion records;
    private final WideLog logs;
    private final LogCopier copier;
    private final GenerationFolders folders;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Semaphore changes = new Semaphore(0);
    private final Ledger ledger;
    private final Boards boards;

    /** Guarded by this, as are the others. Its applications are those that {@link #ledger} and {@link #boards} show. */
    private volatile GenerationPair current;

    /** Silent, to come; null if there is none. */
    private GenerationPair next;

    /** Whose applications tell their last; null if there is none. The applications in it are its own. */
    private GenerationPair former;
    private int looks;

    /**
     * The ledger of {@link #current} is not started before the former one has come to its end: it would wait for that on its own
     * threads, and the former one may have all its stores to restore.
     */
    private boolean isHeld;

    private Generations(GenerationPair.Parts parts) throws InterruptedException {
        this.parts = parts;
        this.records = new Promotion(parts.config().clientProperties(), parts.table(), parts.clock());
        this.logs = new WideLog(parts.config().clientProperties());
        this.copier = new LogCopier(parts.config(), parts.node(), parts.table(), parts.metrics(), parts.onFault());
        this.folders = new GenerationFolders(parts.config().stateDir());
        folders.removeOver(parts.table().all().values());
        GenerationRecord inForce = parts.table().inForce();
        this.former = startFormer(inForce);
        this.isHeld = former != null;
        this.current = startInForce(inForce);
        this.ledger = current.ledger();
        this.boards = current.boards();
        parts.table().onChange(changes::release);
        this.thread = Thread.ofPlatform().name("generations").daemon().unstarted(this::run);
    }

    /**
     * Starts the one that is in force, and follows the table from then on.
     *
     * @param published the rulesets, followed and caught up
     * @param table of the generations, followed and caught up
     * @param clock gives the time of ticks, and nothing else
     * @param tracing follows requests
     * @param metrics of this process
     * @param onFault told of what stopped an application
     */
    public static Generations start(LedgerConfig config, NodeId node, Rulesets published, GenerationTable table,
            InstantSource clock, Tracing tracing, Metrics metrics, Consumer<Throwable> onFault)
            throws InterruptedException {
        var layout = BoardLayout.ask(config.clientProperties(), PATIENCE);
        var generations = new Generations(
                new GenerationPair.Parts(config, node, published, table, layout, clock, tracing, metrics, onFault));
        generations.thread.start();
        return generations;
    }

    /** Of the generation in force, whichever that is. */
    public Ledger ledger() {
        return ledger;
    }

    /** Of the generation in force, whichever that is. */
    public Boards boards() {
        return boards;
    }

    /** The number of the one that is shown here. Never waits. */
    public int shown() {
        return current.number();
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                look();
                // Reads wait for a generation that has come into force to be shown.
                changes.tryAcquire(LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
                changes.drainPermits();
            }
        } catch (InterruptedException _) {
            // Somebody wants the thread to end.
        } catch (RuntimeException | Error e) {
            LOG.error("generations are no longer followed", e);
            parts.onFault().accept(e);
        }
    }

    private synchronized void look() throws InterruptedException {
        if (closing.getCount() == 0) {
            return;
        }
        Map<Integer, GenerationRecord> known = parts.table().all();
        try {
            copier.follow(known);
            finishPromotion(known);
        } catch (Unanswered | KafkaException e) {
            LOG.warn("what is promoted, and what is to be copied, is looked at again: {}", e.getMessage());
            return;
        }
        if (next == null) {
            // Amid a promotion the next one would wait, on its own threads, for what this one has to restore first.
            if (current.ledger().awaitReady(Duration.ZERO)) {
                startNext(known);
            }
        } else if (known.get(next.number()).state() == State.OVER) {
            LOG.info("generation {} was given up", next.number());
            next.close();
            folders.remove(next.generation());
            next = null;
        } else if (known.get(next.number()).state() == State.IN_FORCE && former == null) {
            show();
        }
        if (isHeld && hasPassedOn(known)) {
            LOG.info("generation {} has come to its end, {} is started", former.number(), current.number());
            current.letGo();
            isHeld = false;
        }
        if (former != null && !isHeld && hasToldAll(known)) {
            if (++looks >= LAST_LOOKS) {
                retire(known.get(former.number()));
            }
        } else {
            looks = 0;
        }
    }

    private interface Question {

        boolean isSo() throws InterruptedException;
    }

    /** False where Kafka cannot answer now. */
    private boolean ask(Question question) throws InterruptedException {
        try {
            return question.isSo();
        } catch (Unanswered | KafkaException e) {
            LOG.warn("whether generation {} has told its last is looked at again: {}", former.number(), e.getMessage());
            return false;
        }
    }

    /** Whoever has promoted it may have died since: nodes copy the markers, so nodes say where they are. */
    private void finishPromotion(Map<Integer, GenerationRecord> known) throws InterruptedException {
        for (GenerationRecord record : known.values()) {
            List<Long> markers = record.state() == State.PROMOTED ? logs.markers(record) : null;
            if (markers != null) {
                records.finish(record, markers);
                LOG.info("the log of generation {} has its markers", record.number());
            }
        }
    }

    /** Whether the ledger of the former one has come to where the one in force begins. */
    private boolean hasPassedOn(Map<Integer, GenerationRecord> known) throws InterruptedException {
        return ask(() -> known.get(former.number()).state() == State.OVER
                || former.isBehind(known.get(current.number()).endsOfFormer()));
    }

    /** Where it is over that was seen by another node, and its group may be gone. */
    private boolean hasToldAll(Map<Integer, GenerationRecord> known) throws InterruptedException {
        return ask(() -> known.get(former.number()).state() == State.OVER
                ? former.isSettled()
                : former.hasToldAll(known.get(current.number()).endsOfFormer()));
    }

    private void startNext(Map<Integer, GenerationRecord> known) throws InterruptedException {
        GenerationRecord coming = known.values().stream().filter(record -> record.number() > current.number())
                .filter(record -> switch (record.state()) {
                    case FOLLOWED, PROMOTED, IN_FORCE -> true;
                    case BUILDING, OVER -> false;
                })
                .min(Comparator.comparingInt(GenerationRecord::number)).orElse(null);
        if (coming != null) {
            LOG.info("generation {} is followed", coming.number());
            next = GenerationPair.start(parts, coming);
        }
    }

    private GenerationPair startInForce(GenerationRecord inForce) throws InterruptedException {
        try {
            return isHeld ? GenerationPair.held(parts, inForce) : GenerationPair.start(parts, inForce);
        } catch (InterruptedException | RuntimeException e) {
            if (former != null) {
                former.close();
            }
            throw e;
        }
    }

    /** A node that was started again in between has to bring the one before to its end. @return null if that is over */
    private GenerationPair startFormer(GenerationRecord inForce) throws InterruptedException {
        if (inForce.number() == GenerationRecord.FIRST.number()) {
            return null;
        }
        GenerationRecord before = parts.table().before(inForce.number());
        return before.state() == State.OVER ? null : GenerationPair.start(parts, before);
    }

    private void show() {
        LOG.info("generation {} is in force, {} tells its last", next.number(), current.number());
        GenerationPair shown = current.become(next);
        former = current.movedTo(next);
        current = shown;
        next = null;
        looks = 0;
    }

    private void retire(GenerationRecord record) throws InterruptedException {
        boolean isSaid = record.state() == State.OVER || ask(() -> {
            records.retire(record.number());
            return true;
        });
        if (!isSaid) {
            return;
        }
        former.close();
        folders.remove(former.generation());
        LOG.info("generation {} has told its last", former.number());
        former = null;
    }

    /** Closes all of them. */
    @Override
    public void close() {
        closing.countDown();
        changes.release();
        synchronized (this) {
            copier.close();
            for (GenerationPair pair : new GenerationPair[]{next, former, current}) {
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
