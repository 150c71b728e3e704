package dev.laurel.deploy.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.platform.command.CommandFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretFileTest {

    private static final String SECRET = "swimming.0123456789abcdef";

    @TempDir
    private Path dir;

    @Test
    void shouldStripWhiteSpaceAroundASecret() throws IOException {
        assertEquals(SECRET, SecretFile.read("--key-file", file(" " + SECRET + "\n\n")));
    }

    @ParameterizedTest
    @CsvSource({"rw-------,false", "rw-r-----,false", "rw-r--r--,true", "rwxrwxrwx,true"})
    void shouldDetectAFileReadableByEverybody(String permissions, boolean isOpen) throws IOException {
        Path file = file(SECRET);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));

        assertEquals(isOpen, SecretFile.isOpen(file));
    }

    @Test
    void shouldNameTheFileWithoutASecret() throws IOException {
        Path none = dir.resolve("none");
        Path empty = file(" \n");

        assertEquals("--key-file: there is no file " + none, refusal(none));
        assertEquals("--key-file: " + empty + " is empty", refusal(empty));
        assertTrue(refusal(dir).startsWith("--key-file: cannot read " + dir), refusal(dir));
    }

    @Test
    void shouldRefuseBothASecretAndAFile() throws IOException {
        Path file = file(SECRET);

        assertNull(SecretFile.either("--key", null, null));
        assertEquals("given", SecretFile.either("--key", "given", null));
        assertEquals(SECRET, SecretFile.either("--key", null, file));
        assertEquals(
                "--key and --key-file exclude each other: give one of them",
                assertThrows(CommandFailed.class, () -> SecretFile.either("--key", "given", file))
                        .getMessage());
    }

    @Test
    void shouldNotPrintAMalformedKey() throws IOException {
        CommandRun run = gateway("--admin-key-file", file("swim-faster").toString());

        assertEquals(1, run.exitCode());
        assertTrue(run.err().startsWith("laurel: --admin-key-file: an admin key is 8 letters or digits"), run.err());
        assertFalse(run.err().contains("swim-faster"), run.err());
    }

    @Test
    void shouldRequireAnAdminKey() {
        CommandRun run = gateway();

        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("'--admin-key-file=FILE'"), run.err());
    }

    @Test
    void shouldRequireCertificateAndKeyTogether() throws IOException {
        CommandRun run = gateway("--admin-key", SECRET, "--tls-cert", "tls.crt");

        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("--tls-cert and --tls-key belong together"), run.err());
    }

    /** Runs a gateway without a Kafka. */
    private static CommandRun gateway(String... options) {
        var all = new String[options.length + 3];
        all[0] = "gateway";
        all[1] = "--kafka";
        all[2] = "127.0.0.1:1";
        System.arraycopy(options, 0, all, 3, options.length);
        return CommandRun.of(all);
    }

    private String refusal(Path file) {
        return assertThrows(CommandFailed.class, () -> SecretFile.read("--key-file", file))
                .getMessage();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(dir, "secret", ""), text);
    }
}
