package dev.laurel.deploy.standalone;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.http.BootstrapKey;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The one folder of a standalone instance: its log, its stores, its key. Two files are for tools on the same machine:
 * {@code admin-key}, and {@code kafka-address} while the instance runs.
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

    public Path kafkaAddressFile() {
        return path.resolve("kafka-address");
    }

    /** The key kept here; made at the first start. */
    record Key(String value, boolean isNew) {}

    void create() {
        try {
            Files.createDirectories(path);
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailed("the data directory " + path + " is not a directory", e);
        } catch (IOException e) {
            throw new CommandFailed("the data directory " + path + " cannot be created: " + e.getMessage(), e);
        }
    }

    Key adminKey() {
        try {
            if (Files.exists(keyFile())) {
                return new Key(Files.readString(keyFile()).strip(), false);
            }
            String key = BootstrapKey.generate();
            writeWhole(keyFile(), key + "\n");
            return new Key(key, true);
        } catch (IOException e) {
            throw new CommandFailed("the key file " + keyFile() + " cannot be used: " + e.getMessage(), e);
        }
    }

    void writeKafkaAddress(String address) {
        try {
            writeWhole(kafkaAddressFile(), address + "\n");
        } catch (IOException e) {
            throw new CommandFailed("cannot write " + kafkaAddressFile() + ": " + e.getMessage(), e);
        }
    }

    void removeKafkaAddress() {
        try {
            Files.deleteIfExists(kafkaAddressFile());
        } catch (IOException e) {
            throw new CommandFailed("cannot remove " + kafkaAddressFile() + ": " + e.getMessage(), e);
        }
    }

    /** All of it or nothing, for the owner's eyes only. */
    private static void writeWhole(Path file, String text) throws IOException {
        Path draft = Files.createTempFile(file.getParent(), ".draft", "");
        if (Files.getFileStore(draft).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
        }
        Files.writeString(draft, text);
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
