package dev.laurel.bench;

import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.SoakReport.Series;
import dev.laurel.bench.Trend.Verdict;
import dev.laurel.bench.load.Latency;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SoakReportTest {
    private static final Machine MACHINE = new Machine(2, 8L << 30, 1L << 30, "25", "4.3.1", "Linux", 0.03);
    private static final SoakBench.Plan HOUR = SoakBench.Plan.of(Duration.ofHours(1), 200);

    @Test
    void shouldCallASteadyHourFlat() {
        SoakReport report = report(i -> sample(i, 700 + i % 3, 150, 2.5 + i % 2 * 0.01));

        assertEquals(Verdict.FLAT, report.verdict(), report.toTable());
    }

    @Test
    void shouldCallGrowingMemoryByItsSlope() {
        SoakReport report = report(i -> sample(i, 700 + i, 150, 2.5));

        assertEquals(Verdict.GROWING, report.verdict());
        assertEquals(240, series(report, "resident").trend().perHour(), 1e-6);
        assertTrue(series(report, "resident").last() > series(report, "resident").first() + 100);
        assertEquals(Verdict.FLAT, series(report, "heap after GC").verdict());
    }

    @Test
    void shouldCallAGrowingHeapGrowingIfResidentMemoryIsConstant() {
        SoakReport report = report(i -> sample(i, 700, 150 + i * 0.25, 2.5));

        assertEquals(Verdict.GROWING, series(report, "heap after GC").verdict());
        assertEquals(Verdict.GROWING, report.verdict());
    }

    @Test
    void shouldCallGrowingLatencyByItsSlope() {
        SoakReport report = report(i -> sample(i, 700, 150, 2.5 + i * 0.01));

        assertEquals(Verdict.GROWING, series(report, "event p50").verdict());
        assertEquals(Verdict.GROWING, report.verdict());
    }

    @Test
    void shouldIgnoreTheSettlingTime() {
        SoakReport report = report(i -> sample(i, i < 60 ? 400 + 5 * i : 700, 150, i < 60 ? 30 - 0.4 * i : 2.5));

        assertEquals(Verdict.FLAT, report.verdict(), report.toTable());
        assertEquals(900, report.settlingSeconds());
    }

    @Test
    void shouldJudgeTheHeapIfResidentMemoryIsUnknown() {
        SoakReport report = report(i -> {
            SoakReport.Sample known = sample(i, 700, 150, 2.5);
            return new SoakReport.Sample(known.seconds(),
                    new SoakReport.Sample.Memory(null, null, known.memory().heapAfterGc(), 80L << 20, 1L << 20, 0, 0),
                    90,
                    800, known.eventMs(), known.readMs(), 0);
        });

        assertEquals(Verdict.FLAT, report.verdict());
        assertFalse(report.series().stream().anyMatch(series -> series.name().startsWith("resident")));
    }

    @Test
    void shouldWriteTheDocumentedJson() {
        SoakReport report = report(i -> sample(i, 700, 150, 2.5));

        JsonNode json = JsonMapper.builder().build().readTree(report.toJson());

        assertEquals(List.of("machine", "soak"), List.copyOf(json.propertyNames()));
        assertEquals("FLAT", json.at("/soak/verdict").asString());
        assertEquals(0, json.at("/soak/series/0/trend/perHour").asDouble());
        assertEquals(21, json.at("/soak/series/0/allowedPerHour").asDouble(), 1e-9);
        assertEquals(240, json.at("/soak/samples").size());
        assertEquals(700L << 20, json.at("/soak/samples/0/memory/resident").asLong());
    }

    @Test
    void shouldShowSlopesVerdictAndRule() {
        String table = report(i -> sample(i, 700 + i, 150, 2.5)).toTable();

        assertTrue(table.lines()
                .anyMatch(line -> line.matches("resident, MB .*\\+240\\.00 .*\\+240\\.00 .* growing")), table);
        assertTrue(table.contains("verdict: growing (flat: "), table);
    }

    @Test
    void shouldPrintMediansOfTheLatestMinute() {
        List<SoakReport.Sample> samples = IntStream.range(0, 8).mapToObj(i -> sample(i, 700, 150, i < 4 ? 9 : 2))
                .toList();

        String line = SoakReport.Table.line(samples, 60);

        assertTrue(line.matches(" +2 +700 +150 .* 2\\.00 .*"), line);
        assertFalse(line.contains("9.00"), line);
    }

    @Test
    void shouldRefusePlansOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> SoakBench.Plan.of(Duration.ofSeconds(9), 200));
        assertThrows(IllegalArgumentException.class, () -> SoakBench.Plan.of(Duration.ofDays(1), 200));
        assertThrows(IllegalArgumentException.class, () -> SoakBench.Plan.of(Duration.ofHours(1), 0));
        assertEquals(Duration.ofSeconds(15), HOUR.interval());
        assertEquals(Duration.ofMillis(500), SoakBench.Plan.of(Duration.ofSeconds(20), 200).interval());
    }

    private static Series series(SoakReport report, String name) {
        return report.series().stream().filter(series -> series.name().equals(name)).findFirst().orElseThrow();
    }

    private static SoakReport report(IntFunction<SoakReport.Sample> sample) {
        return SoakReport.of(MACHINE, HOUR, IntStream.range(0, 240).mapToObj(sample).toList());
    }

    /** @param residentMb and the heap in megabytes */
    private static SoakReport.Sample sample(int number, double residentMb, double heapMb, double p50) {
        long resident = bytes(residentMb);
        return new SoakReport.Sample((number + 1) * 15.0,
                new SoakReport.Sample.Memory(resident, resident - bytes(60), bytes(heapMb), 80L << 20, 1L << 20,
                        1L << 30,
                        20L << 20),
                90, 800, new Latency(p50, 6, 9, 20), new Latency(0.6, 1, 2, 5), 0);
    }

    private static long bytes(double megabytes) {
        return (long) (megabytes * 1024 * 1024);
    }
}
