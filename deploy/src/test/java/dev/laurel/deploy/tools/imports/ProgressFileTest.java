package dev.laurel.deploy.tools.imports;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.deploy.tools.imports.ProgressFile.Checkpoint;
import dev.laurel.platform.command.CommandFailed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgressFileTest {

    @TempDir
    private Path dir;

    private Path path;

    @BeforeEach
    void choosePath() {
        path = dir.resolve("a.progress");
    }

    @Test
    void shouldReadLastProgress() {
        var progress = new ProgressFile.Progress(
                -2,
                "AAAAAAAAAAAAAAAAAAAAAQ",
                new Checkpoint(new ImportSource.Position(3, 77, "ab"), new long[] {1, Long.MAX_VALUE}, 2, 1));
        try (ProgressFile file = ProgressFile.open(path)) {
            assertNull(file.read());
            file.write(progress.at(new Checkpoint(new ImportSource.Position(0, 0, ""), new long[] {0, 0}, 0, 0)));
            file.write(progress);
        }

        try (ProgressFile file = ProgressFile.open(path)) {
            ProgressFile.Progress read = file.read();
            assertEquals(-2, read.importId());
            assertEquals(progress.target(), read.target());
            assertEquals(
                    new ImportSource.Position(3, 77, "ab"), read.checkpoint().position());
            assertArrayEquals(new long[] {1, Long.MAX_VALUE}, read.checkpoint().offsets());
            assertEquals(
                    List.of(2L, 1L),
                    List.of(read.checkpoint().written(), read.checkpoint().refused()));
        }
    }

    @Test
    void shouldRefuseSecondImport() {
        try (ProgressFile _ = ProgressFile.open(path)) {
            assertThrows(CommandFailed.class, () -> ProgressFile.open(path));
        }
    }

    @Test
    void shouldRefuseOtherFile() throws Exception {
        Files.writeString(path, "{\"time\":\"2026-03-04T09:15:00Z\"}\n");
        try (ProgressFile file = ProgressFile.open(path)) {
            assertThrows(CommandFailed.class, file::read);
        }
    }
}
