package dev.laurel.processors.generation;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;
import static java.util.Objects.requireNonNull;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The output window of a generation on a node, read from {@code laurel.generations}. The record of a promotion and its markers in the
 * log are written in one transaction, so that a task which reads a marker finds the record, and a task which starts knows where it is
 * silent. Where a generation brings a wider log, its partition q is copied from partition q mod P of the former log, and the
 * markers are copied like all records. Thread-safe.
 */
final class GenerationOutputWindow implements OutputWindow {

    /**
     * The timeout for markers that are still being copied, and for the former generation, which commits several times a second unless
     * another node is taking it over. A node that is started again completes the former generation before it starts this one. The sum
     * of both timeouts is less than the maximum poll interval.
     */
    private static final Duration HANDOVER_TIMEOUT = Duration.ofSeconds(60);

    private static final long CHECK_MS = 20;

    private final GenerationTable table;
    private final Generation generation;
    private final BrokerAdmin admin;
    private final Map<Integer, OffsetRange> adopted = new ConcurrentHashMap<>();
    /** The committed offsets of the former generation, by partition of its log, as last received; empty before that. */
    private volatile List<Long> formerCommitted = List.of();

    /** @param table followed by the caller @param admin closed by the caller */
    GenerationOutputWindow(GenerationTable table, Generation generation, BrokerAdmin admin) {
        this.table = table;
        this.generation = generation;
        this.admin = admin;
    }

    @Override
    public void refresh() {
        try {
            if (!table.awaitNewest(TIMEOUT)) {
                throw new IllegalStateException(
                        "could not determine within " + TIMEOUT + " which generation is in force");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public OffsetRange range(int partition) {
        GenerationRecord own = table.find(generation.number());
        long from = generation.number() == Generation.FIRST.number() ? 0 : markerOf(own, partition);
        long until = table.all().values().stream()
                .filter(record -> record.number() > generation.number())
                .mapToLong(record -> markerOf(record, partition))
                .min()
                .orElse(NEVER);
        return new OffsetRange(from, until);
    }

    /** The offset in the log of this generation from which another one, or this one, publishes; {@link #NEVER} if there is none. */
    private long markerOf(@Nullable GenerationRecord record, int partition) {
        if (record == null) {
            return NEVER;
        }
        List<Long> markers = record.log().equals(generation.log())
                ? record.handover()
                : record.ends() != null && table.before(record.number()).log().equals(generation.log())
                        ? record.ends()
                        : null;
        return markers == null || partition >= markers.size() ? NEVER : markers.get(partition);
    }

    @Override
    public void adopt(int partition, OffsetRange range) {
        adopted.put(partition, range);
    }

    @Override
    public boolean isCurrent(int partition) {
        OffsetRange range = adopted.get(partition);
        return range != null && range.from() != NEVER && !isSuperseded();
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
        long deadlineNs = System.nanoTime() + HANDOVER_TIMEOUT.toNanos();
        if (!isMarker(number, partition, offset)) {
            // The table probably lags. A task that finds the record at once does not wait for the table.
            refresh();
            if (number == generation.number()) {
                awaitMarkers(deadlineNs);
            }
        }
        if (!isMarker(number, partition, offset)) {
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

    /** Whether this is the marker of a generation, which may publish from an earlier record on: see {@link Generations#continued}. */
    private boolean isMarker(int number, int partition, long offset) {
        return markerOf(table.find(number), partition) <= offset;
    }

    /** Waits until nodes have found the markers of this generation in its own log, into which they are copied. */
    private void awaitMarkers(long deadlineNs) {
        await(
                deadlineNs,
                () -> table.get(generation.number()).state() != State.PROMOTED,
                () -> "not all markers of generation " + generation.number() + " were copied into " + generation.log());
    }

    /**
     * Waits until the former generation has committed its output up to here, so that this generation's output comes after it. A
     * generation that is over has produced all its output, and its group may be deleted, or may exist only in the cluster that
     * the log was restored from.
     */
    private void awaitFormer(int partition, long deadlineNs) {
        GenerationRecord before = table.before(generation.number());
        List<Long> ends = requireNonNull(table.get(generation.number()).endsOfFormer(), "its marker was found");
        int source = partition % ends.size();
        await(
                deadlineNs,
                () -> table.get(before.number()).state() == State.OVER || hasCommitted(before, ends, source),
                () -> "generation " + before.number() + " has not committed offset " + ends.get(source)
                        + " of partition " + source);
    }

    /** Whether the former generation has committed its output of this partition. The answer for the other partitions is kept, too. */
    private boolean hasCommitted(GenerationRecord before, List<Long> ends, int partition) throws InterruptedException {
        if (formerCommitted.isEmpty() || formerCommitted.get(partition) <= ends.get(partition)) {
            formerCommitted = admin.committed(before.generation().ledgerApplication(), before.log(), ends.size());
        }
        return formerCommitted.get(partition) > ends.get(partition);
    }

    private static void await(long deadlineNs, Condition condition, Supplier<String> problem) {
        try {
            if (!condition.await(deadlineNs, CHECK_MS)) {
                throw new IllegalStateException(problem.get() + " within " + HANDOVER_TIMEOUT);
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while generations change", e);
    }
}
