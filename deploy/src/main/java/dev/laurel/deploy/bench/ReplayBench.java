package dev.laurel.deploy.bench;

import dev.laurel.processors.LedgerConfig;
import dev.laurel.processors.replay.Shadow;
import dev.laurel.processors.replay.Shadow.Purpose;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.RulesetTable;
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
 * Folds one log again and again, in turns with the bare pipeline, which works off as many events. Shadows have the settings of
 * {@code laurel replay}. The live service is closed before the log is filled: nobody else works meanwhile.
 */
final class ReplayBench {
    private static final long CHECK_MS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration FOLD_TIMEOUT = Duration.ofMinutes(30);

    private final ReplayPlan plan;
    private final Consumer<String> progress;
    private final BenchEnvironment environment;
    private final AtomicLong nextEvent = new AtomicLong();
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private int nextGeneration = Generation.FIRST.number() + 1;

    private ReplayBench(ReplayPlan plan, BenchEnvironment environment, Consumer<String> progress) {
        this.plan = plan;
        this.environment = environment;
        this.progress = progress;
    }

    /** Blocks for the whole run. */
    static ReplayReport run(ReplayPlan plan, Consumer<String> progress) throws InterruptedException {
        try (Bed bed = Bed.open(List.of(BarePipeline::start, LaurelSubject::start), plan.partitions(), plan.users(),
                progress)) {
            return new ReplayBench(plan, bed.environment(), progress).run(bed.subjects().getFirst(),
                    bed.subjects().getLast());
        }
    }

    /** One fold. @param perSecond between commits */
    private record Run(double perSecond, double seconds, double cpuMsPerEvent) {}

    private ReplayReport run(Subject bare, Subject laurel) throws InterruptedException {
        laurel.close();
        new Backlog(environment.bootstrapServers()).write(plan.events(), number -> laurel.event(number));
        progress.accept(String.format(Locale.ROOT, "the log has %,d events", plan.events()));
        var throughput = new KafkaThroughput(environment.bootstrapServers(), bare, nextEvent);
        var otherWork = new OtherWork();
        try (var rulesets = new RulesetTable(client(), thrown -> fault.compareAndSet(null, thrown))) {
            rulesets.start();
            rulesets.awaitCaughtUp(PATIENCE);
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
            return new ReplayReport(ThisMachine.now(otherWork.share()), plan.events(), plan.users(), barePerSecond,
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
        Shadow shadow = Shadow.start(config, generation, purpose, rulesets,
                thrown -> fault.compareAndSet(null, thrown));
        try {
            var rate = new CommitRate(startNanos, plan.events());
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
}
