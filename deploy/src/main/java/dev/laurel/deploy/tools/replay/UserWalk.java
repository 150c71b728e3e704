package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.store.StoreNames;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/** Goes through a store of both states side by side, in the order of keys: what either of them has, once. */
final class UserWalk {

    /** An entry of at least one of the two. @param live null if it is not there, as is {@code other} */
    record Pair(Bytes key, byte[] live, byte[] other) {}

    private UserWalk() {}

    static void users(State live, State other, int partition, Consumer<byte[]> visitor) {
        entries(live, other, StoreNames.USERS, partition, pair -> visitor.accept(pair.key().get()));
    }

    static void entries(State live, State other, String store, int partition, Consumer<Pair> visitor) {
        try (KeyValueIterator<Bytes, byte[]> left = live.all(store, partition);
                KeyValueIterator<Bytes, byte[]> right = other.all(store, partition)) {
            KeyValue<Bytes, byte[]> one = next(left);
            KeyValue<Bytes, byte[]> two = next(right);
            while (one != null || two != null) {
                int order = one == null ? 1 : two == null ? -1 : one.key.compareTo(two.key);
                visitor.accept(new Pair(order <= 0 ? one.key : two.key, order <= 0 ? one.value : null,
                        order >= 0 ? two.value : null));
                one = order <= 0 ? next(left) : one;
                two = order >= 0 ? next(right) : two;
            }
        }
    }

    private static KeyValue<Bytes, byte[]> next(KeyValueIterator<Bytes, byte[]> entries) {
        return entries.hasNext() ? entries.next() : null;
    }
}
