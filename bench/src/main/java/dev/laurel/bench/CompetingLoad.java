package dev.laurel.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures how much processor time others used during a measurement: processes other than this one and its children, and other guests
 * (stolen time). The result says whether the figures can be trusted. Used by one thread.
 */
final class CompetingLoad {
    private static final Path STAT = Path.of("/proc/stat");
    /** user, nice, system, irq, softirq and steal; idle and iowait do not count. */
    private static final List<Integer> BUSY_FIELDS = List.of(1, 2, 3, 6, 7, 8);
    /** The kernel's USER_HZ, 100 on every platform that the JDK runs on. */
    private static final long TICK_NANOS = 10_000_000;

    private static final int FIELDS = 9;
    /** cutime and cstime, counted from the field after the name of the program. */
    private static final List<Integer> ENDED_CHILDREN_FIELDS = List.of(13, 14);

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final @Nullable Long machineNanos = machineNanos();
    private final long ownNanos = ownNanos();
    private final long startNanos = System.nanoTime();

    /** Returns the share of all processors since this object was created, 0 to 1; null: the kernel does not report it. */
    @Nullable
    Double share() {
        Long now = machineNanos();
        if (machineNanos == null || now == null) {
            return null;
        }
        long others = now - machineNanos - (ownNanos() - ownNanos);
        long available = (System.nanoTime() - startNanos) * Runtime.getRuntime().availableProcessors();
        return Math.clamp((double) others / available, 0.0, 1.0);
    }

    /** Returns the time of this process and of all processes that it has started. */
    private long ownNanos() {
        long alive = ProcessHandle.current()
                .descendants()
                .mapToLong(child ->
                        child.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
                .sum();
        return system.getProcessCpuTime() + alive + endedChildrenNanos();
    }

    private static long endedChildrenNanos() {
        try {
            return endedChildrenNanos(Files.readString(Path.of("/proc/self/stat")));
        } catch (IOException _) {
            return 0; // Not Linux; machineNanos is absent too.
        }
    }

    /** Parses {@code /proc/self/stat}. */
    static long endedChildrenNanos(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return ENDED_CHILDREN_FIELDS.stream()
                        .mapToLong(field -> Long.parseLong(fields[field]))
                        .sum()
                * TICK_NANOS;
    }

    private static @Nullable Long machineNanos() {
        try {
            return busyNanos(Files.readString(STAT).lines().findFirst().orElse(""));
        } catch (IOException _) {
            // Not Linux.
            return null;
        }
    }

    /** Parses the first line of {@code /proc/stat}. */
    static @Nullable Long busyNanos(String line) {
        String[] fields = line.trim().split("\\s+");
        if (fields.length < FIELDS) {
            return null;
        }
        return BUSY_FIELDS.stream()
                        .mapToLong(field -> Long.parseLong(fields[field]))
                        .sum()
                * TICK_NANOS;
    }
}
