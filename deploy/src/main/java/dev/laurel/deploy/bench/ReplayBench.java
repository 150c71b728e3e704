package dev.laurel.deploy.bench;

import dev.laurel.deploy.bench.load.Median;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.processors.generation.ShadowGeneration.Purpose;
import dev.laurel.processors.generation.ShadowGeneration;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * Folds one log repeatedly, alternating with the bare pipeline, which processes as many events. Shadow generations
 * have the settings of {@code laurel replay}. The live service is closed before the log is filled, so nothing else
 * runs.
 */
final class ReplayBench {
    private static final long CHECK_MS = 20;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration FOLD_TIMEOUT = Duration.ofMinutes(30);

    private final Plan plan;
    private final Consumer<String> progress;
    private final Subject.Environment environment;
    private final AtomicLong nextEvent = new AtomicLong();
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private int nextGeneration = Generation.FIRST.number() + 1;

    private ReplayBench(Plan plan, Subject.Environment environment, Consumer<String> progress) {
        this.plan = plan;
        this.environment = environment;
        this.progress = progress;
    }

    /** Blocks until the run is complete. */
    static ReplayReport run(Plan plan, Consumer<String> progress) throws InterruptedException {
        try (BenchHarness bed = BenchHarness.open(List.of(BarePipeline::start, LaurelSubject::start), plan.partitions(),
                plan.users(),
                progress)) {
            return new ReplayBench(plan, bed.environment(), progress).run(bed.subjects().getFirst(),
                    bed.subjects().getLast());
        }
    }

    /**
     * A fold.
     *
     * @param perSecond rate between commits
     */
    private record Run(double perSecond, double seconds, double cpuMsPerEvent) {}

    private ReplayReport run(Subject bare, Subject laurel) throws InterruptedException {
        laurel.close();
        new KafkaThroughput.Backlog(environment.bootstrapServers()).write(plan.events(),
                number -> laurel.event(number));
        progress.accept(String.format(Locale.ROOT, "the log has %,d events", plan.events()));
        var throughput = new KafkaThroughput(environment.bootstrapServers(), bare, nextEvent);
        var otherWork = new CompetingLoad();
        try (var rulesets = new RulesetTable(client(), thrown -> fault.compareAndSet(null, thrown))) {
            rulesets.start();
            rulesets.awaitCaughtUp(TIMEOUT);
            Run firstReport = fold(Purpose.REPORT, rulesets);
            Run firstPromotion = fold(Purpose.PROMOTION, rulesets);
            throughput.measure(plan.events());
            var bares = new ArrayList<Double>();
            var reports = new ArrayList<Run>();
            var promotions = new ArrayList<Run>();
            for (int round = 0; round < plan.rounds(); round++) {
                bares.add(throughput.measure(plan.events()).eventsPerSecond());
                progress.accept(String.format(Locale.ROOT, "bare: %,.0f events/s", bares.getLast()));
                reports.add(fold(Purpose.REPORT, rulesets));
                promotions.add(fold(Purpose.PROMOTION, rulesets));
            }
            double barePerSecond = Median.of(bares.stream().mapToDouble(Double::doubleValue));
            return new ReplayReport(MachineInfo.now(otherWork.share()), plan.events(), plan.users(), barePerSecond,
                    median(reports, firstReport, barePerSecond), median(promotions, firstPromotion, barePerSecond));
        }
    }

    private static ReplayReport.Fold median(List<Run> runs, Run first, double barePerSecond) {
        double perSecond = Median.of(runs.stream().mapToDouble(Run::perSecond));
        return new ReplayReport.Fold(perSecond, perSecond / barePerSecond,
                Median.of(runs.stream().mapToDouble(Run::seconds)), first.seconds(),
                Median.of(runs.stream().mapToDouble(Run::cpuMsPerEvent)));
    }

    private Map<String, Object> client() {
        return Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, environment.bootstrapServers());
    }

    private Run fold(Purpose purpose, RulesetTable rulesets) throws InterruptedException {
        int number = nextGeneration++;
        Generation generation = purpose == Purpose.REPORT ? Generation.ofReport(number) : Generation.of(number);
        var config = new LedgerConfig(Map.of(LedgerConfig.BOOTSTRAP_SERVERS, environment.bootstrapServers(),
                LedgerConfig.STATE_DIR, environment.directory().resolve("replayed").toString(), LedgerConfig.THREADS,
                Runtime.getRuntime().availableProcessors()));
        var resources = new ResourceMeter(List.of());
        long startNanos = System.nanoTime();
        ShadowGeneration shadow = ShadowGeneration.start(config, generation, purpose, rulesets,
                thrown -> fault.compareAndSet(null, thrown));
        try {
            var rate = new KafkaThroughput.CommitRate(startNanos, plan.events());
            while (!rate.done()) {
                expectNoFault(startNanos);
                TimeUnit.MILLISECONDS.sleep(CHECK_MS);
                rate.committed(shadow.committed().stream().mapToLong(Long::longValue).sum(), System.nanoTime());
            }
            if (!shadow.awaitCaughtUp(FOLD_TIMEOUT)) {
                throw new IllegalStateException("a shadow's leaderboards do not come to an end");
            }
            var run = new Run(rate.eventsPerSecond(), (System.nanoTime() - startNanos) / 1e9,
                    resources.use(plan.events()).cpuSecondsPerThousand());
            progress.accept(String.format(Locale.ROOT, "%s: %,.0f events/s, %.1f s in all",
                    purpose.name().toLowerCase(Locale.ROOT), run.perSecond(), run.seconds()));
            return run;
        } finally {
            shadow.abandon();
        }
    }

    private void expectNoFault(long startNanos) {
        if (fault.get() != null) {
            throw new IllegalStateException("a shadow has failed", fault.get());
        }
        if (System.nanoTime() - startNanos > FOLD_TIMEOUT.toNanos()) {
            throw new IllegalStateException("a shadow does not come to an end");
        }
    }

    /**
     * Plan for replaying a log.
     *
     * @param events events in the log
     * @param rounds measured rounds after one warm-up round
     */
    record Plan(int partitions, int users, int events, int rounds) {
        private static final int PARTITIONS = 4;
        private static final int USERS = 10_000;
        private static final int EVENTS = 1_000_000;
        private static final int EVENTS_QUICK = 500_000;
        private static final int EVENTS_MIN = 1_000;
        private static final int EVENTS_MAX = 50_000_000;

        Plan {
            if (events < EVENTS_MIN || events > EVENTS_MAX) {
                throw new IllegalArgumentException(
                        "a log to be replayed has " + EVENTS_MIN + " to " + EVENTS_MAX + " events, not " + events);
            }
        }

        /** @param events {@code null} for the default */
        static Plan of(Integer events, boolean isQuick) {
            int given = events != null ? events : isQuick ? EVENTS_QUICK : EVENTS;
            return new Plan(PARTITIONS, USERS, given, isQuick ? 1 : 3);
        }
    }
}
