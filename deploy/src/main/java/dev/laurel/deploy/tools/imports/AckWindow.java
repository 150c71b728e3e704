package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.tools.imports.ImportSource.Position;
import dev.laurel.deploy.tools.imports.ProgressFile.Checkpoint;
import dev.laurel.platform.command.CommandFailed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The bounded window of entries that are being sent, in source order. Acknowledgements may arrive in any order; the
 * window knows up to which position all entries are acknowledged, and from which offset of each partition later
 * entries may exist. Thread-safe: one thread adds entries, the producer's thread acknowledges them.
 */
final class AckWindow {

    /** An entry of the window; only the window changes it. */
    static final class Entry {

        private final Position position;
        private final boolean isRefused;
        private boolean isComplete;
        private int partition = NO_RECORD;
        private long offset;

        private Entry(Position position, boolean isComplete, boolean isRefused) {
            this.position = position;
            this.isComplete = isComplete;
            this.isRefused = isRefused;
        }
    }

    private static final int NO_RECORD = -1;

    private final int capacity;
    private final Duration timeout;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final long[] offsets;
    private Position position;
    private long written;
    private long refused;
    private long idleSinceNs;
    private @Nullable Exception failure;

    /**
     * @param capacity maximum number of entries being sent
     * @param timeout time without any acknowledgement after which the import gives up
     */
    AckWindow(int capacity, Duration timeout, Checkpoint start) {
        this.capacity = capacity;
        this.timeout = timeout;
        this.offsets = start.offsets().clone();
        this.position = start.position();
        this.written = start.written();
        this.refused = start.refused();
    }

    /** Adds an entry that is being sent; waits while the window is full. */
    Entry add(Position entry) throws InterruptedException {
        return add(new Entry(entry, false, false));
    }

    /** Adds an entry that an earlier run has written. */
    void addWritten(Position entry) throws InterruptedException {
        add(new Entry(entry, true, false));
    }

    void addRefused(Position entry) throws InterruptedException {
        add(new Entry(entry, true, true));
    }

    private synchronized Entry add(Entry entry) throws InterruptedException {
        awaitAtMost(capacity - 1);
        entries.add(entry);
        advance();
        return entry;
    }

    synchronized void acknowledge(Entry entry, int partition, long offset) {
        entry.partition = partition;
        entry.offset = offset;
        entry.isComplete = true;
        idleSinceNs = System.nanoTime();
        advance();
    }

    /** Records that the log refused an entry; the first failure is reported. */
    synchronized void fail(Exception cause) {
        failure = failure == null ? cause : failure;
        notifyAll();
    }

    /** Waits until all added entries are complete. */
    synchronized void awaitAll() throws InterruptedException {
        awaitAtMost(0);
    }

    synchronized Checkpoint checkpoint() {
        return new Checkpoint(position, offsets.clone(), written, refused);
    }

    private void advance() {
        for (Entry first = entries.peek(); first != null && first.isComplete; first = entries.peek()) {
            entries.remove();
            if (first.partition != NO_RECORD) {
                offsets[first.partition] = first.offset + 1;
            }
            written += first.isRefused ? 0 : 1;
            refused += first.isRefused ? 1 : 0;
            position = first.position;
            notifyAll();
        }
    }

    private void awaitAtMost(int count) throws InterruptedException {
        idleSinceNs = System.nanoTime();
        while (failure == null && entries.size() > count) {
            long leftNs = timeout.toNanos() - (System.nanoTime() - idleSinceNs);
            if (leftNs <= 0) {
                throw new ImportWork.Stopped("Kafka has acknowledged nothing for " + timeout.toSeconds() + " s");
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
        if (failure != null) {
            throw new CommandFailed("Kafka refused a record: " + failure.getMessage(), failure);
        }
    }
}
