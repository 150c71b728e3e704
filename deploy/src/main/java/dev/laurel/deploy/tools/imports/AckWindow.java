package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.CommandFailed;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The entries that are on their way, in source order, bounded. Entries are acknowledged in any order; the window tells up
 * to where all of them are, and from which offset of each partition on there may be more. Thread-safe: one thread adds,
 * the producer's thread acknowledges.
 */
final class AckWindow {

    /** What became of an entry. */
    enum Kind {
        /** In the log, written now or by an earlier run. */
        WRITTEN, REFUSED
    }

    /**
     * A state that another run can go on from.
     *
     * @param place everything up to here is in the log or refused
     * @param offsets by partition: records of entries behind {@code place} have this offset or a later one
     */
    record Settled(Place place, long[] offsets, long written, long refused) {}

    private static final int PENDING = -2;
    private static final int NOWHERE = -1;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final Duration patience;
    private final Place[] places;
    private final Kind[] kinds;
    private final int[] partitions;
    private final long[] recordOffsets;
    private final long[] offsets;
    private Place place;
    private long written;
    private long refused;
    private long added;
    private long settled;
    private long acks;
    private Exception failure;

    /**
     * @param capacity entries on their way at most
     * @param patience how long to wait without a single acknowledgement before giving up
     */
    AckWindow(int capacity, Duration patience, Settled start) {
        this.patience = patience;
        this.places = new Place[capacity];
        this.kinds = new Kind[capacity];
        this.partitions = new int[capacity];
        this.recordOffsets = new long[capacity];
        this.offsets = start.offsets().clone();
        this.place = start.place();
        this.written = start.written();
        this.refused = start.refused();
    }

    /** Adds an entry that is being sent, waiting for room. @return its ticket for {@link #acknowledge} */
    long add(Place entry) throws InterruptedException {
        return add(entry, Kind.WRITTEN, PENDING);
    }

    /** Adds an entry that nothing is to be waited for. */
    void addSettled(Place entry, Kind kind) throws InterruptedException {
        add(entry, kind, NOWHERE);
    }

    private long add(Place entry, Kind kind, int partition) throws InterruptedException {
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

    /** The log will not take an entry; the first such failure is the one that is told. */
    void fail(Exception cause) {
        lock.lock();
        try {
            failure = failure == null ? cause : failure;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything that was added is settled. */
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
                throw new ImportStopped("Kafka has taken nothing for " + patience.toSeconds() + " s");
            }
        }
        if (failure != null) {
            throw new CommandFailed("Kafka refused a record: " + failure.getMessage(), failure);
        }
    }
}
