package dev.laurel.processors.generation;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationRecord;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The output window of a generation on a node, read from {@code laurel.generations}. The record of a promotion and its markers in the
 * log are written in one transaction, so that a task which reads a marker finds the record, and a task which starts knows where it is
 * silent. Where a generation brings a wider log, its partition q is copied from partition q mod P of the former log, and the
 * markers are copied like all records. Thread-safe.
 */
final class GenerationOutputWindow implements OutputWindow, AutoCloseable {

    private static final Duration TABLE_PATIENCE = Duration.ofSeconds(30);

    /**
     * The limit for markers that are still being copied, and for the former generation, which commits several times a second unless
     * another node just takes it over; a node that is started again completes the former generation before it starts this one.
     * Together with the table's limit this is less than the maximum poll interval.
     */
    private static final Duration HANDOVER_PATIENCE = Duration.ofSeconds(60);
    private static final long CHECK_MS = 20;

    private final GenerationTable table;
    private final Generation generation;
    private final Map<String, Object> clientConfig;
    private final Map<Integer, OffsetRange> adopted = new ConcurrentHashMap<>();
    private GenerationResources former;

    /** The committed offsets of the former generation, by partition of its log, as last received; null before that. */
    private volatile List<Long> formerCommitted;

    /** @param table followed */
    public GenerationOutputWindow(GenerationTable table, Generation generation, Map<String, Object> clientConfig) {
        this.table = table;
        this.generation = generation;
        this.clientConfig = clientConfig;
    }

    @Override
    public void refresh() {
        try {
            if (!table.awaitNewest(TABLE_PATIENCE)) {
                throw new IllegalStateException("could not learn within " + TABLE_PATIENCE
                        + " which generation is in force");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public OffsetRange range(int partition) {
        GenerationRecord own = table.find(generation.number());
        long from = generation.number() == Generation.FIRST.number() ? 0 : placeIn(own, partition);
        long until = table.all().values().stream().filter(record -> record.number() > generation.number())
                .mapToLong(record -> placeIn(record, partition)).min().orElse(NEVER);
        return new OffsetRange(from, until);
    }

    /** The offset in this generation's log at which another one takes over; {@link #NEVER} if that has not happened. */
    private long placeIn(GenerationRecord record, int partition) {
        if (record == null) {
            return NEVER;
        }
        List<Long> places = record.log().equals(generation.log())
                ? record.handover()
                : record.ends() != null && table.before(record.number()).log().equals(generation.log())
                        ? record.ends()
                        : null;
        return places == null || partition >= places.size() ? NEVER : places.get(partition);
    }

    @Override
    public void adopt(int partition, OffsetRange told) {
        adopted.put(partition, told);
    }

    @Override
    public boolean isCurrent(int partition) {
        OffsetRange told = adopted.get(partition);
        return told != null && told.from() != NEVER && !isSuperseded();
    }

    @Override
    public boolean isSuperseded() {
        return table.inForce().number() > generation.number();
    }

    @Override
    public boolean startsSilent() {
        return generation.number() != Generation.FIRST.number();
    }

    @Override
    public Handover readMarker(int number, int partition, long offset) {
        long deadlineNs = System.nanoTime() + HANDOVER_PATIENCE.toNanos();
        if (placeIn(table.find(number), partition) != offset) {
            // Probably the table lags; a task that finds the record need not wait for it.
            refresh();
            if (number == generation.number()) {
                awaitMarkers(deadlineNs);
            }
        }
        if (placeIn(table.find(number), partition) != offset) {
            return Handover.UNKNOWN;
        }
        if (number < generation.number()) {
            return Handover.OTHER;
        }
        if (number > generation.number()) {
            return Handover.END;
        }
        awaitFormer(partition, deadlineNs);
        return Handover.BEGIN;
    }

    /** The log of this generation gets its markers after the former log has them; nodes find them within moments. */
    private void awaitMarkers(long deadlineNs) {
        await(deadlineNs, () -> table.find(generation.number()).state() != State.PROMOTED,
                () -> "the markers of generation " + generation.number() + " have not all come into "
                        + generation.log());
    }

    /**
     * Waits until the former generation has committed its output up to here, so that this generation's output comes after it. A
     * generation that is over has produced all its output, and its group may be deleted, or may exist only in the cluster that
     * the log was restored from.
     */
    private void awaitFormer(int partition, long deadlineNs) {
        GenerationRecord before = table.before(generation.number());
        List<Long> ends = table.find(generation.number()).endsOfFormer();
        int there = partition % ends.size();
        if (formerCommitted == null) {
            formerCommitted = Collections.nCopies(ends.size(), 0L);
        }
        await(deadlineNs, () -> table.find(before.number()).state() == State.OVER || hasCommitted(before, ends, there),
                () -> "generation " + before.number()
                        + " has not come to offset " + ends.get(there) + " of partition " + there);
    }

    /** Whether the former generation has committed its output of this partition. The answer for the other partitions is kept, too. */
    private boolean hasCommitted(GenerationRecord before, List<Long> ends, int partition) throws InterruptedException {
        if (formerCommitted.get(partition) <= ends.get(partition)) {
            formerCommitted = resourcesOf(before.generation()).committed(before.generation().ledgerApplication(),
                    before.log(), ends.size());
        }
        return formerCommitted.get(partition) > ends.get(partition);
    }

    private interface Condition {

        boolean holds() throws InterruptedException;
    }

    private static void await(long deadlineNs, Condition condition, Supplier<String> otherwise) {
        try {
            while (!condition.holds()) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw new IllegalStateException(otherwise.get() + " within " + HANDOVER_PATIENCE);
                }
                TimeUnit.MILLISECONDS.sleep(CHECK_MS);
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while generations change", e);
    }

    private synchronized GenerationResources resourcesOf(Generation before) {
        if (former == null) {
            former = new GenerationResources(clientConfig, before, TABLE_PATIENCE);
        }
        return former;
    }

    @Override
    public synchronized void close() {
        if (former != null) {
            former.close();
        }
    }
}
