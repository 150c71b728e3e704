package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.store.StoreNames;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/** Iterates over a store of both states in key order and visits each key of either once. */
final class PairedEntries {

    /**
     * An entry of at least one state.
     *
     * @param live null: missing
     * @param other null: missing
     */
    record Pair(Bytes key, byte @Nullable [] live, byte @Nullable [] other) {}

    private PairedEntries() {}

    static void users(ComparedState live, ComparedState other, int partition, Consumer<byte[]> visitor) {
        entries(live, other, StoreNames.USERS, partition, pair -> visitor.accept(pair.key().get()));
    }

    static void entries(ComparedState live, ComparedState other, String store, int partition, Consumer<Pair> visitor) {
        try (KeyValueIterator<Bytes, byte[]> left = live.all(store, partition);
                KeyValueIterator<Bytes, byte[]> right = other.all(store, partition)) {
            KeyValue<Bytes, byte[]> one = next(left);
            KeyValue<Bytes, byte[]> two = next(right);
            while (one != null && two != null) {
                int order = one.key.compareTo(two.key);
                visitor.accept(new Pair(order <= 0 ? one.key : two.key, order <= 0 ? one.value : null,
                        order >= 0 ? two.value : null));
                one = order <= 0 ? next(left) : one;
                two = order >= 0 ? next(right) : two;
            }
            for (; one != null; one = next(left)) {
                visitor.accept(new Pair(one.key, one.value, null));
            }
            for (; two != null; two = next(right)) {
                visitor.accept(new Pair(two.key, null, two.value));
            }
        }
    }

    private static @Nullable KeyValue<Bytes, byte[]> next(KeyValueIterator<Bytes, byte[]> entries) {
        return entries.hasNext() ? entries.next() : null;
    }
}
