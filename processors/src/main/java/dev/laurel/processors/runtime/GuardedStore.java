package dev.laurel.processors.runtime;

import java.util.function.BooleanSupplier;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * A store that can be read as long as a condition holds. Afterwards it fails as a closed store does, so that readers look for the
 * store again.
 */
record GuardedStore(ReadOnlyKeyValueStore<Bytes, byte[]> store,
        BooleanSupplier isValid) implements ReadOnlyKeyValueStore<Bytes, byte[]> {

    private ReadOnlyKeyValueStore<Bytes, byte[]> open() {
        if (!isValid.getAsBoolean()) {
            throw new InvalidStateStoreException("another generation is in force");
        }
        return store;
    }

    @Override
    public byte[] get(Bytes key) {
        return open().get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return open().range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return open().reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return open().all();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
        return open().reverseAll();
    }

    @Override
    public <PS extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, PS serializer) {
        return open().prefixScan(prefix, serializer);
    }

    @Override
    public long approximateNumEntries() {
        return open().approximateNumEntries();
    }
}
