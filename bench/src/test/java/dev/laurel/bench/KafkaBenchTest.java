package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.KafkaBench.Figures;
import dev.laurel.bench.KafkaBench.Plan;
import dev.laurel.bench.KafkaBench.Report;
import dev.laurel.bench.KafkaBench.Size;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class KafkaBenchTest {
    private static final List<Size> SIZES = List.of(new Size(1_000, 30_000), new Size(1_000_000, 24_000));

    @Test
    void shouldWriteTheDocumentedJson() {
        JsonNode json =
                JsonMapper.builder().build().readTree(report(0.03, SIZES).toJson());

        assertEquals(List.of("machine", "bare", "laurel", "ratios", "byUsers"), List.copyOf(json.propertyNames()));
        assertEquals(2, json.at("/machine/cores").asInt());
        assertEquals(20_000, json.at("/bare/eventsPerSecond").asDouble());
        assertEquals(0.04, json.at("/laurel/cpuMsPerEvent").asDouble());
        assertEquals(0.75, json.at("/ratios/throughput").asDouble());
        assertEquals(1_000_000, json.at("/byUsers/1/users").asInt());
    }

    @Test
    void shouldShowRatioAndTargetBesideTheFigures() {
        String table = report(0.03, SIZES).toTable();

        assertTrue(
                table.lines().anyMatch(line -> line.matches("events/s through Kafka +20,000 +15,000 +0\\.75 +≥ 0\\.7")),
                table);
        assertTrue(table.lines().anyMatch(line -> line.matches("1,000,000 +24,000 +0\\.80 +≥ 0\\.75")), table);
        assertFalse(report(0.03, List.of()).toTable().contains("more users"));
    }

    @Test
    void shouldSayWhenOnlyTheRatiosCanBeTrusted() {
        assertTrue(report(0.5, SIZES).toTable().contains("Other processes took 50 % of the machine"));
        assertFalse(report(0.03, SIZES).toTable().contains("Other processes"));
    }

    @Test
    void shouldRefuseUsersThatDoNotAscend() {
        assertThrows(IllegalArgumentException.class, () -> new Plan(4, 50, 1, 500, List.of(60, 20)));
        assertEquals(List.of(), Plan.of(true).growth());
    }

    private static Report report(double busyElsewhere, List<Size> sizes) {
        var machine = new Machine(2, 8L << 30, 2L << 30, "25", "4.4.0", "Linux", busyElsewhere);
        return new Report(machine, new Figures(20_000, 0.33, 0.02), new Figures(15_000, 0.34, 0.04), 250_000, sizes);
    }
}
