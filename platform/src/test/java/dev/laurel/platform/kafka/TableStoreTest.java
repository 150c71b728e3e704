package dev.laurel.platform.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.platform.kafka.Follower.Position.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableStoreTest {

    private static final Uuid TOPIC = Uuid.randomUuid();
    private static final long NOW = 1_000_000_000_000L;
    private static final String NAME = "topic";

    @TempDir
    private Path path;

    private static Position at(long next) {
        return new Position(1, NOW, Map.of(new TopicPartition(NAME, 0), new Place(TOPIC, next)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void shouldWriteEntriesTogetherWithThePosition() {
        try (TableFolder folder = TableFolder.at(path);
                TableStore store = folder.open(NAME)) {
            store.put(bytes("ida"), bytes("1"));
            assertNull(store.get(bytes("ida")), "other threads see what has been written");
            assertArrayEquals(bytes("1"), store.getPut(bytes("ida")));
            assertNull(store.position());

            store.write(at(7));
            assertArrayEquals(bytes("1"), store.get(bytes("ida")));

            store.put(bytes("ida"), null);
            store.put(bytes("bo"), bytes("2"));
        }
        try (TableFolder folder = TableFolder.at(path);
                TableStore store = folder.open(NAME)) {
            assertEquals(at(7), store.position());
            assertArrayEquals(bytes("1"), store.get(bytes("ida")));
            assertNull(store.get(bytes("bo")), "it was not written");
        }
    }

    /** A copy of the files of an open store is what a process finds after a kill. */
    @Test
    void shouldFindWhatWasWrittenBeforeAKill() throws IOException {
        Path copy = path.resolve("copy");
        try (TableFolder folder = TableFolder.at(path.resolve("original"));
                TableStore store = folder.open(NAME)) {
            for (int i = 0; i < 1_000; i++) {
                store.put(bytes("user-" + i), new byte[10_000]);
                store.write(at(i + 1));
            }
            store.put(bytes("user-1000"), new byte[10_000]);
            for (int attempt = 1; !isCopied(path.resolve("original"), copy); attempt++) {
                assertTrue(attempt < 10, "RocksDB deletes files all the time");
            }
        }
        try (TableFolder folder = TableFolder.at(copy);
                TableStore store = folder.open(NAME)) {
            assertEquals(at(1_000), store.position());
            var keys = new ArrayList<String>();
            store.visit(bytes("user-"), bytes("user-"), (key, _) -> keys.add(new String(key, UTF_8)));
            assertEquals(1_000, keys.size());
            assertFalse(keys.contains("user-1000"));
        }
    }

    /** Returns false if RocksDB has deleted a file meanwhile, which it does when it has written the entries to another one. */
    private static boolean isCopied(Path from, Path to) throws IOException {
        TableStore.delete(to);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    @Test
    void shouldVisitTheKeysWithAPrefixInTheirOrder() {
        try (TableFolder folder = TableFolder.at(path);
                TableStore store = folder.open(NAME)) {
            for (String key : List.of("b2", "a", "b", "b1", "b3", "c")) {
                store.put(bytes(key), bytes(key));
            }
            store.write(at(0));

            assertEquals(List.of("b", "b1", "b2", "b3"), visited(store, "b", 9));
            assertEquals(List.of("b1", "b2"), visited(store, "b1", 2));
        }
    }

    private static List<String> visited(TableStore store, String from, int limit) {
        var keys = new ArrayList<String>();
        store.visit(bytes("b"), bytes(from), (key, value) -> {
            assertArrayEquals(key, value);
            keys.add(new String(key, UTF_8));
            return keys.size() < limit;
        });
        return keys;
    }

    @Test
    void shouldBeginAnewWithoutWhatCannotBeRead() throws IOException {
        try (TableFolder folder = TableFolder.at(path);
                TableStore store = folder.open(NAME)) {
            store.put(bytes("ida"), bytes("1"));
            store.write(at(7));
        }
        Files.writeString(path.resolve(NAME).resolve("CURRENT"), "nonsense");
        try (TableFolder folder = TableFolder.at(path);
                TableStore store = folder.open(NAME)) {
            assertNull(store.position());
            assertNull(store.get(bytes("ida")));
            store.put(bytes("ida"), bytes("2"));
            store.write(at(7));
            store.discard("a test");
        }
        try (TableFolder folder = TableFolder.at(path);
                TableStore store = folder.open(NAME)) {
            assertNull(store.position());
            assertNull(store.get(bytes("ida")));
        }
    }

    @Test
    void shouldForgetAllWhenItIsCleared() {
        try (TableFolder folder = TableFolder.at(path);
                TableStore store = folder.open(NAME)) {
            store.put(bytes("ida"), bytes("1"));
            store.write(at(7));
            store.put(bytes("bo"), bytes("2"));

            store.clear();

            assertNull(store.position());
            assertNull(store.get(bytes("ida")));
            assertNull(store.getPut(bytes("bo")));
        }
    }

    @Test
    void shouldRefuseToReadAfterItIsClosed() {
        try (TableFolder folder = TableFolder.at(path)) {
            TableStore store = folder.open(NAME);
            store.close();
            assertThrows(IllegalStateException.class, () -> store.get(bytes("ida")));
        }
    }

    @Test
    void shouldGiveAFolderToOneProcess() throws IOException {
        try (TableFolder _ = TableFolder.at(path)) {
            String message = assertThrows(CommandFailed.class, () -> TableFolder.at(path))
                    .getMessage();
            assertEquals(
                    "the folder " + path + " is in use by another process; give each a folder of its own", message);
        }
        TableFolder.at(path).close();
        Path file = Files.createFile(path.resolve("file"));
        assertTrue(assertThrows(CommandFailed.class, () -> TableFolder.at(file))
                .getMessage()
                .startsWith("the folder " + file + " cannot be used for tables: "));
    }
}
