package dev.laurel.deploy.tools.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.deploy.tools.replay.OwnedComparison.UsersOf;
import dev.laurel.processors.stream.LogLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

final class OwnedComparisonTest {

    @Test
    void shouldShareTheUsersOfAPartitionAmongThoseOfAWiderLog() {
        var store = Stores.inMemoryKeyValueStore("users").get();
        var users = new TreeSet<String>();
        for (int user = 0; user < 50; user++) {
            users.add("user-" + user);
            store.put(Bytes.wrap(("user-" + user).getBytes(StandardCharsets.UTF_8)), new byte[0]);
        }
        var layout = new LogLayout(3);
        var found = new ArrayList<String>();
        for (int partition = 0; partition < 3; partition++) {
            try (var entries = new UsersOf(store.all(), layout, partition)) {
                while (entries.hasNext()) {
                    Bytes next = entries.peekNextKey();
                    assertEquals(next, entries.next().key);
                    assertEquals(partition, layout.partitionOf(next.get()));
                    found.add(new String(next.get(), StandardCharsets.UTF_8));
                }
                assertThrows(NoSuchElementException.class, entries::next);
            }
        }

        assertEquals(50, found.size());
        assertEquals(users, new TreeSet<>(found));
    }
}
