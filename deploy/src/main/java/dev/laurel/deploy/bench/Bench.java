package dev.laurel.deploy.bench;

import dev.laurel.deploy.bench.BenchReport.SubjectReport;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/**
 * Runs a plan: one embedded broker and all subjects in this process, in a fresh temporary folder that is deleted at
 * the end; then, where the plan says so, the last subject alone with more and more users and longer and longer pasts, each
 * with a broker and a folder of its own. Blocks the calling thread for the whole run; progress goes to the stream that is
 * passed in.
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
        return new Bench(plan, progress).run(subjects);
    }

    private BenchReport run(List<SubjectFactory> factories) {
        BenchReport compared = withSubjects(factories, this::measure);
        return plan.growth() == null ? compared : withGrowth(compared, factories.getLast());
    }

    private BenchReport withGrowth(BenchReport compared, SubjectFactory factory) {
        // Each alone and anew: the number of users is then what it says, and no other subject's threads are about.
        Grown users = withSubjects(List.of(factory), this::grow);
        GrowthReport pasts = withSubjects(List.of(factory), (subjects,
                environment) -> new PastGrowth(growthOf(subjects.getFirst(), environment), plan.partitions()).run());
        var reports = new ArrayList<>(compared.subjects());
        reports.addLast(reports.removeLast().withGrowth(users.report(), pasts).withLeaderboards(
                leaderboards(factory, users.leaderboard())));
        return new BenchReport(compared.machine(), reports);
    }

    /** @param leaderboard of all users at the end; null if there are none or it is not to be measured */
    private record Grown(GrowthReport report, BoardsReport.ForAll leaderboard) {}

    private Grown grow(List<Subject> subjects, BenchEnvironment environment) {
        GrowthReport report = new UsersGrowth(growthOf(subjects.getFirst(), environment)).run();
        boolean isToRank = plan.boards() != null && !report.sizes().isEmpty();
        return new Grown(report, isToRank && subjects.getFirst() instanceof RankingSubject ranking
                ? boardsOf(ranking, environment).forAll(report.sizes().getLast().size())
                : null);
    }

    /** @return null if there is nothing to measure */
    private BoardsReport leaderboards(SubjectFactory factory, BoardsReport.ForAll forAll) {
        if (forAll == null) {
            return null;
        }
        return withSubjects(List.of(factory), (subjects, environment) -> {
            var latencies = boardsOf((RankingSubject) subjects.getFirst(), environment).answers();
            return new BoardsReport(plan.boards().participants(), plan.boards().ratePerSecond(), latencies.without(),
                    latencies.with(), forAll);
        });
    }

    private BoardsBench boardsOf(RankingSubject subject, BenchEnvironment environment) {
        return new BoardsBench(subject, plan.boards(), environment.bootstrapServers(), this::say);
    }

    private GrowthBench growthOf(Subject subject, BenchEnvironment environment) {
        return new GrowthBench(subject, plan.growth(), environment.bootstrapServers(), this::say);
    }

    private <R> R withSubjects(List<SubjectFactory> factories,
            BiFunction<List<Subject>, BenchEnvironment, R> measurement) {
        try (Bed bed = Bed.open(factories, plan.partitions(), plan.users(), this::say)) {
            return measurement.apply(bed.subjects(), bed.environment());
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
        return new BenchReport(ThisMachine.now(otherWork.share()), reports);
    }

    private void say(String line) {
        progress.printf(Locale.ROOT, "%5.1f s  %s%n", (System.nanoTime() - startNanos) / 1e9, line);
    }
}
