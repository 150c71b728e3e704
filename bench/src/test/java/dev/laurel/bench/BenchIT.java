package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.bench.KafkaBench.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Measures events through Kafka with small numbers, which say nothing. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class BenchIT {

    @Test
    void shouldCompareLaurelWithTheBarePipelineAndGrow() {
        var progress = new ArrayList<String>();

        KafkaBench.Report report = KafkaBench.run(new KafkaBench.Plan(2, 50, 1, 500, List.of(20, 60)), progress::add);

        for (Figures figures : List.of(report.bare(), report.laurel())) {
            assertTrue(figures.eventsPerSecond() > 0 && figures.cpuMsPerEvent() > 0, report.toString());
            assertTrue(figures.effectsPerEvent() > 0, report.toString());
        }
        assertEquals(1 / 3.0, report.bare().effectsPerEvent(), 0.25);
        assertEquals(
                List.of(20, 60),
                report.byUsers().stream().map(KafkaBench.Size::users).toList());
        assertTrue(report.byUsers().stream().allMatch(size -> size.eventsPerSecond() > 0), report.toString());
        assertTrue(progress.stream().anyMatch(line -> line.startsWith("laurel, 50 users, 1/1: ")), progress.toString());
    }
}
