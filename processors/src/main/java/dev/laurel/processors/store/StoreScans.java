package dev.laurel.processors.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** Bounded scans of a range of keys, closed before anything is changed. The end of a range is never a key. */
public final class StoreScans {

    /** The limit of scans without one. */
    public static final int ALL = Integer.MAX_VALUE;

    public static final ByteArraySerializer PREFIX = new ByteArraySerializer();

    private StoreScans() {}

    /** Reads the entries in [from, to), at most {@code limit}. @param to null: the end of the store */
    public static <T> List<T> read(
            ReadOnlyKeyValueStore<Bytes, byte[]> store,
            Bytes from,
            @Nullable Bytes to,
            int limit,
            Function<KeyValue<Bytes, byte[]>, T> reader) {
        return read(store.range(from, to), limit, reader);
    }

    /** Reads the entries whose keys begin with a prefix, at most {@code limit}. */
    public static <T> List<T> read(
            ReadOnlyKeyValueStore<Bytes, byte[]> store,
            byte[] prefix,
            int limit,
            Function<KeyValue<Bytes, byte[]>, T> reader) {
        return read(store.prefixScan(prefix, PREFIX), limit, reader);
    }

    /**
     * Reads the next entries whose keys begin with a prefix, at most {@code limit}.
     *
     * @param last the key that they follow, which need not exist, nor begin with the prefix; null: from the first
     */
    public static <T> List<T> next(
            ReadOnlyKeyValueStore<Bytes, byte[]> store,
            byte[] prefix,
            @Nullable Bytes last,
            int limit,
            Function<KeyValue<Bytes, byte[]>, T> reader) {
        Bytes first = Bytes.wrap(prefix);
        Bytes from = last == null || last.compareTo(first) < 0 ? first : StoreKeys.after(last);
        Bytes end = StoreKeys.afterAllWith(prefix.clone());
        return from.compareTo(end) >= 0 ? List.of() : read(store, from, end, limit, reader);
    }

    /** Reads the next entries, at most {@code limit}, and closes the iterator. */
    public static <T> List<T> read(
            KeyValueIterator<Bytes, byte[]> entries, int limit, Function<KeyValue<Bytes, byte[]>, T> reader) {
        var some = new ArrayList<T>();
        try (entries) {
            while (entries.hasNext() && some.size() < limit) {
                some.add(reader.apply(entries.next()));
            }
        }
        return some;
    }

    public static List<KeyValue<Bytes, byte[]>> entries(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, Bytes from, Bytes to, int limit) {
        return read(store, from, to, limit, entry -> entry);
    }

    public static List<Bytes> keys(ReadOnlyKeyValueStore<Bytes, byte[]> store, Bytes from, Bytes to, int limit) {
        return read(store, from, to, limit, entry -> entry.key);
    }

    /** The first key that begins with a prefix; null if there is none. */
    public static @Nullable Bytes firstKey(ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] prefix) {
        return firstKey(store, Bytes.wrap(prefix), StoreKeys.afterAllWith(prefix.clone()));
    }

    /** The first key in [from, to); null if there is none. */
    public static @Nullable Bytes firstKey(ReadOnlyKeyValueStore<Bytes, byte[]> store, Bytes from, Bytes to) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, to)) {
            return entries.hasNext() ? entries.next().key : null;
        }
    }

    /** Finds the groups that have entries, by one scan for each group, however many entries it has. */
    public static <G> void groups(
            ReadOnlyKeyValueStore<Bytes, byte[]> store,
            Bytes first,
            Bytes end,
            Function<Bytes, G> groupOf,
            Function<G, Bytes> afterGroup,
            Consumer<G> found) {
        Bytes next = firstKey(store, first, end);
        while (next != null) {
            G group = groupOf.apply(next);
            found.accept(group);
            next = firstKey(store, afterGroup.apply(group), end);
        }
    }

    /** A store whose reads are those of another one. */
    public interface ForwardedReads extends ReadOnlyKeyValueStore<Bytes, byte[]> {

        /** The other store. Called for each read. */
        ReadOnlyKeyValueStore<Bytes, byte[]> wrapped();

        @Override
        default byte @Nullable [] get(Bytes key) {
            return wrapped().get(key);
        }

        @Override
        default KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
            return wrapped().range(from, to);
        }

        @Override
        default KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
            return wrapped().reverseRange(from, to);
        }

        @Override
        default KeyValueIterator<Bytes, byte[]> all() {
            return wrapped().all();
        }

        @Override
        default KeyValueIterator<Bytes, byte[]> reverseAll() {
            return wrapped().reverseAll();
        }

        @Override
        default <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, S serializer) {
            return wrapped().prefixScan(prefix, serializer);
        }

        @Override
        default long approximateNumEntries() {
            return wrapped().approximateNumEntries();
        }
    }
}
