package dev.laurel.deploy.tools.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.deploy.tools.replay.CopiedState.StoreCopy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreCopyTest {

    @TempDir
    private Path dir;

    @AutoClose
    private StoreCopy copy;

    @BeforeEach
    void fill() {
        copy = new StoreCopy(dir.resolve("copy"), List.of("users", "timers"));
        for (String key : List.of("c", "a", "b", "bb")) {
            put("users", 1, key);
        }
        put("users", 0, "other-partition");
        put("users", 2, "other-partition");
        put("timers", 1, "other-store");
    }

    private void put(String store, int partition, String key) {
        copy.put(store, partition, key.getBytes(UTF_8), ("value of " + key).getBytes(UTF_8));
    }

    @Test
    void shouldSeparateStoresAndPartitions() {
        var users = copy.store("users", 1);

        assertEquals("value of b", new String(users.get(key("b")), UTF_8));
        assertNull(users.get(key("other-partition")));
        assertEquals(List.of("a", "b", "bb", "c"), keys(users.all()));
        assertEquals(List.of("other-store"), keys(copy.store("timers", 1).all()));
        assertEquals(List.of(), keys(copy.store("timers", 0).all()));
    }

    @Test
    void shouldReadRangesWithInclusiveBounds() {
        var users = copy.store("users", 1);

        assertEquals(List.of("b", "bb", "c"), keys(users.range(key("b"), key("c"))));
        assertEquals(List.of("a", "b"), keys(users.range(null, key("b"))));
        assertEquals(List.of("bb", "b"), keys(users.reverseRange(key("b"), key("bb"))));
        assertEquals(
                List.of("b", "bb"), keys(users.prefixScan("b", Serdes.String().serializer())));
    }

    @Test
    void shouldDeleteEntry() {
        copy.put("users", 1, "b".getBytes(UTF_8), null);

        assertEquals(List.of("a", "bb", "c"), keys(copy.store("users", 1).all()));
    }

    private static Bytes key(String key) {
        return Bytes.wrap(key.getBytes(UTF_8));
    }

    private static List<String> keys(KeyValueIterator<Bytes, byte[]> entries) {
        var keys = new ArrayList<String>();
        try (entries) {
            while (entries.hasNext()) {
                var entry = entries.next();
                assertEquals("value of " + new String(entry.key.get(), UTF_8), new String(entry.value, UTF_8));
                keys.add(new String(entry.key.get(), UTF_8));
            }
        }
        return keys;
    }
}
