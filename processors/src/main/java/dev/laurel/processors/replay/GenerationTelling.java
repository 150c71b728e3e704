package dev.laurel.processors.replay;

import dev.laurel.processors.stream.Telling;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationTable;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What a generation of a node tells of, as {@code laurel.generations} has it. The record of a promotion and its markers in
 * the log come from one transaction; a task that has read a marker therefore finds the record, and one that starts knows
 * where it has to be silent. Where a generation brings a wider log, partition q of it follows from partition q mod P of the
 * former one, and the markers are copied like all else. Thread-safe.
 */
public final class GenerationTelling implements Telling, AutoCloseable {

    private static final Duration TABLE_PATIENCE = Duration.ofSeconds(30);

    /**
     * For markers that are still copied, and for the generation before, which commits some times a second unless another node just takes
     * it over; a node that is started again brings it to its end before it starts this one. With what the table may take, no longer
     * than a thread may between two polls.
     */
    private static final Duration HANDOVER_PATIENCE = Duration.ofSeconds(60);
    private static final long CHECK_MS = 20;

    private final GenerationTable table;
    private final Generation generation;
    private final Map<String, Object> clientConfig;
    private final Map<Integer, Stretch> gone = new ConcurrentHashMap<>();
    private GenerationTopics former;

    /** How far the generation before has come, by partition of its log, as last heard; null before that. */
    private volatile List<Long> formerCommitted;

    /** @param table followed */
    public GenerationTelling(GenerationTable table, Generation generation, Map<String, Object> clientConfig) {
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
    public Stretch stretch(int partition) {
        GenerationRecord own = table.find(generation.number());
        long from = generation.number() == Generation.FIRST.number() ? 0 : placeIn(own, partition);
        long until = table.all().values().stream().filter(record -> record.number() > generation.number())
                .mapToLong(record -> placeIn(record, partition)).min().orElse(NEVER);
        return new Stretch(from, until);
    }

    /** Where in this one's log a generation comes into force, or its log ends with what becomes that one's. */
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
    public void goesBy(int partition, Stretch told) {
        gone.put(partition, told);
    }

    @Override
    public boolean isCurrent(int partition) {
        Stretch told = gone.get(partition);
        return told != null && told.from() != NEVER && !isOver();
    }

    @Override
    public boolean isOver() {
        return table.inForce().number() > generation.number();
    }

    @Override
    public boolean isSilentAtFirst() {
        return generation.number() != Generation.FIRST.number();
    }

    @Override
    public Handover read(int number, int partition, long offset) {
        long deadlineNs = System.nanoTime() + HANDOVER_PATIENCE.toNanos();
        if (placeIn(table.find(number), partition) != offset) {
            // Not known here yet, most likely; where it is, nobody has to wait for the table.
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

    /** A log of its own gets its markers after the former one has them; nodes find them there within moments. */
    private void awaitMarkers(long deadlineNs) {
        await(deadlineNs, () -> table.find(generation.number()).state() != State.PROMOTED,
                () -> "the markers of generation " + generation.number() + " have not all come into "
                        + generation.log());
    }

    /**
     * What the generation before has told of the log up to here is committed: nothing of this one can come before it. One that is
     * over has told all it had to, and its group may be gone, or have stayed with the cluster that the log was restored from.
     */
    private void awaitFormer(int partition, long deadlineNs) {
        GenerationRecord before = table.before(generation.number());
        List<Long> ends = table.find(generation.number()).endsOfFormer();
        int there = partition % ends.size();
        if (formerCommitted == null) {
            formerCommitted = Collections.nCopies(ends.size(), 0L);
        }
        // Where it is over it has told its last everywhere, and its group may be gone.
        await(deadlineNs, () -> table.find(before.number()).state() == State.OVER || hasCommitted(before, ends, there),
                () -> "generation " + before.number()
                        + " has not come to offset " + ends.get(there) + " of partition " + there);
    }

    /** Whether the former one has told its last of this partition. What is heard of the others is remembered, too. */
    private boolean hasCommitted(GenerationRecord before, List<Long> ends, int partition) throws InterruptedException {
        if (formerCommitted.get(partition) <= ends.get(partition)) {
            formerCommitted = topicsOf(before.generation()).committed(before.generation().ledgerApplication(),
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

    private synchronized GenerationTopics topicsOf(Generation before) {
        if (former == null) {
            former = new GenerationTopics(clientConfig, before, TABLE_PATIENCE);
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
