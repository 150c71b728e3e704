package dev.laurel.deploy.bench;

import dev.laurel.deploy.bench.BenchReport.Machine;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.utils.AppInfoParser;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Describes the machine that figures were measured on. */
final class MachineInfo {
    private static final double GIGABYTE = 1024.0 * 1024 * 1024;

    private MachineInfo() {}

    /** @param busyElsewhere share of all cores used by others; {@code null} if unknown */
    static Machine now(Double busyElsewhere) {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        return new Machine(Runtime.getRuntime().availableProcessors(), system.getTotalMemorySize(),
                Runtime.getRuntime().maxMemory(), Runtime.version().toString(), AppInfoParser.getVersion(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                busyElsewhere);
    }

    /** Returns one line, and a second one if the figures cannot be trusted. */
    static String line(Machine machine) {
        String text = String.format(Locale.ROOT, "%d cores, %.1f GB, Java %s, Kafka %s, %s", machine.cores(),
                machine.memoryBytes() / GIGABYTE, machine.java(), machine.kafka(), machine.os());
        Double busy = machine.busyElsewhere();
        if (busy == null || busy <= BenchReport.BUSY_ELSEWHERE_MAX) {
            return text;
        }
        return text
                + String.format(Locale.ROOT, "%nOther processes took %.0f %% of the machine: trust the ratios only.",
                        busy * 100);
    }

    /**
     * Returns JSON.
     *
     * @param found figures by name, in order
     */
    static String json(Machine machine, Map<String, ?> found) {
        var root = new LinkedHashMap<String, Object>();
        root.put("machine", machine);
        root.putAll(found);
        return JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(root);
    }
}
