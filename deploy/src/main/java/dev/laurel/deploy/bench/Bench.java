package dev.laurel.deploy.bench;

import dev.laurel.deploy.bench.BenchReport.Machine;
import dev.laurel.deploy.bench.BenchReport.SubjectReport;
import dev.laurel.deploy.broker.EmbeddedBroker;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * Runs a plan: one embedded broker and all subjects in this process, in a fresh temporary folder that is deleted at
 * the end. Blocks the calling thread for the whole run; progress goes to the stream that is passed in.
 */
public final class Bench {
    private final BenchPlan plan;
    private final PrintStream progress;
    private final long startNanos = System.nanoTime();

    private Bench(BenchPlan plan, PrintStream progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * @param subjects the yardstick first
     * @throws IllegalStateException when a subject fails or stands still
     */
    public static BenchReport run(BenchPlan plan, List<SubjectFactory> subjects, PrintStream progress) {
        return run(plan, subjects, StreamsSettings.ofLedger(), progress);
    }

    /** @param streamsSettings given to every subject */
    static BenchReport run(BenchPlan plan, List<SubjectFactory> subjects, Map<String, Object> streamsSettings,
            PrintStream progress) {
        return new Bench(plan, progress).run(subjects, streamsSettings);
    }

    private BenchReport run(List<SubjectFactory> factories, Map<String, Object> streamsSettings) {
        Path directory = temporaryDirectory();
        List<Subject> subjects = new ArrayList<>();
        try (var broker = EmbeddedBroker.start(directory.resolve("broker"), 0, 0)) {
            try {
                say("broker is up");
                var environment = new BenchEnvironment(broker.bootstrapServers(), directory, plan.partitions(),
                        new UniformUsers(plan.users()), streamsSettings);
                for (SubjectFactory factory : factories) {
                    subjects.add(factory.start(environment));
                    say(subjects.getLast().name() + " is running");
                }
                return measure(subjects, environment);
            } finally {
                subjects.reversed().forEach(Subject::close);
            }
        } finally {
            delete(directory);
        }
    }

    private BenchReport measure(List<Subject> subjects, BenchEnvironment environment) {
        List<SubjectBench> benches = subjects.stream().map(subject -> new SubjectBench(subject, plan, environment))
                .toList();
        for (SubjectBench bench : benches) {
            bench.warmUp();
            say(bench.name() + " is warm");
        }
        var otherWork = new OtherWork();
        for (int slice = 0; slice < plan.slices(); slice++) {
            // Every other slice in the opposite order: a drift of the machine then favours neither.
            for (SubjectBench bench : slice % 2 == 0 ? benches : benches.reversed()) {
                say(bench.name() + " " + (slice + 1) + "/" + plan.slices() + ": " + bench.slice());
            }
        }
        List<SubjectReport> reports = benches.stream().map(SubjectBench::report).toList();
        return new BenchReport(machine(otherWork.share()), reports);
    }

    private void say(String line) {
        progress.printf(Locale.ROOT, "%5.1f s  %s%n", (System.nanoTime() - startNanos) / 1e9, line);
    }

    private static Machine machine(Double busyElsewhere) {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        return new Machine(Runtime.getRuntime().availableProcessors(), system.getTotalMemorySize(),
                Runtime.getRuntime().maxMemory(), Runtime.version().toString(), AppInfoParser.getVersion(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                busyElsewhere);
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("laurel-bench");
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create a temporary folder", e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + directory, e);
        }
    }
}
