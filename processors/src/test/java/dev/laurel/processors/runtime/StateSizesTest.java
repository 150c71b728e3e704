package dev.laurel.processors.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.runtime.StateMeters.StateSizes;
import dev.laurel.processors.runtime.StateMeters.StoreOfPartition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateSizesTest {

    @TempDir
    private Path state;

    private void write(String file, int bytes) throws IOException {
        Path place = state.resolve("laurel-ledger").resolve(file);
        Files.createDirectories(place.getParent());
        Files.write(place, new byte[bytes]);
    }

    @Test
    void shouldSumTheFilesOfEachStore() throws IOException {
        write("0_0/rocksdb/users/000012.sst", 100);
        write("0_0/rocksdb/users/MANIFEST-000004", 11);
        write("0_12/rocksdb/users/000012.sst", 30);
        write("0_0/rocksdb/timers/CURRENT", 5);
        write("0_0/.checkpoint", 999);
        write("kafka-streams-process-metadata", 999);
        Files.createDirectories(state.resolve("laurel-boards/0_0/rocksdb/other"));

        var sizes = new StateSizes(state.resolve("laurel-ledger"));

        assertEquals(
                Map.of(
                        new StoreOfPartition("users", 0),
                        111L,
                        new StoreOfPartition("users", 12),
                        30L,
                        new StoreOfPartition("timers", 0),
                        5L),
                sizes.read());
        assertTrue(sizes.freeBytes() > 0);
        assertTrue(sizes.diskBytes() >= sizes.freeBytes());
    }

    @Test
    void shouldBeEmptyWithoutAFolder() {
        var sizes = new StateSizes(state.resolve("laurel-ledger"));

        assertEquals(Map.of(), sizes.read());
        assertEquals(0, sizes.diskBytes());
    }
}
