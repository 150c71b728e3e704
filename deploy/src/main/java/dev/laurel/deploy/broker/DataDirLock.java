package dev.laurel.deploy.broker;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.LocalFiles;
import java.io.IOException;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/**
 * Locks a data directory for one broker. An operating system lock decides, which a killed process loses; a file
 * beside it names the process that holds the lock and its address.
 *
 * <p>That file also protects the lock within one process: on POSIX, opening and closing the locked file a second time
 * would silently release the lock. A directory that this process holds according to the file is therefore refused
 * before its lock file is opened.
 */
record DataDirLock(Path note, FileChannel channel) implements AutoCloseable {
    private static final String LOCK_FILE = "laurel.lock";
    private static final String NOTE_FILE = "laurel.running";

    /** The start time of another process is exact to the clock tick of the boot time, which itself may drift. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(5);

    /**
     * Locks the directory for a broker at {@code bootstrapServers}.
     *
     * @throws CommandFailed if another broker has locked it
     */
    static DataDirLock take(Path dataDir, String bootstrapServers) throws IOException {
        Optional<Holder> noted = read(dataDir);
        if (noted.filter(Holder::isThisProcess).isPresent()) {
            throw inUse(dataDir, noted);
        }
        FileChannel channel = LocalFiles.lock(dataDir.resolve(LOCK_FILE));
        if (channel == null) {
            throw inUse(dataDir, noted);
        }
        try {
            Path note = dataDir.resolve(NOTE_FILE);
            write(note, new Holder(ProcessHandle.current().pid(), ownStartMs(), bootstrapServers));
            return new DataDirLock(note, channel);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    /**
     * Returns the port of the last broker if it was killed, otherwise 0. With the same port, the transaction
     * coordinator can continue with the addresses in its log instead of searching for itself.
     */
    static int portBeforeTheKill(Path dataDir) {
        String address = read(dataDir)
                .filter(holder -> !holder.isAlive())
                .map(Holder::bootstrapServers)
                .orElse("");
        try {
            return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(note);
        channel.close();
    }

    private static CommandFailed inUse(Path dataDir, Optional<Holder> holder) {
        String process = holder.map(noted -> " (process " + noted.pid() + ", " + noted.bootstrapServers() + ")")
                .orElse("");
        return new CommandFailed("data directory " + dataDir + " is in use by another broker" + process);
    }

    private static Optional<Holder> read(Path dataDir) {
        try {
            Properties noted = new Properties();
            noted.load(new StringReader(Files.readString(dataDir.resolve(NOTE_FILE))));
            return Optional.of(new Holder(
                    Long.parseLong(noted.getProperty("pid", "")),
                    Long.parseLong(noted.getProperty("startMs", "")),
                    noted.getProperty("bootstrapServers", "")));
        } catch (IOException | IllegalArgumentException absentOrUnreadable) {
            // The file only informs; the lock decides without it.
            return Optional.empty();
        }
    }

    private static void write(Path note, Holder holder) throws IOException {
        String text = "pid=" + holder.pid() + "\nstartMs=" + holder.startMs() + "\nbootstrapServers="
                + holder.bootstrapServers() + "\n";
        LocalFiles.replace(note, note.resolveSibling(NOTE_FILE + ".tmp"), text.getBytes(StandardCharsets.UTF_8));
    }

    private static long ownStartMs() {
        return ManagementFactory.getRuntimeMXBean().getStartTime();
    }

    private record Holder(long pid, long startMs, String bootstrapServers) {
        boolean isThisProcess() {
            return pid == ProcessHandle.current().pid() && startMs == ownStartMs();
        }

        boolean isAlive() {
            return ProcessHandle.of(pid)
                    .filter(ProcessHandle::isAlive)
                    .filter(process -> startedAbout(process.info().startInstant()))
                    .isPresent();
        }

        private boolean startedAbout(Optional<Instant> start) {
            return start.map(at ->
                            Duration.between(at, Instant.ofEpochMilli(startMs)).abs())
                    .map(apart -> apart.compareTo(START_TOLERANCE) <= 0)
                    .orElse(true);
        }
    }
}
