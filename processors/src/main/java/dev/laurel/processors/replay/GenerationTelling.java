package dev.laurel.processors.replay;

import dev.laurel.processors.stream.Telling;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationTable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a generation of a node tells of, as {@code laurel.generations} has it. The record of a promotion and its markers in
 * the log come from one transaction; a task that has read a marker therefore finds the record, and one that starts knows
 * where it has to be silent. Thread-safe.
 */
public final class GenerationTelling implements Telling, AutoCloseable {

    private static final Duration TABLE_PATIENCE = Duration.ofSeconds(30);

    /** The generation before commits some times a second, unless its node is just being started again. */
    private static final Duration FORMER_PATIENCE = Duration.ofMinutes(2);
    private static final long CHECK_MS = 20;

    private final GenerationTable table;
    private final Generation generation;
    private final Map<String, Object> clientConfig;
    private GenerationTopics former;

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
        long from = generation.number() == Generation.FIRST.number() ? 0 : handover(own, partition);
        long until = table.all().values().stream().filter(record -> record.number() > generation.number())
                .mapToLong(record -> handover(record, partition)).min().orElse(NEVER);
        return new Stretch(from, until);
    }

    private static long handover(GenerationRecord record, int partition) {
        return record == null || record.handover() == null ? NEVER : record.handover().get(partition);
    }

    @Override
    public boolean isSilentAtFirst() {
        return generation.number() != Generation.FIRST.number();
    }

    @Override
    public Handover read(int number, int partition, long offset) {
        refresh();
        if (handover(table.find(number), partition) != offset) {
            return Handover.UNKNOWN;
        }
        if (number < generation.number()) {
            return Handover.OTHER;
        }
        if (number > generation.number()) {
            return Handover.END;
        }
        awaitFormer(partition, offset);
        return Handover.BEGIN;
    }

    /** What the generation before has told of the log up to here is committed: nothing of this one can come before it. */
    private void awaitFormer(int partition, long offset) {
        GenerationRecord before = table.before(generation.number());
        long deadlineNs = System.nanoTime() + FORMER_PATIENCE.toNanos();
        try {
            while (topicsOf(before.generation()).committed(before.generation().ledgerApplication(), before.log(),
                    partition + 1).get(partition) <= offset) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw new IllegalStateException("generation " + before.number() + " has not come to offset "
                            + offset + " of partition " + partition + " within " + FORMER_PATIENCE);
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
