package dev.laurel.bench;

import static dev.laurel.bench.BenchResult.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.sun.management.OperatingSystemMXBean;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.BenchResult.Progress;
import dev.laurel.bench.OneProcess.Subject;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.processors.generation.GenerationResources;
import dev.laurel.processors.generation.ShadowGeneration;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Folds one log repeatedly, alternating with the bare pipeline, which processes as many events. Shadow generations have the settings of
 * {@code laurel replay}. The live service is closed before the log is filled, so nothing else runs.
 */
final class ReplayBench {
    private static final long CHECK_MS = 20;
    private static final Duration FOLD_TIMEOUT = Duration.ofMinutes(30);

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final Plan plan;
    private final Progress progress;
    private final OneProcess process;
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    private long nextEvent;
    private int nextGeneration = Generation.FIRST.number() + 1;

    private ReplayBench(Plan plan, OneProcess process, Progress progress) {
        this.plan = plan;
        this.process = process;
        this.progress = progress;
    }

    /** Blocks until the run is complete. */
    static Report run(Plan plan, Progress progress) throws InterruptedException {
        try (var process = new OneProcess(plan.partitions())) {
            return new ReplayBench(plan, process, progress).run();
        }
    }

    private Report run() throws InterruptedException {
        Subject bare = process.startBare();
        process.startLaurel(Laurel.rulesWithoutLeaderboards()).close();
        KafkaThroughput.write(
                process.bootstrapServers(),
                plan.events(),
                number -> Laurel.event(number, BenchTraffic.userOf(number, plan.users())));
        progress.line("the log has %,d events", plan.events());
        var throughput = new KafkaThroughput(process.bootstrapServers(), bare);
        KafkaThroughput.Load bareEvents = _ -> {
            long event = nextEvent++;
            return bare.events().of(event, BenchTraffic.userOf(event, plan.users()));
        };
        var otherWork = new CompetingLoad();
        try (var rulesets = new RulesetTable(
                Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, process.bootstrapServers()),
                thrown -> fault.compareAndSet(null, thrown))) {
            rulesets.start();
            rulesets.awaitCaughtUp(Duration.ofMinutes(1));
            Fold firstReport = fold("report", rulesets);
            Fold firstPromotion = fold("promotion", rulesets);
            throughput.measure(plan.events(), bareEvents);
            var bares = new ArrayList<Double>();
            var reports = new ArrayList<Fold>();
            var promotions = new ArrayList<Fold>();
            for (int round = 0; round < plan.rounds(); round++) {
                bares.add(throughput.measure(plan.events(), bareEvents).eventsPerSecond());
                progress.line("bare: %,.0f events/s", bares.getLast());
                reports.add(fold("report", rulesets));
                promotions.add(fold("promotion", rulesets));
            }
            double barePerSecond = Median.of(bares);
            return new Report(
                    Machine.after(otherWork),
                    plan.events(),
                    plan.users(),
                    barePerSecond,
                    Fold.median(reports, firstReport, barePerSecond),
                    Fold.median(promotions, firstPromotion, barePerSecond));
        }
    }

    private Fold fold(String purpose, RulesetTable rulesets) throws InterruptedException {
        int number = nextGeneration++;
        Generation generation = purpose.equals("report") ? Generation.ofReport(number) : Generation.of(number);
        var config = LedgerConfig.of(StreamsSettings.alone(
                KafkaAccess.at(process.bootstrapServers()),
                process.folder().resolve("replayed"),
                Runtime.getRuntime().availableProcessors(),
                BoundedRocksDb.DEFAULT_MEMORY_BYTES));
        long cpuNanos = system.getProcessCpuTime();
        long startNanos = System.nanoTime();
        ShadowGeneration shadow = ShadowGeneration.start(
                config,
                GenerationRecord.claimed(generation, List.of(), null),
                !generation.isReport(),
                rulesets,
                thrown -> fault.compareAndSet(null, thrown));
        try {
            var rate = new KafkaThroughput.CommitRate(startNanos, plan.events());
            while (!rate.done()) {
                expectNoFault(startNanos);
                TimeUnit.MILLISECONDS.sleep(CHECK_MS);
                rate.committed(
                        shadow.progress().ledger().committed().stream()
                                .mapToLong(Long::longValue)
                                .sum(),
                        System.nanoTime());
            }
            if (!shadow.awaitCaughtUp(FOLD_TIMEOUT)) {
                throw new IllegalStateException(
                        "the leaderboards of a shadow generation did not catch up within " + FOLD_TIMEOUT);
            }
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            var run = new Fold(
                    rate.eventsPerSecond(),
                    1,
                    seconds,
                    seconds,
                    (system.getProcessCpuTime() - cpuNanos) / 1e6 / plan.events());
            progress.line("%s: %,.0f events/s, %.1f s in total", purpose, run.perSecond(), run.seconds());
            return run;
        } finally {
            shadow.close();
            try (var resources = new GenerationResources(config.clientProperties(), generation, FOLD_TIMEOUT)) {
                resources.delete();
            }
        }
    }

    private void expectNoFault(long startNanos) {
        if (fault.get() != null) {
            throw new IllegalStateException("a shadow generation has failed", fault.get());
        }
        if (System.nanoTime() - startNanos > FOLD_TIMEOUT.toNanos()) {
            throw new IllegalStateException("a shadow generation did not fold the log within " + FOLD_TIMEOUT);
        }
    }

    /**
     * Plan for replaying a log.
     *
     * @param events events in the log
     * @param rounds measured rounds after one warm-up round
     */
    record Plan(int partitions, int users, int events, int rounds) {
        private static final int EVENTS_MIN = 1_000;
        private static final int EVENTS_MAX = 50_000_000;

        Plan {
            if (events < EVENTS_MIN || events > EVENTS_MAX) {
                throw new IllegalArgumentException(
                        "a log to be replayed has " + EVENTS_MIN + " to " + EVENTS_MAX + " events, not " + events);
            }
        }

        /** @param events null: the default */
        static Plan of(@Nullable Integer events, boolean isQuick) {
            int given = events != null ? events : isQuick ? 500_000 : 1_000_000;
            return new Plan(OneProcess.PARTITIONS, 10_000, given, isQuick ? 1 : 3);
        }
    }

    /**
     * @param perSecond rate between commits, as for the bare pipeline
     * @param ratio ratio to the bare pipeline
     * @param seconds time from the start until everything was folded, ranked and committed
     * @param firstSeconds time of the first fold, whose code the JVM had not compiled
     * @param cpuMsPerEvent processor time of the process, including the broker
     */
    record Fold(double perSecond, double ratio, double seconds, double firstSeconds, double cpuMsPerEvent) {

        private static Fold median(List<Fold> folds, Fold first, double barePerSecond) {
            double perSecond = Median.of(folds, Fold::perSecond);
            return new Fold(
                    perSecond,
                    perSecond / barePerSecond,
                    Median.of(folds, Fold::seconds),
                    first.seconds(),
                    Median.of(folds, Fold::cpuMsPerEvent));
        }
    }

    /**
     * Speed of a shadow generation compared with the bare pipeline, which processes as many events with changelogs and effects and
     * without logic.
     *
     * @param events events in the log and in each round of the bare pipeline
     * @param barePerSecond rate of the bare pipeline
     * @param report shadow generation for a report, without changelogs
     * @param promotion shadow generation for a promotion, with changelogs
     */
    record Report(@JsonIgnore Machine machine, int events, int users, double barePerSecond, Fold report, Fold promotion)
            implements BenchResult {
        static final double TARGET = 0.8;

        @Override
        public String toTable() {
            var table = TextTable.ofNumbers();
            table.row(
                    "",
                    "events/s",
                    "ratio",
                    "target",
                    "s in total",
                    "s of the first",
                    "s per million",
                    "CPU ms per event");
            table.row("bare pipeline", format("%,.0f", barePerSecond));
            table.row(row("shadow for a report", report));
            table.row(row("shadow for a promotion", promotion));
            return format("%s%n%,d events of %,d users%n%n%s", machine.description(), events, users, table.text());
        }

        private List<String> row(String name, Fold fold) {
            return List.of(
                    name,
                    format("%,.0f", fold.perSecond()),
                    format("%.2f", fold.ratio()),
                    "≥ " + TARGET,
                    format("%.1f", fold.seconds()),
                    format("%.1f", fold.firstSeconds()),
                    format("%.1f", fold.seconds() * 1e6 / events),
                    format("%.3f", fold.cpuMsPerEvent()));
        }

        @Override
        public Map<String, ?> figures() {
            return Map.of("replay", this);
        }
    }
}
