package dev.laurel.query.locate;

import dev.laurel.core.user.UserState;
import dev.laurel.processors.runtime.Ledger;
import dev.laurel.processors.store.users.UserReader;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.locate.AgedValues.Limits;
import dev.laurel.query.locate.NotReadyException.StorePartition;
import dev.laurel.query.locate.NotReadyException.Stores;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.LagInfo;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads users from the partitions of this node. Thread-safe.
 *
 * <p>For a partition of another node it throws {@link NotReadyException} with that partition; a caller that knows the other nodes
 * forwards the read. Where {@link Staleness} allows it, it reads a copy that is not too far behind. A copy does not know whether a
 * user exists that it lacks, so such a read throws {@link NotReadyException}, too.
 */
public final class UserPartitions {

    private static final Duration LAGS_AGE = Duration.ofSeconds(1);

    private final Source source;
    private final Map<Integer, UserReader> readers = new ConcurrentHashMap<>();
    private final Map<Integer, UserReader> copies = new ConcurrentHashMap<>();

    /**
     * The stores of this node. Thread-safe.
     *
     * @param layout the assignment of users to partitions
     * @param isCurrent whether this node runs the partition and its stores contain every answered request
     * @param stores of the partitions that this node runs
     * @param copies as {@code stores}, and of partitions that have not caught up or of which this node has a copy
     * @param lag the number of records that the copy of a partition is behind, null if there is no copy; throws
     *        {@link NotReadyException} if the lag is not known now
     */
    public record Source(
            Supplier<LogLayout> layout,
            IntPredicate isCurrent,
            StoreOpener stores,
            StoreOpener copies,
            IntFunction<@Nullable Long> lag) {

        /**
         * The lag of a partition is that of its store that is furthest behind, in records: 0 where the task runs. Where a copy follows
         * the task, the count includes transaction markers. Kafka Streams asks the brokers for the end offsets of all changelogs, so one
         * request serves all callers within a second. Nothing is requested while all owners respond.
         */
        static Source of(Ledger ledger) {
            var lags = new AgedValues<String, Map<Integer, Long>>(Limits.of(LAGS_AGE, 1), _ -> lagsOf(ledger));
            return new Source(
                    ledger::layout,
                    ledger::isCurrent,
                    ledger::store,
                    ledger::copy,
                    partition -> ledger.isOver() ? null : lagOf(partition, lags));
        }

        private static Map<Integer, Long> lagsOf(Ledger ledger) {
            var lags = new HashMap<Integer, Long>();
            for (Map<Integer, LagInfo> store : ledger.lags().values()) {
                store.forEach((partition, lag) -> lags.merge(partition, lag.offsetLag(), Math::max));
            }
            return lags;
        }

        private static @Nullable Long lagOf(int partition, AgedValues<String, Map<Integer, Long>> lags) {
            Map<Integer, Long> known;
            try {
                known = lags.get("the lag of copies", LAGS_AGE);
            } catch (KafkaException | IllegalStateException e) {
                throw new NotReadyException("the lag of copies is not known now", e);
            }
            if (known == null) {
                throw new NotReadyException("the lag of copies is not known in time");
            }
            return known.get(partition);
        }
    }

    /** Opens a store of a partition, or throws {@code InvalidStateStoreException} while it is not open on this node. */
    @FunctionalInterface
    public interface StoreOpener {

        ReadOnlyKeyValueStore<Bytes, byte[]> open(String name, int partition);
    }

    public UserPartitions(Ledger ledger) {
        this(Source.of(ledger));
    }

    public UserPartitions(Source source) {
        this.source = source;
    }

    /** The assignment of users to partitions. */
    public LogLayout layout() {
        return source.layout().get();
    }

    /** Whether this node serves the partition, with stores that are up to date. */
    public boolean isServed(int partition) {
        return source.isCurrent().test(partition);
    }

    /** A read of one user. */
    @FunctionalInterface
    public interface UserRead<T extends @Nullable Object> {

        /**
         * @param user null if the user is unknown
         * @param reader of the user's partition
         */
        T read(@Nullable UserState user, UserReader reader);
    }

    /**
     * Reads a user. Another read of the partition is {@link #read}.
     *
     * @param user the bytes of the key
     * @throws NotReadyException while the user's partition is not served here, and if a copy is read that lacks the user
     */
    public <T extends @Nullable Object> T readUser(byte[] user, UserRead<T> read) {
        LogLayout layout = layout();
        int partition = layout.partitionOf(user);
        T result = isServed(partition)
                ? readServed(partition, reader -> read.read(reader.user(user), reader))
                : readCopy(partition, reader -> {
                    UserState known = reader.user(user);
                    if (known == null) {
                        throw notServed(partition);
                    }
                    return read.read(known, reader);
                });
        expectUnchanged(layout);
        return result;
    }

    /**
     * Checks that a wider log has not replaced the log during a read. Otherwise the read used the wrong partitions.
     *
     * @param layout used by the read
     * @throws NotReadyException if the layout is another one now
     */
    public void expectUnchanged(LogLayout layout) {
        if (layout() != layout) {
            throw new NotReadyException("the log has been widened at this moment");
        }
    }

    /** Reads from this partition. @throws NotReadyException while it is not served here */
    public <T extends @Nullable Object> T read(int partition, Function<UserReader, T> read) {
        // If it is not served, its stores are on another node, or lack some of the requests that were answered.
        return isServed(partition) ? readServed(partition, read) : readCopy(partition, read);
    }

    /** Reads from each of these partitions. */
    public <T extends @Nullable Object> List<T> readEach(List<Integer> partitions, Function<UserReader, T> read) {
        return partitions.stream().map(partition -> read(partition, read)).toList();
    }

    /** Whether a user belongs to one of these partitions. @param user the bytes of the key */
    public boolean isAmong(List<Integer> partitions, byte[] user) {
        return partitions.contains(layout().partitionOf(user));
    }

    private <T extends @Nullable Object> T readServed(int partition, Function<UserReader, T> read) {
        try {
            return read.apply(readers.computeIfAbsent(partition, number -> reader(source.stores(), number)));
        } catch (InvalidStateStoreException _) {
            // The store was closed or has moved: the next read opens it again.
            readers.remove(partition);
            throw notServed(partition);
        }
    }

    private <T extends @Nullable Object> T readCopy(int partition, Function<UserReader, T> read) {
        Staleness staleness = Staleness.current();
        if (staleness == null) {
            throw notServed(partition);
        }
        Long lag = source.lag().apply(partition);
        if (lag == null || lag > staleness.maxLag()) {
            throw notServed(partition);
        }
        try {
            T result = read.apply(copies.computeIfAbsent(partition, number -> reader(source.copies(), number)));
            staleness.note(lag);
            return result;
        } catch (InvalidStateStoreException _) {
            copies.remove(partition);
            throw notServed(partition);
        } catch (NotReadyException e) {
            throw e;
        } catch (Refused e) {
            staleness.note(lag);
            throw e;
        } catch (RuntimeException e) {
            // The stores of a copy are updated one after the other: they may contain a user, but not yet a page of its
            // history.
            throw new NotReadyException(
                    "the stores of the copy of partition " + partition + " are not consistent now", e);
        }
    }

    private static NotReadyException notServed(int partition) {
        return new NotReadyException(
                new StorePartition(Stores.USERS, partition), "partition " + partition + " is not served here now");
    }

    private static UserReader reader(StoreOpener stores, int partition) {
        return new UserReader(name -> stores.open(name, partition));
    }
}
