package dev.laurel.query.locate;

import dev.laurel.processors.core.statistics.StatisticsIndex;
import dev.laurel.processors.runtime.Ledger;
import dev.laurel.processors.store.UserReader;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.locate.NotReadyException.StorePartition;
import dev.laurel.query.locate.NotReadyException.Stores;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads users from the partitions of this node. Thread-safe.
 *
 * <p>For a partition of another node it throws {@link NotReadyException} with that partition; a caller that knows the other nodes
 * forwards the read. Where {@link Staleness} allows it, it reads a copy that is not too far behind.
 */
public final class UserPartitions {

    private final Source source;
    private final Map<Integer, UserReader> readers = new ConcurrentHashMap<>();
    private final Map<Integer, UserReader> copies = new ConcurrentHashMap<>();

    /** The stores of this node. Thread-safe. */
    public interface Source {

        /** The assignment of users to partitions. */
        LogLayout layout();

        /** Whether this node runs the partition and its stores contain every answered request. */
        boolean isCurrent(int partition);

        /** Throws {@code InvalidStateStoreException} while the store is not open on this node. */
        ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition);

        /** Null while the index of all users is being built. */
        @Nullable
        StatisticsIndex account(int partition);

        /** As {@link #store}, also for a partition of which this node has a copy, or which has not caught up. */
        default ReadOnlyKeyValueStore<Bytes, byte[]> copy(String name, int partition) {
            return store(name, partition);
        }

        /**
         * The number of records that the copy of a partition is behind; null if there is none.
         *
         * @throws NotReadyException if that is not known now
         */
        default @Nullable Long lag(int partition) {
            return null;
        }
    }

    public UserPartitions(Ledger ledger) {
        this(new LedgerSource(ledger, new CopyLags(ledger::lags)));
    }

    public UserPartitions(Source source) {
        this.source = source;
    }

    private record LedgerSource(Ledger ledger, CopyLags lags) implements Source {

        @Override
        public LogLayout layout() {
            return ledger.layout();
        }

        @Override
        public boolean isCurrent(int partition) {
            return ledger.isCurrent(partition);
        }

        @Override
        public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
            return ledger.store(name, partition);
        }

        @Override
        public @Nullable StatisticsIndex account(int partition) {
            return ledger.account(partition);
        }

        @Override
        public ReadOnlyKeyValueStore<Bytes, byte[]> copy(String name, int partition) {
            return ledger.copy(name, partition);
        }

        @Override
        public @Nullable Long lag(int partition) {
            return ledger.isOver() ? null : lags.of(partition);
        }
    }

    /** The assignment of users to partitions. */
    public LogLayout layout() {
        return source.layout();
    }

    /** Whether this partition is served by this node and up to date. */
    public boolean isServed(int partition) {
        return source.isCurrent(partition);
    }

    /**
     * Reads from the partition that holds {@code key}.
     *
     * @throws NotReadyException while that partition is not served here
     */
    public <T extends @Nullable Object> T readOwner(byte[] key, Function<UserReader, T> read) {
        LogLayout layout = source.layout();
        T answer = read(layout.partitionOf(key), read);
        expectStill(layout);
        return answer;
    }

    /**
     * Checks that the log was not replaced by a wider one during a read. If it was, the read used the wrong partitions.
     *
     * @param layout that the read used
     * @throws NotReadyException if the layout is another one now
     */
    public void expectStill(LogLayout layout) {
        if (source.layout() != layout) {
            throw new NotReadyException("the log has been widened at this moment");
        }
    }

    /** Reads from this partition. @throws NotReadyException while it is not served here */
    public <T extends @Nullable Object> T read(int partition, Function<UserReader, T> read) {
        if (!source.isCurrent(partition)) {
            // Its stores are open, but behind what was answered already; or they are not here.
            return readCopy(partition, read);
        }
        try {
            return read.apply(readers.computeIfAbsent(partition, this::open));
        } catch (InvalidStateStoreException _) {
            // The store was closed or moved meanwhile: the next read opens it again.
            readers.remove(partition);
            throw notServed(partition);
        }
    }

    private <T extends @Nullable Object> T readCopy(int partition, Function<UserReader, T> read) {
        Staleness staleness = Staleness.current();
        if (staleness == null) {
            throw notServed(partition);
        }
        Long lag = source.lag(partition);
        if (lag == null || lag > staleness.maxLag()) {
            throw notServed(partition);
        }
        try {
            T answer = read.apply(copies.computeIfAbsent(partition,
                    asked -> new UserReader(name -> source.copy(name, asked))));
            staleness.note(lag);
            return answer;
        } catch (InvalidStateStoreException _) {
            copies.remove(partition);
            throw notServed(partition);
        } catch (NotReadyException e) {
            throw e;
        } catch (RuntimeException e) {
            // The stores of a copy are updated one by one: a user may be there already, and a page of its history not yet.
            throw new NotReadyException("the stores of the copy of partition " + partition + " are not consistent now",
                    e);
        }
    }

    private static NotReadyException notServed(int partition) {
        return new NotReadyException(new StorePartition(Stores.USERS, partition),
                "partition " + partition + " is not served here now");
    }

    private UserReader open(int partition) {
        return new UserReader(name -> source.store(name, partition));
    }

    /**
     * The index of all users of a partition.
     *
     * @throws NotReadyException if this node does not have it; it is built in the first seconds after the partition starts
     */
    public StatisticsIndex account(int partition) {
        StatisticsIndex account = source.isCurrent(partition) ? source.account(partition) : null;
        if (account == null) {
            throw new NotReadyException("the users of partition " + partition + " are not counted here now");
        }
        return account;
    }
}
