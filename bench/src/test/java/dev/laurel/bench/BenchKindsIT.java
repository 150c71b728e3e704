package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs the other kinds of {@code bench} with small numbers, which measure nothing. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
final class BenchKindsIT {

    private final List<String> progress = new ArrayList<>();

    @Test
    void shouldSoak() {
        SoakBench.Report report = SoakBench.run(
                new SoakBench.Plan(2, 50, Duration.ofSeconds(10), 50, Duration.ofMillis(500)), progress::add);

        assertEquals(0, report.errors());
        assertTrue(report.samples().size() > 10, report.samples().toString());
        assertTrue(
                report.samples().stream()
                        .allMatch(sample -> sample.values().get(SoakBench.Figure.EVENT_P50) > 0
                                && sample.values().get(SoakBench.Figure.READ_P50) > 0),
                report.samples().toString());
        assertTrue(report.toTable().contains("verdict: "), report.toTable());
    }

    @Test
    void shouldFoldALogByShadowGenerations() throws InterruptedException {
        ReplayBench.Report report = ReplayBench.run(new ReplayBench.Plan(2, 50, 1_000, 1), progress::add);

        assertTrue(report.barePerSecond() > 0, report.toString());
        for (ReplayBench.Fold fold : List.of(report.report(), report.promotion())) {
            assertTrue(fold.perSecond() > 0 && fold.seconds() > 0 && fold.firstSeconds() > 0, report.toString());
            assertEquals(fold.perSecond() / report.barePerSecond(), fold.ratio(), 1e-9);
        }
    }

    @Test
    void shouldStopKillAndStart() {
        RestartBench.Report report = RestartBench.run(new RestartBench.Plan(300, 1), progress::add);

        assertTrue(report.startAfterStop() > 0 && report.startAfterKill() > 0, report.toString());
        assertTrue(report.stateBytes() > 0, report.toString());
    }

    @Test
    void shouldMeasureAProcessOverHttp() {
        var loads = Stream.of(HttpBench.Kind.values())
                .flatMap(kind -> kind == HttpBench.Kind.LOGGED_EVENT
                        ? Stream.of(new HttpBench.Load(kind, 0, 0))
                        : Stream.of(new HttpBench.Load(kind, 4, 0), new HttpBench.Load(kind, 4, 50)))
                .toList();

        HttpBench.Report report = HttpBench.run(
                new HttpBench.Plan(50, Duration.ofSeconds(5), 1, Duration.ofSeconds(1), 500, loads),
                null,
                progress::add);

        List<HttpBench.Figures> figures = report.servers().getFirst().loads();
        assertEquals(loads.size(), figures.size());
        assertTrue(
                figures.stream().allMatch(of -> of.perSecond() > 0 && of.cpuMsPerRequest() > 0 && of.errors() == 0),
                report.toString());
        assertEquals(1, figures.stream().filter(of -> of.latencyMs() == null).count());
        assertTrue(report.toTable().contains("event through Kafka: per second"), report.toTable());
        assertTrue(report.toTable().contains("processor ms each"), report.toTable());
        assertTrue(report.toTable().contains("produce requests each"), report.toTable());
    }
}
