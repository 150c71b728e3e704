package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.cli.DataDir;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collected facts about a deployment.
 *
 * @param at when they were collected
 * @param cluster null: Kafka could not be reached
 * @param servers processes given by address
 * @param key null: no key is known
 * @param directory null: there is none on this machine
 * @param repair commands for this cluster
 */
record Facts(
        Instant at,
        @Nullable ClusterFacts cluster,
        List<ServerFacts> servers,
        @Nullable KeyFacts key,
        @Nullable DirectoryFacts directory,
        RepairCommands repair) {

    /**
     * The data directory of a process on this machine.
     *
     * @param owner null: the file system has no owners
     * @param user user of this process
     * @param openKey key file that others can read
     */
    record DirectoryFacts(
            String path,
            @Nullable String owner,
            String user,
            boolean isWritable,
            long freeBytes,
            long totalBytes,
            @Nullable String openKey) {

        private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
                PosixFilePermission.GROUP_READ,
                PosixFilePermission.GROUP_WRITE,
                PosixFilePermission.OTHERS_READ,
                PosixFilePermission.OTHERS_WRITE);

        /** Returns null if the directory does not exist. */
        static @Nullable DirectoryFacts of(Path directory) {
            if (!Files.isDirectory(directory)) {
                return null;
            }
            return CommandFailed.attempt("cannot inspect " + directory, () -> {
                FileStore store = Files.getFileStore(directory);
                boolean isPosix = store.supportsFileAttributeView("posix");
                Path key = new DataDir(directory).keyFile();
                boolean isOpen = isPosix
                        && Files.exists(key)
                        && Files.getPosixFilePermissions(key).stream().anyMatch(OTHERS::contains);
                return new DirectoryFacts(
                        directory.toString(),
                        isPosix ? Files.getOwner(directory).getName() : null,
                        System.getProperty("user.name"),
                        Files.isWritable(directory),
                        store.getUsableSpace(),
                        store.getTotalSpace(),
                        isOpen ? key.toString() : null);
            });
        }
    }

    /**
     * The admin key that the command uses.
     *
     * @param isGuessable whether it looks like one typed by hand or copied from an example
     */
    record KeyFacts(String prefix, boolean isGuessable) {

        private static final List<String> WORDS =
                List.of("changeme", "change-me", "example", "secret", "password", "default", "laurel", "0123456789");

        /** Random secrets of 32 letters and digits have more distinct characters. */
        private static final int MIN_DISTINCT = 10;

        /** @param key key as given to servers; not kept */
        static KeyFacts of(String key) {
            int dot = key.indexOf('.');
            String secret = key.substring(dot + 1).toLowerCase(Locale.ROOT);
            boolean isGuessable = secret.chars().distinct().count() < MIN_DISTINCT
                    || WORDS.stream().anyMatch(secret::contains);
            return new KeyFacts(dot < 0 ? "" : key.substring(0, dot), isGuessable);
        }
    }

    /**
     * A process as seen over HTTP.
     *
     * @param unreachable reason why it does not answer
     * @param health status of {@code /healthz}
     * @param ready status of {@code /readyz}
     * @param keyStatus status of a request with the admin key; 0 without a key
     * @param keyRefusal why the key may not do what was asked; null: it may
     * @param ruleset null: the process serves none, or refuses the key
     * @param keys known keys; null: the process does not serve them
     * @param emailsWithheld attempts to send an email that were not made for want of a public URL
     */
    record ServerFacts(
            String url,
            @Nullable String unreachable,
            int health,
            int ready,
            ClusterFacts.@Nullable ClockFacts clock,
            int keyStatus,
            @Nullable String keyRefusal,
            @Nullable RulesetFacts ruleset,
            @Nullable List<AdminKeyBody> keys,
            long emailsWithheld) {

        /** @param issues issues found by the present validation rules */
        record RulesetFacts(long version, List<Issue> issues) {}

        static ServerFacts unreachable(String url, String why) {
            return new ServerFacts(url, why, 0, 0, null, 0, null, null, null, 0);
        }
    }
}
