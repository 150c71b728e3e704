package dev.laurel.deploy.broker;

import java.io.IOException;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/**
 * Gives a data directory to one broker at a time. An operating system lock decides, which a killed process loses by
 * itself; a note beside it says who holds the directory and where it can be reached.
 *
 * <p>The note is also what protects the lock within one process: on POSIX, opening and closing the locked file a second
 * time would silently drop the lock, so a directory whose note is our own is refused before its lock file is touched.
 */
final class DataDirLock implements AutoCloseable {
    private static final String LOCK_FILE = "laurel.lock";
    private static final String NOTE_FILE = "laurel.running";

    /** Seen from another process a start time is exact to the clock tick of the boot time, which itself may drift. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(5);

    private final Path note;
    private final FileChannel channel;
    private final FileLock lock;

    private DataDirLock(Path note, FileChannel channel, FileLock lock) {
        this.note = note;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Takes the directory for a broker that will answer at {@code bootstrapServers}.
     *
     * @throws BrokerStartFailed when another broker has it
     */
    static DataDirLock take(Path dataDir, String bootstrapServers) throws IOException {
        Optional<Holder> noted = read(dataDir);
        if (noted.filter(Holder::isThisProcess).isPresent()) {
            throw inUse(dataDir, noted);
        }
        FileChannel channel = FileChannel.open(dataDir.resolve(LOCK_FILE), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw inUse(dataDir, noted);
            }
            Path note = dataDir.resolve(NOTE_FILE);
            write(note, new Holder(ProcessHandle.current().pid(), ownStartMs(), bootstrapServers));
            return new DataDirLock(note, channel, lock);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    /** Where the broker that holds the directory answers, if one does; for programs on the same machine. */
    static Optional<String> bootstrapServersOf(Path dataDir) {
        return read(dataDir).filter(Holder::isAlive).map(Holder::bootstrapServers);
    }

    /**
     * The port of the broker that last had the directory and was killed, 0 if there is none. Taking it again spares its
     * transaction coordinator the search for itself: it goes on with the addresses that it finds in its log.
     */
    static int portBeforeTheKill(Path dataDir) {
        String address = read(dataDir).filter(holder -> !holder.isAlive()).map(Holder::bootstrapServers).orElse("");
        try {
            return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(note);
        lock.release();
        channel.close();
    }

    private static BrokerStartFailed inUse(Path dataDir, Optional<Holder> holder) {
        String who = holder.map(noted -> " (process " + noted.pid() + ", " + noted.bootstrapServers() + ")").orElse("");
        return new BrokerStartFailed("data directory " + dataDir + " is in use by another broker" + who);
    }

    private static Optional<Holder> read(Path dataDir) {
        try {
            Properties noted = new Properties();
            noted.load(new StringReader(Files.readString(dataDir.resolve(NOTE_FILE))));
            return Optional.of(new Holder(Long.parseLong(noted.getProperty("pid", "")),
                    Long.parseLong(noted.getProperty("startMs", "")), noted.getProperty("bootstrapServers", "")));
        } catch (IOException | IllegalArgumentException absentOrUnreadable) {
            // The note only informs; without it the lock still decides.
            return Optional.empty();
        }
    }

    private static void write(Path note, Holder holder) throws IOException {
        Path complete = note.resolveSibling(NOTE_FILE + ".tmp");
        Files.writeString(complete, "pid=" + holder.pid() + "\nstartMs=" + holder.startMs() + "\nbootstrapServers="
                + holder.bootstrapServers() + "\n");
        Files.move(complete, note, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static long ownStartMs() {
        return ManagementFactory.getRuntimeMXBean().getStartTime();
    }

    private record Holder(long pid, long startMs, String bootstrapServers) {
        boolean isThisProcess() {
            return pid == ProcessHandle.current().pid() && startMs == ownStartMs();
        }

        boolean isAlive() {
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive)
                    .filter(process -> startedAbout(process.info().startInstant())).isPresent();
        }

        private boolean startedAbout(Optional<Instant> start) {
            return start.map(at -> Duration.between(at, Instant.ofEpochMilli(startMs)).abs())
                    .map(apart -> apart.compareTo(START_TOLERANCE) <= 0).orElse(true);
        }
    }
}
