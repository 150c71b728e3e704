package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.CommandFailed;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bounded window of entries that are being sent, in source order. Acknowledgements may come in any order; the
 * window knows up to which position all entries are acknowledged, and from which offset of each partition later
 * entries may exist. Thread-safe: one thread adds entries, the producer's thread acknowledges them.
 */
final class AckWindow {

    /** Result of an entry. */
    enum Kind {
        /** Written to the log, by this or an earlier run. */
        WRITTEN, REFUSED
    }

    /**
     * A state from which another run can continue.
     *
     * @param place all entries up to here are written or refused
     * @param offsets for each partition, the first offset that records of later entries can have
     */
    record Settled(ImportSource.Position place, long[] offsets, long written, long refused) {}

    private static final int PENDING = -2;
    private static final int NOWHERE = -1;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final Duration patience;
    private final ImportSource.Position[] places;
    private final Kind[] kinds;
    private final int[] partitions;
    private final long[] recordOffsets;
    private final long[] offsets;
    private ImportSource.Position place;
    private long written;
    private long refused;
    private long added;
    private long settled;
    private long acks;
    private Exception failure;

    /**
     * @param capacity maximum number of entries being sent
     * @param patience time without any acknowledgement after which the import gives up
     */
    AckWindow(int capacity, Duration patience, Settled start) {
        this.patience = patience;
        this.places = new ImportSource.Position[capacity];
        this.kinds = new Kind[capacity];
        this.partitions = new int[capacity];
        this.recordOffsets = new long[capacity];
        this.offsets = start.offsets().clone();
        this.place = start.place();
        this.written = start.written();
        this.refused = start.refused();
    }

    /** Adds an entry that is being sent; waits for room. Returns its ticket for {@link #acknowledge}. */
    long add(ImportSource.Position entry) throws InterruptedException {
        return add(entry, Kind.WRITTEN, PENDING);
    }

    /** Adds an entry that needs no acknowledgement. */
    void addSettled(ImportSource.Position entry, Kind kind) throws InterruptedException {
        add(entry, kind, NOWHERE);
    }

    private long add(ImportSource.Position entry, Kind kind, int partition) throws InterruptedException {
        lock.lock();
        try {
            awaitAtMost(places.length - 1);
            int slot = (int) (added % places.length);
            places[slot] = entry;
            kinds[slot] = kind;
            partitions[slot] = partition;
            long ticket = added++;
            advance();
            return ticket;
        } finally {
            lock.unlock();
        }
    }

    void acknowledge(long ticket, int partition, long offset) {
        lock.lock();
        try {
            int slot = (int) (ticket % places.length);
            partitions[slot] = partition;
            recordOffsets[slot] = offset;
            acks++;
            advance();
        } finally {
            lock.unlock();
        }
    }

    /** Records that the log refused an entry; the first failure is reported. */
    void fail(Exception cause) {
        lock.lock();
        try {
            failure = failure == null ? cause : failure;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all added entries are settled. */
    void awaitAll() throws InterruptedException {
        lock.lock();
        try {
            awaitAtMost(0);
        } finally {
            lock.unlock();
        }
    }

    Settled settled() {
        lock.lock();
        try {
            return new Settled(place, offsets.clone(), written, refused);
        } finally {
            lock.unlock();
        }
    }

    private void advance() {
        while (settled < added && partitions[(int) (settled % places.length)] != PENDING) {
            int slot = (int) (settled % places.length);
            if (partitions[slot] != NOWHERE) {
                offsets[partitions[slot]] = recordOffsets[slot] + 1;
            }
            written += kinds[slot] == Kind.WRITTEN ? 1 : 0;
            refused += kinds[slot] == Kind.REFUSED ? 1 : 0;
            place = places[slot];
            settled++;
            moved.signalAll();
        }
    }

    private void awaitAtMost(int pending) throws InterruptedException {
        long seen = acks;
        long remainingNs = patience.toNanos();
        while (failure == null && added - settled > pending) {
            remainingNs = moved.awaitNanos(remainingNs);
            if (acks != seen) {
                seen = acks;
                remainingNs = patience.toNanos();
            } else if (remainingNs <= 0) {
                throw new ImportRun.Stopped("Kafka has taken nothing for " + patience.toSeconds() + " s");
            }
        }
        if (failure != null) {
            throw new CommandFailed("Kafka refused a record: " + failure.getMessage(), failure);
        }
    }
}
