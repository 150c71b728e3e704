package dev.laurel.processors.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Bounded scans of a range of keys, closed before anything is changed. The end of a range is never a key. */
final class StoreScans {

    private StoreScans() {}

    static List<KeyValue<Bytes, byte[]>> entries(ReadOnlyKeyValueStore<Bytes, byte[]> store, Bytes from, Bytes to,
            int limit) {
        var some = new ArrayList<KeyValue<Bytes, byte[]>>();
        try (var entries = store.range(from, to)) {
            while (entries.hasNext() && some.size() < limit) {
                some.add(entries.next());
            }
        }
        return some;
    }

    static List<Bytes> keys(ReadOnlyKeyValueStore<Bytes, byte[]> store, Bytes from, Bytes to, int limit) {
        return entries(store, from, to, limit).stream().map(entry -> entry.key).toList();
    }

    /** Finds the groups that have entries, by one look for each group however many entries it has. */
    static <G> void groups(ReadOnlyKeyValueStore<Bytes, byte[]> store, Bytes first, Bytes end,
            Function<Bytes, G> groupOf, Function<G, Bytes> afterGroup, Consumer<G> found) {
        List<Bytes> next = keys(store, first, end, 1);
        while (!next.isEmpty()) {
            G group = groupOf.apply(next.getFirst());
            found.accept(group);
            next = keys(store, afterGroup.apply(group), end, 1);
        }
    }
}
