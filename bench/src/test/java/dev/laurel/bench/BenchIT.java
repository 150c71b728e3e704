package dev.laurel.bench;

import dev.laurel.bench.BenchReport.SubjectReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the comparison with small numbers, which measure nothing. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class BenchIT {

    @Test
    void shouldCompareLaurelWithTheBarePipeline() {
        var progress = new ArrayList<String>();

        BenchReport report = Bench.run(plan(null, null), List.of(BarePipeline::start, LaurelSubject::start),
                progress::add);

        assertEquals(List.of("bare", "laurel"), report.subjects().stream().map(SubjectReport::name).toList());
        for (SubjectReport subject : report.subjects()) {
            assertTrue(subject.eventsPerSecond() > 0, subject.toString());
            assertTrue(subject.latencyMs().p50() > 0, subject.toString());
            assertTrue(subject.effectsPerEvent() > 0, subject.toString());
            assertEquals(Map.of(), subject.atRate().getFirst().errors());
            assertEquals(Map.of(), subject.flatOut().getFirst().errors());
            assertEquals(Map.of(), subject.reads().getFirst().errors());
            assertTrue(subject.reads().getFirst().perSecond() > 0, subject.toString());
        }
        assertEquals(1 / 3.0, report.subjects().getFirst().effectsPerEvent(), 0.25);
        assertTrue(report.ratios().isPresent());
        assertTrue(progress.stream().anyMatch(line -> line.startsWith("laurel 1/1: ")), progress.toString());
    }

    @Test
    @EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
    void shouldMeasureLaurelWithMoreUsersLongerPastsAndLeaderboards() {
        var growth = new GrowthBench.Plan(List.of(20, 60), 10, List.of(5, 40), 4, Duration.ofHours(5), 10, 1, 400,
                Duration.ofMinutes(2));
        var boards = new LeaderboardBench.Plan(20, 50, 1, Duration.ofMillis(300), Duration.ofMillis(400), 1, 400, 20);

        SubjectReport laurel = run(plan(growth, boards), LaurelSubject::start);

        assertEquals(List.of(20, 60), sizesOf(laurel.byUsers()));
        assertEquals(List.of(5, 40), sizesOf(laurel.byPastEvents()));
        for (GrowthBench.Size size : laurel.byPastEvents().sizes()) {
            assertTrue(size.loads().get(PastGrowth.NOW).eventsPerSecond() > 0, size.toString());
            assertTrue(size.loads().get(PastGrowth.LATE).effectsPerEvent() > 0, size.toString());
        }
        assertTrue(laurel.leaderboards().with().p50() > 0);
        assertEquals(60, laurel.leaderboards().forAll().users());
        assertTrue(laurel.leaderboards().forAll().withPerSecond() > 0);
    }

    @Test
    @EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
    void shouldSkipSizesForLackOfTime() {
        var growth = new GrowthBench.Plan(List.of(20, 100_000_000), 10, List.of(5, 100_000_000), 4,
                Duration.ofMillis(1), 10,
                2, 400, Duration.ofMinutes(1));

        SubjectReport bare = run(plan(growth, null), BarePipeline::start);

        assertEquals(List.of(20), sizesOf(bare.byUsers()));
        assertEquals(List.of(100_000_000), bare.byUsers().leftOut());
        assertEquals(List.of(5), sizesOf(bare.byPastEvents()));
        assertEquals(List.of(100_000_000), bare.byPastEvents().leftOut());
    }

    private static Bench.Plan plan(GrowthBench.Plan growth, LeaderboardBench.Plan boards) {
        return new Bench.Plan(2, 50, 1, 500, Duration.ofMillis(300), List.of(50), Duration.ofMillis(200), List.of(4),
                Duration.ofMillis(200), List.of(1), Duration.ofMillis(100), growth, boards);
    }

    private static SubjectReport run(Bench.Plan plan, Subject.Factory subject) {
        return Bench.run(plan, List.of(subject), _ -> {}).subjects().getFirst();
    }

    private static List<Integer> sizesOf(GrowthBench.Report growth) {
        return growth.sizes().stream().map(GrowthBench.Size::size).toList();
    }
}
