package dev.laurel.bench;

import dev.laurel.bench.BenchReport.ConnectionsReport;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.BenchReport.RateReport;
import dev.laurel.bench.BenchReport.SubjectReport;
import dev.laurel.bench.GrowthBench.Figures;
import dev.laurel.bench.GrowthBench.Size;
import dev.laurel.bench.load.Latency;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class BenchReportTest {
    private static final Machine MACHINE = new Machine(2, 8L << 30, 2L << 30, "25", "4.3.1", "Linux", 0.03);

    @Test
    void shouldWriteTheDocumentedJson() {
        var report = new BenchReport(MACHINE,
                List.of(subject("bare", 20_000, 2, 10), subject("laurel", 15_000, 3, 20)));

        JsonNode json = JsonMapper.builder().build().readTree(report.toJson());

        assertEquals(List.of("machine", "bare", "laurel", "ratios"), List.copyOf(json.propertyNames()));
        assertEquals(2, json.at("/machine/cores").asInt());
        assertEquals("4.3.1", json.at("/machine/kafka").asString());
        assertEquals(20_000, json.at("/bare/eventsPerSecond").asDouble());
        assertEquals(2, json.at("/bare/latencyMs/p50").asDouble());
        assertEquals(5, json.at("/bare/latencyMs/p95").asDouble());
        assertEquals(20, json.at("/laurel/latencyMs/p99").asDouble());
        assertEquals(0.75, json.at("/ratios/throughput").asDouble());
        assertEquals(1.5, json.at("/ratios/latencyP50").asDouble());
        assertEquals(2, json.at("/ratios/latencyP99").asDouble());
    }

    @Test
    void shouldOmitTheRatiosOfOneSubject() {
        var report = new BenchReport(MACHINE, List.of(subject("bare", 20_000, 2, 10)));

        assertFalse(JsonMapper.builder().build().readTree(report.toJson()).has("ratios"));
        assertFalse(report.toTable().contains("ratio"));
    }

    @Test
    void shouldShowRatioAndTargetBesideTheFigures() {
        var report = new BenchReport(MACHINE,
                List.of(subject("bare", 20_000, 2, 10), subject("laurel", 15_000, 3, 20)));

        String throughput = lineOf(report, "events/s through Kafka");

        assertTrue(throughput.matches("events/s through Kafka +20,000 +15,000 +0\\.75 +≥ 0\\.7"), throughput);
        assertTrue(lineOf(report, "ms at 200/s over HTTP p99").endsWith("2.00   ≤ 1.5"), report.toTable());
    }

    @Test
    void shouldWriteGrowthBesideTheOtherFiguresOfItsSubject() {
        var report = new BenchReport(MACHINE, List.of(subject("bare", 20_000, 2, 10), grown()));

        JsonNode json = JsonMapper.builder().build().readTree(report.toJson());

        assertFalse(json.at("/bare").has("byUsers"));
        assertEquals(16, json.at("/laurel/byUsers/usersAtOnce").asInt());
        assertEquals(100_000, json.at("/laurel/byUsers/sizes/1/size").asInt());
        assertEquals(0.9, json.at("/laurel/byUsers/sizes/1/loads/visits/ratio").asDouble());
        assertEquals(30_000, json.at("/laurel/byUsers/sizes/1/loads/anyUser/eventsPerSecond").asDouble());
        assertEquals(1_000_000, json.at("/laurel/byUsers/leftOut/0").asInt());
        assertEquals(0.35, json.at("/laurel/byPastEvents/sizes/1/loads/now/effectsPerEvent").asDouble());
        assertEquals(0.75, json.at("/laurel/byPastEvents/sizes/1/loads/late/ratio").asDouble());
    }

    @Test
    void shouldShowARowPerSizeAndTheSkippedSizes() {
        String table = new BenchReport(MACHINE, List.of(grown())).toTable();

        List<String> rows = table.lines().filter(line -> line.startsWith("100,000 ")).toList();
        assertEquals(2, rows.size(), table);
        assertTrue(rows.getFirst().matches("100,000 +45,000 +0\\.90 +0\\.35 +30,000 +0\\.75 +0\\.20 +≥ 0\\.75"), table);
        assertTrue(table.contains("1,000,000: left out for lack of time"), table);
    }

    @Test
    void shouldShowTheCostOfLeaderboards() {
        var forAll = new LeaderboardBench.ForAll(1_000_000, 40_000, 36_000, latency(1.2, 5));
        var boards = new LeaderboardBench.Report(900, 200, latency(2, 8), latency(3, 14), forAll);

        String table = new BenchReport(MACHINE,
                List.of(subject("laurel", 15_000, 3, 20).withGrowth(null, null, boards))).toTable();

        assertTrue(table.matches("(?s).*answer p50 +2\\.00 +3\\.00 +1\\.50 +≤ 2\\.0\n.*"), table);
        assertTrue(table.matches("(?s).*1,000,000 users +40,000 +36,000 +0\\.90 +≥ 0\\.8\n.*"), table);
        assertTrue(table.matches("(?s).*meanwhile p50 ms +1\\.20 +< 2\\.0\n.*"), table);
    }

    @Test
    void shouldAlignTheColumns() {
        var report = new BenchReport(MACHINE, List.of(subject("bare", 20_000, 2, 10), subject("laurel", 9_000, 3, 20)));

        String head = lineOf(report, "  ");
        String throughput = lineOf(report, "events/s through Kafka");

        assertEquals(head.indexOf("laurel") + "laurel".length(), throughput.indexOf("9,000") + "9,000".length());
    }

    @Test
    void shouldMeetTheTargetsAtTheirLimits() {
        assertTrue(ratios(20_000, 14_000, 2, 3).met());
        assertFalse(ratios(20_000, 13_900, 2, 3).met());
        assertFalse(ratios(20_000, 14_000, 2, 3.1).met());
    }

    @Test
    void shouldShowErrors() {
        var failing = new SubjectReport("bare", 1, 0, latency(1, 1),
                List.of(new RateReport(200, latency(1, 1), Map.of(503, 7L))), List.of(), List.of(), resources(), null,
                null, null);

        assertTrue(new BenchReport(MACHINE, List.of(failing)).toTable().contains("ERRORS of bare"));
    }

    private static BenchReport.Ratios ratios(double bareRate, double rate, double bareP50, double p50) {
        return new BenchReport(MACHINE,
                List.of(subject("bare", bareRate, bareP50, 10), subject("laurel", rate, p50, 10)))
                .ratios().orElseThrow();
    }

    private static SubjectReport subject(String name, double eventsPerSecond, double p50, double p99) {
        return new SubjectReport(name, eventsPerSecond, 0.34, latency(p50, p99),
                List.of(new RateReport(200, latency(p50, p99), Map.of())),
                List.of(new ConnectionsReport(64, 5_000, latency(p50, p99), Map.of())),
                List.of(new ConnectionsReport(1, 9_000, latency(p50, p99), Map.of())), resources(), null, null, null);
    }

    private static SubjectReport grown() {
        return subject("laurel", 15_000, 3, 20).withGrowth(
                growth(1_000, UsersGrowth.VISITS, UsersGrowth.ANY_USER, List.of(1_000_000)),
                growth(10, PastGrowth.NOW, PastGrowth.LATE, List.of()), null);
    }

    private static GrowthBench.Report growth(int smallest, String load, String otherLoad, List<Integer> leftOut) {
        return new GrowthBench.Report(16, 10, 100_000, 3,
                List.of(new Size(smallest,
                        Map.of(load, new Figures(50_000, 1, 0.3), otherLoad, new Figures(40_000, 1, 0.3))),
                        new Size(100_000,
                                Map.of(load, new Figures(45_000, 0.9, 0.35), otherLoad,
                                        new Figures(30_000, 0.75, 0.2)))),
                leftOut);
    }

    private static Latency latency(double p50, double p99) {
        return new Latency(p50, (p50 + p99 - 2) / 2, p99, p99);
    }

    private static ResourceMeter.Use resources() {
        return new ResourceMeter.Use(1_000, 0.1, 1_000_000, 2_000_000, 300L << 20, 400L << 20);
    }

    private static String lineOf(BenchReport report, String start) {
        return report.toTable().lines().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
    }
}
