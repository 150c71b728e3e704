package dev.laurel.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The result of a benchmark. */
interface BenchResult {

    /** Returns the machine that the figures were measured on. */
    Machine machine();

    /** Returns the figures by their names in the JSON object. */
    Map<String, ?> figures();

    /** Returns a table for people. */
    String toTable();

    /** Returns a JSON object with {@code machine} and the figures. */
    default String toJson() {
        var root = new LinkedHashMap<String, Object>();
        root.put("machine", machine());
        root.putAll(figures());
        return JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValueAsString(root);
    }

    /** Receives lines about the progress of a benchmark. */
    @FunctionalInterface
    interface Progress {

        void line(String line);

        /** Formats a line with decimal points. */
        default void line(String format, Object... values) {
            line(BenchResult.format(format, values));
        }

        /** Prints each line after the seconds since this call. */
        static Progress to(PrintStream out) {
            long startNanos = System.nanoTime();
            return line -> out.printf(Locale.ROOT, "%7.1f s  %s%n", (System.nanoTime() - startNanos) / 1e9, line);
        }
    }

    /** Formats text for people, with decimal points. */
    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /**
     * The machine of a run.
     *
     * @param memoryBytes memory of the machine
     * @param heapBytes maximum heap of this process
     * @param busyElsewhere share of all cores that other processes used during the run; null: unknown
     */
    record Machine(
            int cores,
            long memoryBytes,
            long heapBytes,
            String java,
            String kafka,
            String os,
            @Nullable Double busyElsewhere) {
        private static final double GIGABYTE = 1024.0 * 1024 * 1024;
        /** Share of other work above which only the ratios are meaningful. */
        private static final double BUSY_ELSEWHERE_MAX = 0.1;

        /** Returns this machine at the end of a run. */
        static Machine after(CompetingLoad run) {
            var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
            return new Machine(
                    Runtime.getRuntime().availableProcessors(),
                    system.getTotalMemorySize(),
                    Runtime.getRuntime().maxMemory(),
                    Runtime.version().toString(),
                    AppInfoParser.getVersion(),
                    System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                            + System.getProperty("os.arch"),
                    run.share());
        }

        /** Returns one line, and a second one if only the ratios can be trusted. */
        String description() {
            String text =
                    format("%d cores, %.1f GB, Java %s, Kafka %s, %s", cores, memoryBytes / GIGABYTE, java, kafka, os);
            return busyElsewhere == null || busyElsewhere <= BUSY_ELSEWHERE_MAX
                    ? text
                    : text
                            + format(
                                    "%nOther processes took %.0f %% of the machine: trust the ratios only.",
                                    busyElsewhere * 100);
        }
    }
}
