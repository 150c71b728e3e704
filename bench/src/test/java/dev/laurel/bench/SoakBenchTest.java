package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.SoakBench.Figure;
import dev.laurel.bench.SoakBench.Report;
import dev.laurel.bench.SoakBench.Sample;
import dev.laurel.bench.SoakBench.Series;
import dev.laurel.bench.Trend.Verdict;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class SoakBenchTest {
    private static final Machine MACHINE = new Machine(2, 8L << 30, 1L << 30, "25", "4.3.1", "Linux", 0.03);
    private static final SoakBench.Plan HOUR = SoakBench.Plan.of(Duration.ofHours(1), 200);

    @Test
    void shouldCallASteadyHourFlat() {
        Report report = report(i -> sample(i, 700 + i % 3, 150, 2.5 + i % 2 * 0.01));

        assertEquals(Verdict.FLAT, report.verdict(), report.toTable());
    }

    @Test
    void shouldCallGrowingMemoryByItsSlope() {
        Report report = report(i -> sample(i, 700 + i, 150, 2.5));

        assertEquals(Verdict.GROWING, report.verdict());
        assertEquals(240, series(report, "resident").trend().perHour(), 1e-6);
        assertTrue(
                series(report, "resident").last() > series(report, "resident").first() + 100);
        assertEquals(Verdict.FLAT, series(report, "heap after GC").verdict());
    }

    @Test
    void shouldCallAGrowingHeapGrowingIfResidentMemoryIsConstant() {
        Report report = report(i -> sample(i, 700, 150 + i * 0.25, 2.5));

        assertEquals(Verdict.GROWING, series(report, "heap after GC").verdict());
        assertEquals(Verdict.GROWING, report.verdict());
    }

    @Test
    void shouldCallGrowingLatencyByItsSlope() {
        Report report = report(i -> sample(i, 700, 150, 2.5 + i * 0.01));

        assertEquals(Verdict.GROWING, series(report, "event p50").verdict());
        assertEquals(Verdict.GROWING, report.verdict());
    }

    @Test
    void shouldIgnoreTheSettlingTime() {
        Report report = report(i -> sample(i, i < 60 ? 400 + 5 * i : 700, 150, i < 60 ? 30 - 0.4 * i : 2.5));

        assertEquals(Verdict.FLAT, report.verdict(), report.toTable());
        assertEquals(900, report.settlingSeconds());
    }

    @Test
    void shouldJudgeTheHeapIfResidentMemoryIsUnknown() {
        Report report = report(i -> {
            Sample sample = sample(i, 700, 150, 2.5);
            sample.values().remove(Figure.RESIDENT);
            return sample;
        });

        assertEquals(Verdict.FLAT, report.verdict());
        assertFalse(report.series().stream().anyMatch(series -> series.name().startsWith("resident")));
    }

    @Test
    void shouldWriteTheDocumentedJson() {
        Report report = report(i -> sample(i, 700, 150, 2.5));

        JsonNode json = JsonMapper.builder().build().readTree(report.toJson());

        assertEquals(List.of("machine", "soak"), List.copyOf(json.propertyNames()));
        assertEquals("FLAT", json.at("/soak/verdict").asString());
        assertEquals(0, json.at("/soak/series/0/trend/perHour").asDouble());
        assertEquals(21, json.at("/soak/series/0/allowedPerHour").asDouble(), 1e-9);
        assertEquals(240, json.at("/soak/samples").size());
        assertEquals(700, json.at("/soak/samples/0/values/RESIDENT").asDouble());
    }

    @Test
    void shouldShowSlopesVerdictAndRule() {
        String table = report(i -> sample(i, 700 + i, 150, 2.5)).toTable();

        assertTrue(
                table.lines().anyMatch(line -> line.matches("resident, MB .*\\+240\\.00 .*\\+240\\.00 .* growing")),
                table);
        assertTrue(table.contains("verdict: growing (flat: "), table);
    }

    @Test
    void shouldRefusePlansOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> SoakBench.Plan.of(Duration.ofSeconds(9), 200));
        assertThrows(IllegalArgumentException.class, () -> SoakBench.Plan.of(Duration.ofDays(1), 200));
        assertThrows(IllegalArgumentException.class, () -> SoakBench.Plan.of(Duration.ofHours(1), 0));
        assertEquals(Duration.ofSeconds(15), HOUR.interval());
        assertEquals(
                Duration.ofMillis(500),
                SoakBench.Plan.of(Duration.ofSeconds(20), 200).interval());
    }

    private static Series series(Report report, String name) {
        return report.series().stream()
                .filter(series -> series.name().startsWith(name))
                .findFirst()
                .orElseThrow();
    }

    private static Report report(IntFunction<Sample> sample) {
        return Report.of(MACHINE, HOUR, IntStream.range(0, 240).mapToObj(sample).toList());
    }

    /** @param residentMb and the heap in megabytes */
    private static Sample sample(int number, double residentMb, double heapMb, double p50) {
        var values = new EnumMap<>(Map.of(
                Figure.RESIDENT,
                residentMb,
                Figure.HEAP,
                heapMb,
                Figure.CODE,
                80.0,
                Figure.DIRECT,
                1.0,
                Figure.ROCKS_DB,
                20.0,
                Figure.MAPPED,
                1024.0,
                Figure.EVENT_P50,
                p50,
                Figure.EVENT_P99,
                9.0,
                Figure.READ_P50,
                0.6,
                Figure.READ_P99,
                2.0));
        return new Sample((number + 1) * 15.0, values, 0);
    }
}
