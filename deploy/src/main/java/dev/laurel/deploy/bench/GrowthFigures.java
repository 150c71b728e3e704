package dev.laurel.deploy.bench;

import dev.laurel.deploy.bench.GrowthReport.Figures;
import dev.laurel.deploy.bench.GrowthReport.Size;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Collects rounds by size and load, in the order in which they first come. Single-threaded. */
final class GrowthFigures {
    private final SequencedMap<Integer, Map<String, List<ThroughputResult>>> rounds = new LinkedHashMap<>();

    void add(int size, String load, ThroughputResult result) {
        rounds.computeIfAbsent(size, _ -> new LinkedHashMap<>()).computeIfAbsent(load, _ -> new ArrayList<>())
                .add(result);
    }

    /** Medians, and their ratios to those of the first size. */
    List<Size> sizes() {
        var sizes = new ArrayList<Size>();
        rounds.forEach((size, loads) -> {
            var figures = new LinkedHashMap<String, Figures>();
            loads.forEach((load, results) -> {
                double rate = rate(results);
                figures.put(load, new Figures(rate, rate / rate(rounds.firstEntry().getValue().get(load)),
                        Median.of(results.stream().mapToDouble(ThroughputResult::effectsPerEvent))));
            });
            sizes.add(new Size(size, figures));
        });
        return sizes;
    }

    private static double rate(List<ThroughputResult> results) {
        return Median.of(results.stream().mapToDouble(ThroughputResult::eventsPerSecond));
    }
}
