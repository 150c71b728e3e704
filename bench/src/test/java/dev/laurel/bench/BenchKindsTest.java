package dev.laurel.bench;

import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.ScaleBench.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests plans and reports of replay, scale and restart. */
final class BenchKindsTest {
    private static final Machine MACHINE = new Machine(2, 8L << 30, 1L << 30, "25", "4.3.1", "Linux", 0.03);

    @Test
    void shouldUseSmallerDefaultsInAQuickRun() {
        assertEquals(1_000_000, ReplayBench.Plan.of(null, false).events());
        assertEquals(500_000, ReplayBench.Plan.of(null, true).events());
        assertEquals(7_000, ReplayBench.Plan.of(7_000, true).events());
        assertEquals(1_000_000, RestartBench.Plan.of(null, false).users());
        assertEquals(20_000, RestartBench.Plan.of(null, true).users());
        assertEquals(500_000, ScaleBench.Plan.of(null, false).eventsPerNode());
        assertEquals(30_000, ScaleBench.Plan.of(null, true).eventsPerNode());
    }

    @Test
    void shouldGiveTheBrokerTheCoresWithoutANode() {
        assertEquals(List.of(), ScaleBench.Plan.coresOfBroker(2));
        assertEquals(List.of(2, 3), ScaleBench.Plan.coresOfBroker(4));
    }

    @Test
    void shouldComputeTheGainOfASecondNodeWithAndWithoutTheBroker() {
        // One node: 20,000/s on a whole core. Two nodes: the broker takes a quarter of each core.
        Figures one = Figures.of(1, 20_000, 1_000_000, 50, 50, 15, 2);
        Figures two = Figures.of(2, 29_000, 2_000_000, 69, 103.5, 30, 4);

        ScaleBench.Report report = ScaleBench.Report.of(MACHINE, 500_000, true, one, two);

        assertEquals(1.45, report.ratio(), 1e-9);
        assertEquals(1.5, two.nodeCores(), 1e-9);
        assertEquals(50 / 51.75, report.efficiency(), 1e-9);
        assertEquals(2 * 50 / 51.75, report.ratioByNodes(), 1e-9);
        assertEquals(15, two.brokerCpuSeconds(), 1e-9);
        assertTrue(report.toTable().lines().anyMatch(line -> line.matches("2 +29,000 +1\\.45 +≥ 1\\.6 +1\\.50 .*")),
                report.toTable());
        assertTrue(report.toTable().contains("The broker has no core for itself"), report.toTable());
        assertFalse(ScaleBench.Report.of(MACHINE, 1, false, one, two).toTable().contains("no core for itself"));
        assertEquals(1.45, json(report).at("/scale/ratio").asDouble(), 1e-9);
    }

    @Test
    void shouldCompareReplaysWithTheBarePipeline() {
        var report = new ReplayBench.Report(MACHINE, 500_000, 10_000, 60_000,
                new ReplayBench.Fold(54_000, 0.9, 11, 20, 0.03), new ReplayBench.Fold(42_000, 0.7, 14, 25, 0.04));

        String table = report.toTable();

        assertTrue(table.lines().anyMatch(
                line -> line.matches("shadow for a report +54,000 +0\\.90 +≥ 0\\.8 +11\\.0 +20\\.0 +22\\.0 .*")),
                table);
        assertEquals(0.7, json(report).at("/replay/promotion/ratio").asDouble());
    }

    @Test
    void shouldShowRestartsPerMillionUsers() {
        var report = new RestartBench.Report(MACHINE, 500_000, 300L << 20, 1.5, 6, 20);

        String table = report.toTable();

        assertTrue(table.lines().anyMatch(line -> line.matches("start until a user is read +6\\.0 +≤ 10")), table);
        assertTrue(table.lines().anyMatch(line -> line.matches("start after SIGKILL .* 20\\.0 +40\\.0")), table);
        assertEquals(20, json(report).at("/restart/startAfterKill").asDouble());
    }

    private static JsonNode json(BenchResult result) {
        return JsonMapper.builder().build().readTree(result.toJson());
    }
}
