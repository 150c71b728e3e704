package dev.laurel.deploy.tools.topics;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.command.CommandFailed;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BackupFolderTest {

    @TempDir
    private Path root;

    /** An interrupted run leaves segments; those of a new cluster must not follow them. */
    @Test
    void shouldRefuseTopicsOfAnotherCluster() {
        try (var folder = BackupFolder.open(root)) {
            folder.begin(Map.of("laurel.commands", "a", "laurel.rulesets", "b"));
        }
        try (var folder = BackupFolder.open(root)) {
            folder.begin(Map.of("laurel.commands", "a", "laurel.commands-g2", "c"));

            var refused = assertThrows(CommandFailed.class, () -> folder.begin(Map.of("laurel.commands-g2", "x")));
            assertTrue(
                    refused.getMessage().endsWith("has a backup of another laurel.commands-g2: use an empty folder"),
                    refused.getMessage());
            assertThrows(CommandFailed.class, () -> folder.begin(Map.of("laurel.rulesets", "a")));
        }
    }
}
