package dev.laurel.deploy.roles;

import dev.laurel.deploy.VersionCommand;
import dev.laurel.processors.store.RocksDbMeters;
import dev.laurel.schemas.metrics.MeterName;
import dev.laurel.schemas.metrics.MeterScope;
import dev.laurel.schemas.metrics.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/** What a process tells of itself, whatever its roles: whether it is ready, what it is, what it uses. Once for a process. */
final class ProcessMeters implements AutoCloseable {

    private static final MeterName READY = MeterName.of("laurel.ready", "1 while /readyz answers 200, else 0.");
    private static final MeterName BROKERS = MeterName.of("laurel.kafka.brokers",
            "Brokers of the cluster that this process sees up; 0 if none answers it.");
    private static final MeterName BUILD = MeterName.of("laurel.build", "1; its version is a label.");
    private static final MeterName RESIDENT = MeterName.ofBytes("process.resident.memory",
            "Memory of the process that is in RAM, RocksDB's too; 0 where the system does not tell.");

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT_FIELD = "VmRSS:";
    private static final double BYTES_PER_KB = 1_024;

    private final MeterScope meters;
    private final JvmGcMetrics collections = new JvmGcMetrics();

    private ProcessMeters(MeterScope meters) {
        this.meters = meters;
    }

    /**
     * @param isReady what {@code /readyz} answers
     * @param brokers that are up
     */
    static ProcessMeters register(Metrics metrics, BooleanSupplier isReady, IntSupplier brokers) {
        var process = new ProcessMeters(metrics.scope());
        process.meters.gauge(READY, Tags.empty(), () -> isReady.getAsBoolean() ? 1 : 0);
        process.meters.gauge(BROKERS, Tags.empty(), brokers::getAsInt);
        process.meters.gauge(BUILD, Tags.of("version", VersionCommand.laurelVersion()), () -> 1);
        process.meters.gauge(RESIDENT, Tags.empty(), ProcessMeters::residentBytes);
        RocksDbMeters.register(process.meters);
        process.collections.bindTo(metrics.registry());
        new JvmMemoryMetrics().bindTo(metrics.registry());
        new JvmThreadMetrics().bindTo(metrics.registry());
        new ProcessorMetrics().bindTo(metrics.registry());
        new FileDescriptorMetrics().bindTo(metrics.registry());
        new UptimeMetrics().bindTo(metrics.registry());
        return process;
    }

    private static double residentBytes() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(RESIDENT_FIELD)).findFirst()
                    .map(line -> Double.parseDouble(line.substring(RESIDENT_FIELD.length()).replace("kB", "").strip()))
                    .orElse(0.0) * BYTES_PER_KB;
        } catch (IOException _) {
            return 0; // not Linux, as the help says
        }
    }

    @Override
    public void close() {
        collections.close();
        meters.close();
    }
}
