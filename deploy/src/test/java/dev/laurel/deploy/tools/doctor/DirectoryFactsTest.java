package dev.laurel.deploy.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DirectoryFactsTest {

    @TempDir
    private Path dir;

    @Test
    void shouldFindKeyThatOthersCanRead() throws IOException {
        Path key = Files.writeString(dir.resolve("admin-key"), "key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));

        Facts.DirectoryFacts facts = Facts.DirectoryFacts.of(dir);
        assertNull(facts.openKey());
        assertTrue(facts.isWritable());
        assertEquals(Files.getOwner(dir).getName(), facts.owner());
        assertTrue(facts.freeBytes() > 0 && facts.freeBytes() <= facts.totalBytes());

        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
        assertEquals(key.toString(), Facts.DirectoryFacts.of(dir).openKey());
    }

    @Test
    void shouldReturnNullIfDirectoryIsMissing() {
        assertNull(Facts.DirectoryFacts.of(dir.resolve("nowhere")));
    }
}
