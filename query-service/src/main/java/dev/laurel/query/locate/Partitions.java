package dev.laurel.query.locate;

import dev.laurel.processors.Ledger;
import dev.laurel.processors.core.account.AccountIndex;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.UserReader;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.read.NotReadyException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Finds the stores that hold a key, among those of this node. Thread-safe.
 *
 * <p>A key that another node owns is answered as not ready: nodes that share the partitions among them come with the
 * roles, and with them the one forwarding to the owner that belongs here.
 */
public final class Partitions {

    private final Source source;
    private final Map<Integer, UserReader> readers = new ConcurrentHashMap<>();

    /** What of the log's partitions is here. Thread-safe. */
    public interface Source {

        /** How users are spread over partitions. */
        LogLayout layout();

        boolean isRunning();

        /** Whether the partition shows everything that was in the log when it was opened here. */
        boolean isCaughtUp(int partition);

        /** Fails with {@code InvalidStateStoreException} while it is not open here. */
        ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition);

        /** Null while it is not known what is to be known of all users. */
        AccountIndex account(int partition);
    }

    public Partitions(Ledger ledger) {
        this(new Source() {
            @Override
            public LogLayout layout() {
                return ledger.layout();
            }

            @Override
            public boolean isRunning() {
                return ledger.streams().state().isRunningOrRebalancing();
            }

            @Override
            public boolean isCaughtUp(int partition) {
                return ledger.catchUp().isCaughtUp(partition);
            }

            @Override
            public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
                return ledger.store(name, partition);
            }

            @Override
            public AccountIndex account(int partition) {
                return ledger.account(partition);
            }
        });
    }

    public Partitions(Source source) {
        this.source = source;
    }

    /**
     * Reads from the partition that holds {@code key}.
     *
     * @throws NotReadyException while that partition is not served here
     */
    public <T> T readOwner(byte[] key, Function<UserReader, T> read) {
        return read(source.layout().partitionOf(key), read);
    }

    /** Reads from every partition. @throws NotReadyException if any of them is not served here */
    public <T> List<T> readAll(Function<UserReader, T> read) {
        return IntStream.range(0, source.layout().partitions()).mapToObj(partition -> read(partition, read)).toList();
    }

    /** Of the log. */
    public int count() {
        return source.layout().partitions();
    }

    /** Reads from this partition. @throws NotReadyException while it is not served here */
    public <T> T read(int partition, Function<UserReader, T> read) {
        expectCaughtUp(partition);
        try {
            return read.apply(readers.computeIfAbsent(partition, this::open));
        } catch (InvalidStateStoreException e) {
            // Closed or moved since: the next read looks for it anew.
            readers.remove(partition);
            throw new NotReadyException("partition " + partition + " is not served here now", e);
        }
    }

    private UserReader open(int partition) {
        return new UserReader(name -> source.store(name, partition));
    }

    /** Others show a past that was overtaken before they were opened. */
    private void expectCaughtUp(int partition) {
        if (!source.isCaughtUp(partition)) {
            throw new NotReadyException("partition " + partition + " is not caught up with here now");
        }
    }

    /**
     * What is known of all users, by partition.
     *
     * @throws NotReadyException if that is not known of every partition: within some seconds of its start here, it is not
     */
    public List<AccountIndex> accounts() {
        return IntStream.range(0, source.layout().partitions()).mapToObj(partition -> {
            expectCaughtUp(partition);
            AccountIndex account = source.account(partition);
            if (account == null) {
                throw new NotReadyException("the users of partition " + partition + " are still being counted");
            }
            return account;
        }).toList();
    }

    /** Whether every user can be read here. */
    public boolean isReady() {
        if (!source.isRunning()) {
            return false;
        }
        try {
            for (int partition = 0; partition < source.layout().partitions(); partition++) {
                if (!source.isCaughtUp(partition)) {
                    return false;
                }
                source.store(StoreNames.USERS, partition);
            }
            return true;
        } catch (InvalidStateStoreException _) {
            return false;
        }
    }
}
