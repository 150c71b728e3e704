package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.bench.BenchResult.Machine;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests plans and reports of replay and restart. */
final class BenchKindsTest {
    private static final Machine MACHINE = new Machine(2, 8L << 30, 1L << 30, "25", "4.3.1", "Linux", 0.03);

    @Test
    void shouldUseSmallerDefaultsInAQuickRun() {
        assertEquals(1_000_000, ReplayBench.Plan.of(null, false).events());
        assertEquals(500_000, ReplayBench.Plan.of(null, true).events());
        assertEquals(7_000, ReplayBench.Plan.of(7_000, true).events());
        assertEquals(1_000_000, RestartBench.Plan.of(null, false).users());
        assertEquals(20_000, RestartBench.Plan.of(null, true).users());
    }

    @Test
    void shouldCompareReplaysWithTheBarePipeline() {
        var report = new ReplayBench.Report(
                MACHINE,
                500_000,
                10_000,
                60_000,
                new ReplayBench.Fold(54_000, 0.9, 11, 20, 0.03),
                new ReplayBench.Fold(42_000, 0.7, 14, 25, 0.04));

        String table = report.toTable();

        assertTrue(
                table.lines()
                        .anyMatch(line -> line.matches(
                                "shadow for a report +54,000 +0\\.90 +≥ 0\\.8 +11\\.0 +20\\.0 +22\\.0 .*")),
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
