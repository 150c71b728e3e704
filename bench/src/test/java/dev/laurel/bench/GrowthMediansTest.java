package dev.laurel.bench;

import dev.laurel.bench.GrowthBench.Figures;
import dev.laurel.bench.GrowthBench.Size;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class GrowthMediansTest {

    @Test
    void shouldCompareMediansWithThoseOfTheSmallestSizeLoadByLoad() {
        var figures = new GrowthBench.Medians();
        for (double rate : new double[]{50_000, 1_000, 60_000}) {
            figures.add(10, "now", result(rate, 0.5));
        }
        figures.add(10, "late", result(10_000, 0.1));
        figures.add(100, "now", result(40_000, 0.25));
        figures.add(100, "late", result(9_000, 0.1));

        assertEquals(List.of(
                new Size(10, Map.of("now", new Figures(50_000, 1, 0.5), "late", new Figures(10_000, 1, 0.1))),
                new Size(100, Map.of("now", new Figures(40_000, 0.8, 0.25), "late", new Figures(9_000, 0.9, 0.1)))),
                figures.sizes());
    }

    @Test
    void shouldBeEmptyWhenNothingWasMeasured() {
        assertEquals(List.of(), new GrowthBench.Medians().sizes());
    }

    private static KafkaThroughput.Result result(double eventsPerSecond, double effectsPerEvent) {
        return new KafkaThroughput.Result(1_000, 1, eventsPerSecond, effectsPerEvent,
                new ResourceMeter.Use(1_000, 0, 0, 0, null, null));
    }
}
