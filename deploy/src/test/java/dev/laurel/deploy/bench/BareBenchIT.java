package dev.laurel.deploy.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.bench.BenchReport.SubjectReport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Not a measurement: the numbers are so small that only the course of a run is tested, here with the bare pipeline. */
final class BareBenchIT {

    @Test
    @Timeout(180)
    void shouldMeasureTheBarePipelineInEveryWay() {
        var plan = new BenchPlan(2, 50, 2, 500, Duration.ofMillis(300), List.of(50), Duration.ofMillis(400), List.of(4),
                Duration.ofMillis(200), List.of(1), Duration.ofMillis(100), null, null);
        var progress = new ByteArrayOutputStream();

        BenchReport report = Bench.run(plan, List.of(BarePipeline::start),
                new PrintStream(progress, true, StandardCharsets.UTF_8));

        SubjectReport bare = report.subjects().getFirst();
        assertEquals("bare", bare.name());
        assertTrue(bare.eventsPerSecond() > 0);
        assertTrue(bare.latencyMs().p50() > 0);
        assertEquals(1 / 3.0, bare.effectsPerEvent(), 0.25);
        assertEquals(Map.of(), bare.atRate().getFirst().errors());
        assertEquals(Map.of(), bare.flatOut().getFirst().errors());
        assertEquals(Map.of(), bare.reads().getFirst().errors());
        assertTrue(bare.reads().getFirst().perSecond() > 0);
        assertTrue(progress.toString(StandardCharsets.UTF_8).contains("bare 2/2"));
    }

    @Test
    @Timeout(180)
    void shouldLeaveOutWhatThereIsNoTimeFor() {
        var growth = new GrowthPlan(List.of(20, 100_000_000), 10, List.of(5, 100_000_000), 4, Duration.ofMillis(1), 10,
                2, 400, Duration.ofMinutes(1));
        var plan = new BenchPlan(2, 50, 1, 500, Duration.ofMillis(300), List.of(50), Duration.ofMillis(200), List.of(4),
                Duration.ofMillis(200), List.of(1), Duration.ofMillis(100), growth, null);

        SubjectReport bare = Bench.run(plan, List.of(BarePipeline::start),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)).subjects().getFirst();

        assertEquals(List.of(20), sizesOf(bare.byUsers()));
        assertEquals(List.of(100_000_000), bare.byUsers().leftOut());
        assertEquals(List.of(5), sizesOf(bare.byPastEvents()));
        assertEquals(List.of(100_000_000), bare.byPastEvents().leftOut());
    }

    private static List<Integer> sizesOf(GrowthReport growth) {
        return growth.sizes().stream().map(GrowthReport.Size::size).toList();
    }
}
