package dev.laurel.deploy.cli;

import dev.laurel.gateway.clock.TestClock;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.access.ApiKey;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a standalone instance with its log, its stores and its key. Three files are meant for tools on the same
 * machine: {@code admin-key}, and while the instance runs {@code kafka-address} and {@code server-url}.
 */
public record DataDir(Path path) {

    public Path kafka() {
        return path.resolve("kafka");
    }

    public Path state() {
        return path.resolve("state");
    }

    /** Folder of the rulesets, keys and tenants, which are read from their topics. */
    public Path tables() {
        return path.resolve("tables");
    }

    /** Folder of replays and their reports, if the instance offers them. */
    public Path replays() {
        return path.resolve("replays");
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

    private Path startRulesetFile() {
        return path.resolve("start-ruleset-version");
    }

    private Path serverUrlFile() {
        return path.resolve("server-url");
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
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new CommandFailed("the data directory " + path + " is not a directory");
        }
        CommandFailed.attempt("the data directory " + path + " cannot be created", () -> Files.createDirectories(path));
    }

    public Key adminKey() {
        String kept = keptKey();
        if (kept != null) {
            return new Key(kept, false);
        }
        String key = ApiKey.newAdminKey(new SecureRandom()).text();
        write(keyFile(), key);
        return new Key(key, true);
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
        return CommandFailed.attempt(
                "the test clock", () -> TestClock.storedIn(testClockFile(), InstantSource.system()));
    }

    /**
     * Returns the clock of the instance: that of the system, or the virtual one of an instance with a test clock, which may be
     * moved meanwhile. Records with another time would move the time of all users.
     */
    InstantSource clock() {
        return Files.exists(testClockFile()) ? () -> testClock().instant() : InstantSource.system();
    }

    /** Returns the version of the ruleset after the last start that applied a file; 0 if there was none. */
    public long startRulesetVersion() {
        String text = kept(startRulesetFile());
        return text == null || !text.matches("[0-9]{1,18}") ? 0 : Long.parseLong(text);
    }

    public void keepStartRulesetVersion(long version) {
        write(startRulesetFile(), Long.toString(version));
    }

    /** Returns the key of the folder; null: it has none. */
    public @Nullable String keptKey() {
        return kept(keyFile());
    }

    /** Returns the addresses of the brokers of the running instance; null: they are not known. */
    public @Nullable String keptKafkaAddress() {
        return kept(kafkaAddressFile());
    }

    /** Returns the address of the server of the running instance; null: it is not known. */
    public @Nullable URI keptUrl() {
        String text = kept(serverUrlFile());
        try {
            return text == null ? null : new URI(text);
        } catch (URISyntaxException e) {
            throw new CommandFailed(serverUrlFile() + " is not an address: remove it, or give --url", e);
        }
    }

    private static @Nullable String kept(Path file) {
        String text = Files.exists(file)
                ? CommandFailed.attempt("cannot read " + file, () -> Files.readString(file))
                        .strip()
                : "";
        return text.isEmpty() ? null : text;
    }

    /** Writes the addresses of the brokers for tools. Closing the result removes them, unless others were written since. */
    public AutoCloseable showKafkaAddress(String address) {
        return show(kafkaAddressFile(), address);
    }

    /** Writes the address of the server for tools. Closing the result removes it, unless another was written since. */
    public AutoCloseable showUrl(String url) {
        return show(serverUrlFile(), url);
    }

    private static AutoCloseable show(Path file, String text) {
        write(file, text);
        return () -> {
            if (text.equals(kept(file))) {
                Files.deleteIfExists(file);
            }
        };
    }

    /** Writes a file atomically, readable by its owner only. */
    private static void write(Path file, String line) {
        CommandFailed.attempt("cannot write " + file, () -> {
            Path draft = Files.createTempFile(file.getParent(), ".draft", "");
            if (Files.getFileStore(draft).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
            }
            Files.writeString(draft, line + "\n");
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        });
    }
}
