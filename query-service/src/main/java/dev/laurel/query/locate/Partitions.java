package dev.laurel.query.locate;

import dev.laurel.processors.Ledger;
import dev.laurel.processors.core.account.AccountIndex;
import dev.laurel.processors.store.UserReader;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.read.NotReadyException.Place;
import dev.laurel.query.read.NotReadyException.Stores;
import dev.laurel.query.read.NotReadyException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Finds the stores that hold a key, among those of this node. Thread-safe.
 *
 * <p>A key of another node's partition is answered as not ready, with the place of that partition: whoever knows of other
 * nodes takes it from there. Where {@link Staleness} allows it, a copy is read that is not too far behind.
 */
public final class Partitions {

    private final Source source;
    private final Map<Integer, UserReader> readers = new ConcurrentHashMap<>();
    private final Map<Integer, UserReader> copies = new ConcurrentHashMap<>();

    /** What of the log's partitions is here. Thread-safe. */
    public interface Source {

        /** How users are spread over partitions. */
        LogLayout layout();

        /** Whether the partition is here and shows everything that was answered before. */
        boolean isCurrent(int partition);

        /** Fails with {@code InvalidStateStoreException} while it is not open here. */
        ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition);

        /** Null while it is not known what is to be known of all users. */
        AccountIndex account(int partition);

        /** As {@link #store}, also of a partition that is only copied or not caught up with here. */
        default ReadOnlyKeyValueStore<Bytes, byte[]> copy(String name, int partition) {
            return store(name, partition);
        }

        /**
         * How many records the copy of a partition is behind; null if there is none.
         *
         * @throws NotReadyException if that cannot be found out
         */
        default Long lag(int partition) {
            return null;
        }
    }

    public Partitions(Ledger ledger) {
        this(new LedgerSource(ledger, new Lags(ledger::lags)));
    }

    public Partitions(Source source) {
        this.source = source;
    }

    private record LedgerSource(Ledger ledger, Lags lags) implements Source {

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
        public AccountIndex account(int partition) {
            return ledger.account(partition);
        }

        @Override
        public ReadOnlyKeyValueStore<Bytes, byte[]> copy(String name, int partition) {
            return ledger.copy(name, partition);
        }

        @Override
        public Long lag(int partition) {
            return ledger.isOver() ? null : lags.of(partition);
        }
    }

    /** How users are spread over partitions. */
    public LogLayout layout() {
        return source.layout();
    }

    /** Whether this partition is read here, and fresh. */
    public boolean isHere(int partition) {
        return source.isCurrent(partition);
    }

    /**
     * Reads from the partition that holds {@code key}.
     *
     * @throws NotReadyException while that partition is not served here
     */
    public <T> T readOwner(byte[] key, Function<UserReader, T> read) {
        LogLayout layout = source.layout();
        T answer = read(layout.partitionOf(key), read);
        expectStill(layout);
        return answer;
    }

    /**
     * Another generation may have a wider log: who has read by the layout of the one before has looked in the wrong places.
     *
     * @param layout by which was read
     * @throws NotReadyException if it is another one by now
     */
    public void expectStill(LogLayout layout) {
        if (source.layout() != layout) {
            throw new NotReadyException("the log has been widened at this moment");
        }
    }

    /** Reads from this partition. @throws NotReadyException while it is not served here */
    public <T> T read(int partition, Function<UserReader, T> read) {
        if (!source.isCurrent(partition)) {
            // It shows a past that was overtaken before it was opened, or nothing.
            return readCopy(partition, read);
        }
        try {
            return read.apply(readers.computeIfAbsent(partition, this::open));
        } catch (InvalidStateStoreException _) {
            // Closed or moved since: the next read looks for it anew.
            readers.remove(partition);
            throw notHere(partition);
        }
    }

    private <T> T readCopy(int partition, Function<UserReader, T> read) {
        Staleness staleness = Staleness.current();
        if (staleness == null) {
            throw notHere(partition);
        }
        Long lag = source.lag(partition);
        if (lag == null || lag > staleness.maxLag()) {
            throw notHere(partition);
        }
        try {
            T answer = read.apply(copies.computeIfAbsent(partition,
                    asked -> new UserReader(name -> source.copy(name, asked))));
            staleness.note(lag);
            return answer;
        } catch (InvalidStateStoreException _) {
            copies.remove(partition);
            throw notHere(partition);
        } catch (NotReadyException e) {
            throw e;
        } catch (RuntimeException e) {
            // The stores of a copy follow one by one: a user may be there already, and a page of its history not yet.
            throw new NotReadyException("the copy of partition " + partition + " is of no one moment", e);
        }
    }

    private static NotReadyException notHere(int partition) {
        return new NotReadyException(new Place(Stores.USERS, partition),
                "partition " + partition + " is not served here now");
    }

    private UserReader open(int partition) {
        return new UserReader(name -> source.store(name, partition));
    }

    /**
     * What is known of all users of a partition.
     *
     * @throws NotReadyException if that is not known here: within some seconds of the partition's start, it is not
     */
    public AccountIndex account(int partition) {
        AccountIndex account = source.isCurrent(partition) ? source.account(partition) : null;
        if (account == null) {
            throw new NotReadyException("the users of partition " + partition + " are not counted here now");
        }
        return account;
    }
}
