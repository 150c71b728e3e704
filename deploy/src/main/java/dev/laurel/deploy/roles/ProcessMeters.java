package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.ProgramVersion;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.processors.store.BoundedRocksDb;
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

/** Metrics of a process, independent of its roles: readiness, version, resources. One instance per process. */
final class ProcessMeters implements AutoCloseable {

    private static final MeterName READY = MeterName.of("laurel.ready", "1 while /readyz answers 200, else 0.");
    private static final MeterName BROKERS = MeterName.of("laurel.kafka.brokers",
            "Brokers of the cluster that are up, as this process sees them; 0 if none answers.");
    private static final MeterName BUILD = MeterName.of("laurel.build",
            "Always 1; the version of the process is a label.");
    private static final MeterName RESIDENT = MeterName.ofBytes("process.resident.memory",
            "Resident memory of the process, RocksDB included; 0 where the system does not report it.");

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT_FIELD = "VmRSS:";
    private static final double BYTES_PER_KB = 1_024;

    private final MeterScope meters;
    private final JvmGcMetrics collections = new JvmGcMetrics();

    private ProcessMeters(MeterScope meters) {
        this.meters = meters;
    }

    /**
     * @param isReady result of {@code /readyz}
     * @param brokers number of brokers that are up
     */
    static ProcessMeters register(Metrics metrics, BooleanSupplier isReady, IntSupplier brokers) {
        var process = new ProcessMeters(metrics.scope());
        process.meters.gauge(READY, Tags.empty(), () -> isReady.getAsBoolean() ? 1 : 0);
        process.meters.gauge(BROKERS, Tags.empty(), brokers::getAsInt);
        process.meters.gauge(BUILD, Tags.of("version", ProgramVersion.ofLaurel()), () -> 1);
        process.meters.gauge(RESIDENT, Tags.empty(), ProcessMeters::residentBytes);
        BoundedRocksDb.register(process.meters);
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
            return 0; // Not Linux; the metric's help text says so.
        }
    }

    @Override
    public void close() {
        collections.close();
        meters.close();
    }
}
