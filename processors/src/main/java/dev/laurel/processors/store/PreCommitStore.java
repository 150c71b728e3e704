package dev.laurel.processors.store;

import java.util.List;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.KeyValueStoreBuilder;
import org.apache.kafka.streams.state.internals.WrappedStateStore;
import org.jspecify.annotations.Nullable;

/**
 * A store that lets its task write what it has only in memory before each commit, in the same transaction. Kafka Streams has no call
 * for that in its API, so this uses the one by which it writes record caches: before each commit of a task it flushes the cache of
 * every store, and then the producer. Copies of the store have no task and write nothing. One task, one thread, except for reads.
 */
public final class PreCommitStore extends WrappedStateStore<KeyValueStore<Bytes, byte[]>, Bytes, byte[]>
        implements KeyValueStore<Bytes, byte[]>, StoreScans.ForwardedReads {

    private static final Runnable NOTHING = () -> {};

    private Runnable action = NOTHING;

    public PreCommitStore(KeyValueStore<Bytes, byte[]> store) {
        super(store);
    }

    /**
     * The builder of a store in RocksDB, with a changelog topic of its own.
     *
     * @param isPreCommit whether it is one of these stores
     */
    public static StoreBuilder<?> builder(String name, boolean isPreCommit, boolean isCached) {
        var builder =
                new KeyValueStoreBuilder<>(
                        Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray(), Time.SYSTEM) {
                    @Override
                    public KeyValueStore<Bytes, byte[]> build() {
                        return isPreCommit ? new PreCommitStore(super.build()) : super.build();
                    }
                };
        return isCached ? builder.withCachingEnabled() : builder.withCachingDisabled();
    }

    /**
     * Adds what runs before each commit, until the store is opened again.
     *
     * @param store as the task sees it, which may be in a wrapper of Kafka Streams
     */
    public static void beforeCommit(StateStore store, Runnable action) {
        PreCommitStore found = store instanceof PreCommitStore own
                ? own
                : store instanceof WrappedStateStore<?, ?, ?> wrapper ? wrapper.findInner(PreCommitStore.class) : null;
        if (found == null) {
            throw new IllegalStateException("nothing can run before commits of the store " + store.name());
        }
        Runnable former = found.action;
        found.action = former == NOTHING
                ? action
                : () -> {
                    former.run();
                    action.run();
                };
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        action = NOTHING;
        super.init(context, root);
    }

    @Override
    public void flushCache() {
        action.run();
        super.flushCache();
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
        wrapped().put(key, value);
    }

    @Override
    public byte @Nullable [] putIfAbsent(Bytes key, byte[] value) {
        return wrapped().putIfAbsent(key, value);
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        wrapped().putAll(entries);
    }

    @Override
    public byte @Nullable [] delete(Bytes key) {
        return wrapped().delete(key);
    }
}
