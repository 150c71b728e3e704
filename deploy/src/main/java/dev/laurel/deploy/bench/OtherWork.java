package dev.laurel.deploy.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How much of the machine others took while something was measured: processes that are neither this one nor started by it, or
 * other guests, by stolen time. Figures from a busy machine look like figures; this says whether to believe them.
 * Single-threaded.
 */
final class OtherWork {
    private static final Path STAT = Path.of("/proc/stat");
    /** user, nice, system, irq, softirq, steal; idle and iowait are the two that do not count. */
    private static final List<Integer> BUSY_FIELDS = List.of(1, 2, 3, 6, 7, 8);
    /** The kernel's USER_HZ, 100 on every platform that the JDK runs on. */
    private static final long TICK_NANOS = 10_000_000;
    private static final int FIELDS = 9;
    private static final Path OWN_STAT = Path.of("/proc/self/stat");
    /** cutime and cstime, behind the name of the program. */
    private static final List<Integer> ENDED_CHILDREN_FIELDS = List.of(13, 14);

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final Long machineNanos = machineNanos();
    private final long ownNanos = ownNanos();
    private final long startNanos = System.nanoTime();

    /** The share of all processors since this object was made, 0 to 1, or {@code null} where the kernel does not tell. */
    Double share() {
        Long now = machineNanos();
        if (machineNanos == null || now == null) {
            return null;
        }
        long others = now - machineNanos - (ownNanos() - ownNanos);
        long available = (System.nanoTime() - startNanos) * Runtime.getRuntime().availableProcessors();
        return Math.clamp((double) others / available, 0.0, 1.0);
    }

    /** Of this process and all that it has started, ended or not. */
    private long ownNanos() {
        long alive = ProcessHandle.current().descendants()
                .mapToLong(child -> child.info().totalCpuDuration().orElse(Duration.ZERO).toNanos()).sum();
        return system.getProcessCpuTime() + alive + endedChildrenNanos();
    }

    private static long endedChildrenNanos() {
        try {
            return endedChildrenNanos(Files.readString(OWN_STAT));
        } catch (IOException _) {
            return 0; // Not Linux: then nothing is said of the machine, either.
        }
    }

    /** From {@code /proc/self/stat}. */
    static long endedChildrenNanos(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return ENDED_CHILDREN_FIELDS.stream().mapToLong(field -> Long.parseLong(fields[field])).sum() * TICK_NANOS;
    }

    private static Long machineNanos() {
        try {
            return busyNanos(Files.readString(STAT).lines().findFirst().orElse(""));
        } catch (IOException _) {
            // Not Linux: absent, as the method above says.
            return null;
        }
    }

    /** From the first line of {@code /proc/stat}. */
    static Long busyNanos(String line) {
        String[] fields = line.trim().split("\\s+");
        if (fields.length < FIELDS) {
            return null;
        }
        return BUSY_FIELDS.stream().mapToLong(field -> Long.parseLong(fields[field])).sum() * TICK_NANOS;
    }
}
