package dev.laurel.processors.store;

import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/**
 * The entries of a RocksDB whose keys begin with a prefix, for databases that are not stores of Kafka Streams. Readers do not see the
 * prefix. Iterators are for one thread, and must be closed before the database.
 *
 * @param snapshot what is read; null: the present
 * @param failed makes the exception that a failed read throws
 */
public record PrefixedStore(
        RocksDB db, byte[] prefix, @Nullable Snapshot snapshot, Function<RocksDBException, RuntimeException> failed)
        implements ReadOnlyKeyValueStore<Bytes, byte[]> {

    /** A key of the database. */
    public static byte[] join(byte[] prefix, byte[] key) {
        byte[] joined = Arrays.copyOf(prefix, prefix.length + key.length);
        System.arraycopy(key, 0, joined, prefix.length, key.length);
        return joined;
    }

    private ReadOptions options() {
        return new ReadOptions().setSnapshot(snapshot);
    }

    @Override
    public byte @Nullable [] get(Bytes key) {
        try (var options = options()) {
            return db.get(options, join(prefix, key.get()));
        } catch (RocksDBException e) {
            throw failed.apply(e);
        }
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
        return range(from, to, false);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
        return range(from, to, true);
    }

    /** Both bounds are included, as in Kafka Streams; null: no bound. */
    private KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to, boolean backwards) {
        return new Entries(
                from == null ? prefix : join(prefix, from.get()),
                to == null
                        ? StoreKeys.afterAllWith(prefix.clone())
                        : StoreKeys.after(Bytes.wrap(join(prefix, to.get()))),
                backwards);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return range(null, null);
    }

    @Override
    public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P start, S serializer) {
        byte[] first = join(prefix, serializer.serialize(null, start));
        return new Entries(first, StoreKeys.afterAllWith(first.clone()), false);
    }

    @Override
    public long approximateNumEntries() {
        throw new UnsupportedOperationException("the entries with a prefix are not counted");
    }

    private final class Entries implements KeyValueIterator<Bytes, byte[]> {

        private final Slice lower;
        private final Slice upper;
        private final ReadOptions options;
        private final RocksIterator iterator;
        private final boolean backwards;

        /** @param first the first key, with its prefix @param after the key after the last @param backwards from the last to the first */
        Entries(byte[] first, Bytes after, boolean backwards) {
            this.backwards = backwards;
            this.lower = new Slice(first);
            this.upper = new Slice(after.get());
            this.options = options().setIterateLowerBound(lower).setIterateUpperBound(upper);
            this.iterator = db.newIterator(options);
            if (backwards) {
                iterator.seekToLast();
            } else {
                iterator.seekToFirst();
            }
        }

        @Override
        public boolean hasNext() {
            if (iterator.isValid()) {
                return true;
            }
            try {
                iterator.status();
                return false;
            } catch (RocksDBException e) {
                throw failed.apply(e);
            }
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            Bytes key = peekNextKey();
            byte[] value = iterator.value();
            if (backwards) {
                iterator.prev();
            } else {
                iterator.next();
            }
            return KeyValue.pair(key, value);
        }

        @Override
        public Bytes peekNextKey() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            byte[] key = iterator.key();
            return Bytes.wrap(Arrays.copyOfRange(key, prefix.length, key.length));
        }

        @Override
        public void close() {
            iterator.close();
            options.close();
            lower.close();
            upper.close();
        }
    }
}
