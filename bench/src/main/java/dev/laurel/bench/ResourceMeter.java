package dev.laurel.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.laurel.deploy.cli.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures resources of the process between two points: processor time of all threads (including broker and load
 * generator), bytes written, memory. Linux reports writes and memory in {@code /proc/self}; on other systems the
 * growth of files replaces the writes, and memory is absent. Used by one thread.
 */
final class ResourceMeter {
    private static final Path IO = Path.of("/proc/self/io");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final long BYTES_PER_KB = 1_024;

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final List<Path> directories;
    private Sample from;

    /** @param directories folders whose growth counts as bytes written if the kernel does not report writes */
    ResourceMeter(List<Path> directories) {
        this.directories = List.copyOf(directories);
        restart();
    }

    void restart() {
        from = sample();
    }

    /**
     * Returns the use since the start or {@link #restart}.
     *
     * @param events number of events
     */
    Use use(long events) {
        Sample to = sample();
        double thousands = Math.max(1, events) / 1_000.0;
        return new Use(events, (to.cpuNanos() - from.cpuNanos()) / 1e9 / thousands,
                (to.writtenBytes() - from.writtenBytes()) / thousands,
                (to.systemCallBytes() - from.systemCallBytes()) / thousands, memory("VmRSS:"), memory("VmHWM:"));
    }

    private Sample sample() {
        OptionalLong written = field(IO, "write_bytes:");
        OptionalLong systemCalls = field(IO, "wchar:");
        return new Sample(system.getProcessCpuTime(), written.orElseGet(this::fileBytes), systemCalls.orElse(0));
    }

    /** Returns the bytes of a field of the status of this process; null: unknown. */
    static @Nullable Long memory(String name) {
        return memory(STATUS, name);
    }

    /** Works like {@link #memory(String)}, of another process. */
    static @Nullable Long memory(long pid, String name) {
        return memory(Path.of("/proc/" + pid + "/status"), name);
    }

    private static @Nullable Long memory(Path status, String name) {
        OptionalLong kilobytes = field(status, name);
        return kilobytes.isPresent() ? kilobytes.getAsLong() * BYTES_PER_KB : null;
    }

    /** Returns the number after a name in a file of the kernel. */
    private static OptionalLong field(Path file, String name) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name)).findFirst().map(line -> firstNumber(line, name.length()))
                    .map(OptionalLong::of).orElse(OptionalLong.empty());
        } catch (IOException _) {
            // Not Linux, or hidden by a sandbox: the field is absent.
            return OptionalLong.empty();
        }
    }

    /** Returns 123 for {@code "VmRSS: 123 kB"}. */
    static long firstNumber(String line, int from) {
        return Long.parseLong(line.substring(from).trim().split("\\D", 2)[0]);
    }

    private long fileBytes() {
        try {
            return directories.stream().mapToLong(TemporaryFolder::bytes).sum();
        } catch (UncheckedIOException _) {
            return 0; // A file was deleted meanwhile; the sum is only an estimate.
        }
    }

    private record Sample(long cpuNanos, long writtenBytes, long systemCallBytes) {}

    /**
     * Resources used by the whole process, including the broker, for a number of events.
     *
     * @param writtenBytesPerThousand bytes sent to storage, counted once when a page becomes dirty
     * @param systemCallBytesPerThousand bytes passed to write calls, including sockets; 0 if unknown
     * @param residentBytes present memory; null: unknown
     * @param residentBytesMax maximum memory; null: unknown
     */
    record Use(long events, double cpuSecondsPerThousand, double writtenBytesPerThousand,
            double systemCallBytesPerThousand, @Nullable Long residentBytes, @Nullable Long residentBytesMax) {}
}
