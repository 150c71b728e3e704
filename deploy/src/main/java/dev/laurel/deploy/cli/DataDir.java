package dev.laurel.deploy.cli;

import dev.laurel.gateway.clock.TestClock;
import dev.laurel.schemas.access.ApiKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.InstantSource;

/**
 * The folder of a standalone instance with its log, its stores and its key. Two files are meant for tools on the same
 * machine: {@code admin-key}, and {@code kafka-address} while the instance runs.
 */
public record DataDir(Path path) {

    public Path kafka() {
        return path.resolve("kafka");
    }

    public Path state() {
        return path.resolve("state");
    }

    public Path keyFile() {
        return path.resolve("admin-key");
    }

    /** File with the virtual time of an instance with a test clock; other instances have none. */
    public Path testClockFile() {
        return path.resolve("test-clock");
    }

    public Path kafkaAddressFile() {
        return path.resolve("kafka-address");
    }

    /** The admin key of the folder. */
    public record Key(String value, boolean isNew) {

        /** Omits the key, because the text may be logged. */
        @Override
        public String toString() {
            return "Key[" + (isNew ? "new" : "kept") + "]";
        }
    }

    public void create() {
        try {
            Files.createDirectories(path);
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailed("the data directory " + path + " is not a directory", e);
        } catch (IOException e) {
            throw new CommandFailed("the data directory " + path + " cannot be created: " + e.getMessage(), e);
        }
    }

    public Key adminKey() {
        try {
            if (Files.exists(keyFile())) {
                return new Key(Files.readString(keyFile()).strip(), false);
            }
            String key = ApiKey.newAdminKey(new SecureRandom()).text();
            writeWhole(keyFile(), key + "\n");
            return new Key(key, true);
        } catch (IOException e) {
            throw new CommandFailed("the key file " + keyFile() + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** @throws CommandFailed if the folder was used with the other kind of time, since both would mix in one log */
    public void expectTimes(boolean areVirtual) {
        boolean wereVirtual = Files.exists(testClockFile());
        if (wereVirtual && !areVirtual) {
            throw new CommandFailed(
                    "the data directory " + path + " was used with a test clock, its times are virtual: "
                            + "start with --test-clock, or use another data directory");
        }
        if (areVirtual && !wereVirtual && Files.exists(state())) {
            throw new CommandFailed(
                    "the data directory " + path + " was used without a test clock, its times are real: "
                            + "start without --test-clock, or use another data directory");
        }
    }

    /** Returns the virtual clock of this folder. The first start creates it with the time of the system. */
    public TestClock testClock() {
        try {
            return TestClock.storedIn(testClockFile(), InstantSource.system());
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw new CommandFailed("the test clock: " + e.getMessage(), e);
        }
    }

    public void writeKafkaAddress(String address) {
        try {
            writeWhole(kafkaAddressFile(), address + "\n");
        } catch (IOException e) {
            throw new CommandFailed("cannot write " + kafkaAddressFile() + ": " + e.getMessage(), e);
        }
    }

    public void removeKafkaAddress() {
        try {
            Files.deleteIfExists(kafkaAddressFile());
        } catch (IOException e) {
            throw new CommandFailed("cannot remove " + kafkaAddressFile() + ": " + e.getMessage(), e);
        }
    }

    /** Writes a file atomically, readable by its owner only. */
    private static void writeWhole(Path file, String text) throws IOException {
        Path draft = Files.createTempFile(file.getParent(), ".draft", "");
        if (Files.getFileStore(draft).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
        }
        Files.writeString(draft, text);
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
