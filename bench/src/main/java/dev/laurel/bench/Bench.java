package dev.laurel.bench;

import dev.laurel.bench.BenchResult.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs a plan: compares all subjects in this process with one embedded broker in a temporary folder; then, if the
 * plan says so, measures the last subject alone with increasing numbers of users and past events, each time with a
 * new broker and folder. Blocks the calling thread.
 */
final class Bench {
    private final Plan plan;
    private final Progress progress;

    private Bench(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * @param subjects the reference first
     * @throws IllegalStateException if a subject fails or makes no progress
     */
    static BenchReport run(Plan plan, List<Subject.Factory> subjects, Progress progress) {
        var bench = new Bench(plan, progress);
        BenchReport compared = bench.withSubjects(subjects, bench::compare);
        return plan.growth() == null ? compared : bench.withGrowth(compared, subjects.getLast(), plan.growth());
    }

    /** Uses a new instance for each measurement, so that the number of users is exact and no other subject runs. */
    private BenchReport withGrowth(BenchReport compared, Subject.Factory factory, GrowthBench.Plan growth) {
        List<Subject.Factory> alone = List.of(factory);
        Grown users = withSubjects(alone, (subjects, environment) -> grow(subjects.getFirst(), environment, growth));
        GrowthBench.Report pasts = withSubjects(alone, (subjects, environment) -> new PastGrowth(
                new GrowthBench(subjects.getFirst(), growth, environment.bootstrapServers(), progress),
                plan.partitions()).run());
        var reports = new ArrayList<>(compared.subjects());
        reports.addLast(reports.removeLast().withGrowth(users.report(), pasts, leaderboards(alone, users.forAll())));
        return new BenchReport(compared.machine(), reports);
    }

    private LeaderboardBench.@Nullable Report leaderboards(List<Subject.Factory> alone,
            LeaderboardBench.@Nullable ForAll forAll) {
        LeaderboardBench.Plan boards = plan.boards();
        return boards == null || forAll == null
                ? null
                : withSubjects(alone, (subjects, environment) -> new LeaderboardBench(
                        (Subject.Ranking) subjects.getFirst(), boards, environment.bootstrapServers(), progress)
                        .latencies(forAll));
    }

    /** @param forAll cost of a leaderboard of all users; null: not measured */
    private record Grown(GrowthBench.Report report, LeaderboardBench.@Nullable ForAll forAll) {}

    private Grown grow(Subject subject, Subject.Environment environment, GrowthBench.Plan growth) {
        GrowthBench.Report report = new UsersGrowth(
                new GrowthBench(subject, growth, environment.bootstrapServers(), progress)).run();
        if (plan.boards() == null || report.sizes().isEmpty() || !(subject instanceof Subject.Ranking ranking)) {
            return new Grown(report, null);
        }
        return new Grown(report, new LeaderboardBench(ranking, plan.boards(), environment.bootstrapServers(), progress)
                .forAll(report.sizes().getLast().size()));
    }

    private <R> R withSubjects(List<Subject.Factory> factories,
            BiFunction<List<Subject>, Subject.Environment, R> measurement) {
        try (BenchHarness harness = BenchHarness.open(factories, plan.partitions(), plan.users(), progress)) {
            return measurement.apply(harness.subjects(), harness.environment());
        }
    }

    private BenchReport compare(List<Subject> subjects, Subject.Environment environment) {
        List<SubjectBench> benches = subjects.stream().map(subject -> new SubjectBench(subject, plan, environment))
                .toList();
        for (SubjectBench bench : benches) {
            bench.warmUp();
            progress.line(bench.name() + " is warm");
        }
        var otherWork = new CompetingLoad();
        for (int slice = 0; slice < plan.slices(); slice++) {
            // Every other slice has the opposite order, so that a drift of the machine favours no subject.
            for (SubjectBench bench : slice % 2 == 0 ? benches : benches.reversed()) {
                progress.line("%s %d/%d: %s", bench.name(), slice + 1, plan.slices(), bench.slice());
            }
        }
        return new BenchReport(Machine.after(otherWork), benches.stream().map(SubjectBench::report).toList());
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
     * @param growth plan for growth of the last subject; null: not measured
     * @param boards plan for leaderboards of the last subject; requires growth, whose largest instance it
     * uses; null: not measured
     */
    record Plan(int partitions, int users, int slices, int kafkaEvents, Duration warmUp,
            List<Integer> ratesPerSecond, Duration rateDuration, List<Integer> connections,
            Duration connectionsDuration, List<Integer> readConnections, Duration readDuration,
            GrowthBench.@Nullable Plan growth, LeaderboardBench.@Nullable Plan boards) {
        private static final int PARTITIONS = 4;
        private static final int USERS = 10_000;

        Plan {
            ratesPerSecond = List.copyOf(ratesPerSecond);
            connections = List.copyOf(connections);
            readConnections = List.copyOf(readConnections);
            if (partitions < 1 || slices < 1 || kafkaEvents < 1 || ratesPerSecond.isEmpty()) {
                throw new IllegalArgumentException("A plan has partitions, slices, events and at least one rate");
            }
        }

        /** Returns the plan for published figures: about twelve minutes for two subjects. */
        static Plan full() {
            return new Plan(PARTITIONS, USERS, 3, 250_000, Duration.ofSeconds(20), List.of(200, 1_000),
                    Duration.ofSeconds(8), List.of(32, 64, 256), Duration.ofSeconds(5), List.of(1, 32),
                    Duration.ofSeconds(3), GrowthBench.Plan.full(), LeaderboardBench.Plan.full());
        }

        /**
         * Returns a plan of less than 45 s for two subjects, including the start of the broker. The compiler is not
         * done by then, particularly for the subject with more code, so the figures only show whether something is
         * broken.
         */
        static Plan quick() {
            return new Plan(PARTITIONS, USERS, 2, 50_000, Duration.ofSeconds(2), List.of(200),
                    Duration.ofMillis(1_500), List.of(64), Duration.ofMillis(800), List.of(1, 32),
                    Duration.ofMillis(250), null, null);
        }
    }
}
