package dev.laurel.deploy.bench;

import dev.laurel.deploy.bench.BenchReport.SubjectReport;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/**
 * Runs a plan: compares all subjects in this process with one embedded broker in a temporary folder; then, if the
 * plan says so, measures the last subject alone with increasing numbers of users and past events, each time with a
 * new broker and folder. Blocks the calling thread; prints progress to the given stream.
 */
final class Bench {
    private final Plan plan;
    private final PrintStream progress;
    private final long startNanos = System.nanoTime();

    private Bench(Plan plan, PrintStream progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * @param subjects the reference first
     * @throws IllegalStateException if a subject fails or makes no progress
     */
    public static BenchReport run(Plan plan, List<Subject.Factory> subjects, PrintStream progress) {
        return new Bench(plan, progress).run(subjects);
    }

    private BenchReport run(List<Subject.Factory> factories) {
        BenchReport compared = withSubjects(factories, this::measure);
        return plan.growth() == null ? compared : withGrowth(compared, factories.getLast());
    }

    private BenchReport withGrowth(BenchReport compared, Subject.Factory factory) {
        // Each measurement has a new instance, so that the number of users is exact and no other subject's threads
        // run.
        Grown users = withSubjects(List.of(factory), this::grow);
        GrowthReport pasts = withSubjects(List.of(factory), (subjects,
                environment) -> new PastGrowth(growthOf(subjects.getFirst(), environment), plan.partitions()).run());
        var reports = new ArrayList<>(compared.subjects());
        reports.addLast(reports.removeLast().withGrowth(users.report(), pasts).withLeaderboards(
                leaderboards(factory, users.leaderboard())));
        return new BenchReport(compared.machine(), reports);
    }

    /** @param leaderboard result for a leaderboard of all users; null if not measured */
    private record Grown(GrowthReport report, LeaderboardReport.ForAll leaderboard) {}

    private Grown grow(List<Subject> subjects, Subject.Environment environment) {
        GrowthReport report = new UsersGrowth(growthOf(subjects.getFirst(), environment)).run();
        boolean isToRank = plan.boards() != null && !report.sizes().isEmpty();
        return new Grown(report, isToRank && subjects.getFirst() instanceof Subject.Ranking ranking
                ? boardsOf(ranking, environment).forAll(report.sizes().getLast().size())
                : null);
    }

    /** Returns null if there is nothing to measure. */
    private LeaderboardReport leaderboards(Subject.Factory factory, LeaderboardReport.ForAll forAll) {
        if (forAll == null) {
            return null;
        }
        return withSubjects(List.of(factory), (subjects, environment) -> {
            var latencies = boardsOf((Subject.Ranking) subjects.getFirst(), environment).answers();
            return new LeaderboardReport(plan.boards().participants(), plan.boards().ratePerSecond(),
                    latencies.without(),
                    latencies.with(), forAll);
        });
    }

    private LeaderboardBench boardsOf(Subject.Ranking subject, Subject.Environment environment) {
        return new LeaderboardBench(subject, plan.boards(), environment.bootstrapServers(), this::say);
    }

    private GrowthBench growthOf(Subject subject, Subject.Environment environment) {
        return new GrowthBench(subject, plan.growth(), environment.bootstrapServers(), this::say);
    }

    private <R> R withSubjects(List<Subject.Factory> factories,
            BiFunction<List<Subject>, Subject.Environment, R> measurement) {
        try (BenchHarness bed = BenchHarness.open(factories, plan.partitions(), plan.users(), this::say)) {
            return measurement.apply(bed.subjects(), bed.environment());
        }
    }

    private BenchReport measure(List<Subject> subjects, Subject.Environment environment) {
        List<SubjectBench> benches = subjects.stream().map(subject -> new SubjectBench(subject, plan, environment))
                .toList();
        for (SubjectBench bench : benches) {
            bench.warmUp();
            say(bench.name() + " is warm");
        }
        var otherWork = new CompetingLoad();
        for (int slice = 0; slice < plan.slices(); slice++) {
            // Every other slice has the opposite order, so that a drift of the machine favours no subject.
            for (SubjectBench bench : slice % 2 == 0 ? benches : benches.reversed()) {
                say(bench.name() + " " + (slice + 1) + "/" + plan.slices() + ": " + bench.slice());
            }
        }
        List<SubjectReport> reports = benches.stream().map(SubjectBench::report).toList();
        return new BenchReport(MachineInfo.now(otherWork.share()), reports);
    }

    private void say(String line) {
        progress.printf(Locale.ROOT, "%5.1f s  %s%n", (System.nanoTime() - startNanos) / 1e9, line);
    }

    /**
     * A measurement plan. Every subject is warmed up once; then slices alternate between the subjects, each measuring
     * everything. The report contains medians, because small machines have bursts of noise longer than a slice.
     *
     * @param slices measured slices per subject
     * @param kafkaEvents events per slice for the rate through Kafka; half as many for warm-up
     * @param warmUp warm-up time of HTTP writes; reads take a quarter. On two cores, figures improve for most of a
     * minute, which a quick run does not have
     * @param ratesPerSecond open-loop rates of events over HTTP; latencies are compared at the first one
     * @param connections closed-loop connections for events over HTTP
     * @param readConnections closed-loop connections for reads over HTTP
     * @param growth plan for growth of the last subject; null for none
     * @param boards plan for leaderboards of the last subject; requires growth, whose largest instance it uses
     */
    public record Plan(int partitions, int users, int slices, int kafkaEvents, Duration warmUp,
            List<Integer> ratesPerSecond, Duration rateDuration, List<Integer> connections,
            Duration connectionsDuration,
            List<Integer> readConnections, Duration readDuration, GrowthBench.Plan growth,
            LeaderboardBench.Plan boards) {
        private static final int PARTITIONS = 4;
        private static final int USERS = 10_000;

        public Plan {
            ratesPerSecond = List.copyOf(ratesPerSecond);
            connections = List.copyOf(connections);
            readConnections = List.copyOf(readConnections);
            if (partitions < 1 || slices < 1 || kafkaEvents < 1 || ratesPerSecond.isEmpty()) {
                throw new IllegalArgumentException("A plan has partitions, slices, events and at least one rate");
            }
        }

        /** Returns the plan for published figures: about twelve minutes for two subjects. */
        public static Plan full() {
            return new Plan(PARTITIONS, USERS, 3, 250_000, Duration.ofSeconds(20), List.of(200, 1_000),
                    Duration.ofSeconds(8), List.of(32, 64, 256), Duration.ofSeconds(5), List.of(1, 32),
                    Duration.ofSeconds(3), GrowthBench.Plan.full(), LeaderboardBench.Plan.full());
        }

        /**
         * Returns a plan of less than 45 s for two subjects, including the start of the broker. The compiler is not
         * done by then, particularly for the subject with more code, so the figures only show whether something is
         * broken.
         */
        public static Plan quick() {
            return new Plan(PARTITIONS, USERS, 2, 50_000, Duration.ofSeconds(2), List.of(200),
                    Duration.ofMillis(1_500), List.of(64), Duration.ofMillis(800), List.of(1, 32),
                    Duration.ofMillis(250),
                    null, null);
        }

        /** Returns a plan of some seconds with one small slice, to warm up the JVM. */
        static Plan warmUpOnly() {
            return new Plan(PARTITIONS, 1_000, 1, 5_000, Duration.ofSeconds(4), List.of(200), Duration.ofSeconds(1),
                    List.of(16), Duration.ofSeconds(1), List.of(4), Duration.ofSeconds(1), null, null);
        }
    }
}
