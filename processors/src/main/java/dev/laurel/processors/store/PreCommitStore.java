package dev.laurel.processors.store;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.WrappedStateStore;
import org.jspecify.annotations.Nullable;

/**
 * A store that lets its task write what it has only in memory before each commit, in the same transaction. Kafka Streams has no call
 * for that in its API, so this uses the one by which it writes record caches: before each commit of a task it flushes the cache of
 * every store, and then the producer. Copies of the store have no task and write nothing. One task, one thread, except for reads.
 */
public final class PreCommitStore extends WrappedStateStore<KeyValueStore<Bytes, byte[]>, Bytes, byte[]>
        implements
            KeyValueStore<Bytes, byte[]> {

    private static final Runnable NOTHING = () -> {};

    private Runnable action = NOTHING;

    public PreCommitStore(KeyValueStore<Bytes, byte[]> store) {
        super(store);
    }

    /**
     * Adds what runs before each commit, until the store is opened again.
     *
     * @param store as the task sees it, which may be in a wrapper of Kafka Streams
     */
    public static void beforeCommit(StateStore store, Runnable action) {
        StateStore inner = store;
        while (!(inner instanceof PreCommitStore) && inner instanceof WrappedStateStore<?, ?, ?> wrapper) {
            inner = wrapper.wrapped();
        }
        if (!(inner instanceof PreCommitStore found)) {
            throw new IllegalStateException("nothing can run before commits of the store " + store.name());
        }
        Runnable former = found.action;
        found.action = former == NOTHING ? action : () -> {
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

    @Override
    public byte @Nullable [] get(Bytes key) {
        return wrapped().get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
        return wrapped().range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
        return wrapped().reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return wrapped().all();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
        return wrapped().reverseAll();
    }

    @Override
    public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, S serializer) {
        return wrapped().prefixScan(prefix, serializer);
    }

    @Override
    public long approximateNumEntries() {
        return wrapped().approximateNumEntries();
    }

    /** Builds such stores. */
    public record Builder(StoreBuilder<KeyValueStore<Bytes, byte[]>> inner) implements StoreBuilder<PreCommitStore> {

        @Override
        public StoreBuilder<PreCommitStore> withCachingEnabled() {
            inner.withCachingEnabled();
            return this;
        }

        @Override
        public StoreBuilder<PreCommitStore> withCachingDisabled() {
            inner.withCachingDisabled();
            return this;
        }

        @Override
        public StoreBuilder<PreCommitStore> withLoggingEnabled(Map<String, String> config) {
            inner.withLoggingEnabled(config);
            return this;
        }

        @Override
        public StoreBuilder<PreCommitStore> withLoggingDisabled() {
            inner.withLoggingDisabled();
            return this;
        }

        @Override
        public PreCommitStore build() {
            return new PreCommitStore(inner.build());
        }

        @Override
        public Map<String, String> logConfig() {
            return inner.logConfig();
        }

        @Override
        public boolean loggingEnabled() {
            return inner.loggingEnabled();
        }

        @Override
        public String name() {
            return inner.name();
        }
    }
}
