package dev.laurel.processors.store;

import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * The entries of a RocksDB in a range of keys, for databases that are not stores of Kafka Streams. All keys of the range have a prefix,
 * which is not part of the keys that this shows. For one thread; must be closed before the database.
 */
public final class RocksRange implements KeyValueIterator<Bytes, byte[]> {

    private final int prefix;
    private final Slice lower;
    private final Slice upper;
    private final ReadOptions options;
    private final RocksIterator iterator;
    private final boolean backwards;
    private final Function<RocksDBException, RuntimeException> failed;

    /**
     * The keys to show.
     *
     * @param prefix the length of the prefix
     * @param first the first key, with its prefix
     * @param after the key after the last, with its prefix
     * @param backwards from the last to the first
     */
    public record Range(int prefix, byte[] first, byte[] after, boolean backwards) {}

    /**
     * @param options what is read, such as a snapshot; this sets the bounds, and closes them
     * @param failed makes the exception that a failed read throws
     */
    public RocksRange(RocksDB db, ReadOptions options, Range range,
            Function<RocksDBException, RuntimeException> failed) {
        this.prefix = range.prefix;
        this.backwards = range.backwards;
        this.failed = failed;
        this.lower = new Slice(range.first);
        this.upper = new Slice(range.after);
        this.options = options.setIterateLowerBound(lower).setIterateUpperBound(upper);
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
        return Bytes.wrap(Arrays.copyOfRange(key, prefix, key.length));
    }

    @Override
    public void close() {
        iterator.close();
        options.close();
        lower.close();
        upper.close();
    }
}
