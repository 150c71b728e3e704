package dev.laurel.query.locate;

import dev.laurel.processors.Ledger;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.UserReader;
import dev.laurel.query.read.NotReadyException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/**
 * Finds the stores that hold a key, among those of this node. Thread-safe.
 *
 * <p>A key that another node owns is answered as not ready: nodes that share the partitions among them come with the
 * roles, and with them the one forwarding to the owner that belongs here.
 */
public final class Partitions {

    private final Ledger ledger;
    private final Map<Integer, UserReader> readers = new ConcurrentHashMap<>();

    public Partitions(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * Reads from the partition that holds {@code key}.
     *
     * @throws NotReadyException while that partition is not served here
     */
    public <T> T readOwner(byte[] key, Function<UserReader, T> read) {
        return read(ledger.layout().partitionOf(key), read);
    }

    /** Reads from every partition. @throws NotReadyException if any of them is not served here */
    public <T> List<T> readAll(Function<UserReader, T> read) {
        return IntStream.range(0, ledger.layout().partitions()).mapToObj(partition -> read(partition, read)).toList();
    }

    private <T> T read(int partition, Function<UserReader, T> read) {
        // Others show a past that was overtaken before they were opened.
        if (!ledger.catchUp().isCaughtUp(partition)) {
            throw new NotReadyException("partition " + partition + " is not caught up with here now");
        }
        try {
            return read.apply(readers.computeIfAbsent(partition, this::open));
        } catch (InvalidStateStoreException e) {
            // Closed or moved since: the next read looks for it anew.
            readers.remove(partition);
            throw new NotReadyException("partition " + partition + " is not served here now", e);
        }
    }

    private UserReader open(int partition) {
        return new UserReader(name -> ledger.store(name, partition));
    }

    /** Whether every partition can be read here. */
    public boolean isReady() {
        if (!ledger.streams().state().isRunningOrRebalancing()) {
            return false;
        }
        try {
            for (int partition = 0; partition < ledger.layout().partitions(); partition++) {
                if (!ledger.catchUp().isCaughtUp(partition)) {
                    return false;
                }
                ledger.store(StoreNames.USERS, partition);
            }
            return true;
        } catch (InvalidStateStoreException _) {
            return false;
        }
    }
}
