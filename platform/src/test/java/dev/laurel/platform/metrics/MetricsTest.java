package dev.laurel.platform.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.metrics.MeterScope.Line;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import io.micrometer.core.instrument.Tags;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MetricsTest {

    private static final MeterName LAPS = MeterName.of("pool.laps", "Laps.");
    private static final MeterName DEPTH = MeterName.of("pool.depth", "Depth of each pool.");
    private static final MeterName WATER = MeterName.ofBytes("pool.water", "Volume.");

    private final Metrics metrics = new Metrics();
    private final MeterScope part = metrics.scope();

    private List<String> scrape() {
        var out = new ByteArrayOutputStream();
        try {
            metrics.scrape(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(UTF_8).lines().toList();
    }

    @Test
    void shouldReadValuesAtTheTimeOfTheScrape() {
        var count = new AtomicInteger(1);
        part.counter(LAPS, Tags.of("pool", "east"), count::get);
        part.gauge(WATER, Tags.empty(), count::get);
        count.set(7);

        assertTrue(
                scrape().containsAll(List.of(
                        "# HELP pool_laps_total Laps.",
                        "# TYPE pool_laps_total counter",
                        "pool_laps_total{pool=\"east\"} 7.0",
                        "pool_water_bytes 7.0")),
                scrape()::toString);
    }

    @Test
    void shouldKeepSourcesAliveThatOnlyTheMeterReferences() {
        part.counter(LAPS, Tags.empty(), new AtomicInteger(3)::get);
        System.gc();

        assertTrue(scrape().contains("pool_laps_total 3.0"), scrape()::toString);
    }

    @Test
    void shouldUpdateTheRowsOfAGaugeAtEachScrape() {
        var pools = new AtomicInteger(2);
        part.gauges(
                DEPTH,
                () -> IntStream.range(0, pools.get())
                        .mapToObj(pool -> new Line(Tags.of("pool", Integer.toString(pool)), pools.get()))
                        .toList());
        assertTrue(scrape().containsAll(List.of("pool_depth{pool=\"0\"} 2.0", "pool_depth{pool=\"1\"} 2.0")));

        pools.set(1);

        assertEquals(
                List.of("pool_depth{pool=\"0\"} 1.0"),
                scrape().stream().filter(line -> line.startsWith("pool_depth")).toList());
    }

    @Test
    void shouldRemoveOnlyTheMetersOfTheClosedScope() {
        MeterScope other = metrics.scope();
        for (MeterScope scope : List.of(part, other)) {
            var tags = Tags.of("part", scope == part ? "this" : "other");
            scope.counter(LAPS, tags, () -> 1);
            scope.gauges(DEPTH, () -> List.of(new Line(tags, 2)));
            scope.timer(MeterName.ofSeconds("pool.time", "Time."), tags, Duration.ofSeconds(1))
                    .record(2, TimeUnit.SECONDS);
        }
        scrape();

        part.close();

        assertFalse(scrape().stream().anyMatch(line -> line.contains("this")), scrape()::toString);
        assertTrue(
                scrape().containsAll(List.of(
                        "pool_laps_total{part=\"other\"} 1.0",
                        "pool_depth{part=\"other\"} 2.0",
                        "pool_time_seconds_bucket{part=\"other\",le=\"1.0\"} 0",
                        "pool_time_seconds_bucket{part=\"other\",le=\"+Inf\"} 1")),
                scrape()::toString);
    }

    @Test
    void shouldRegisterTheSameNamesAgainAfterAScopeIsClosed() {
        part.counter(LAPS, Tags.empty(), () -> 5);
        part.close();

        metrics.scope().counter(LAPS, Tags.empty(), () -> 1);

        assertTrue(scrape().contains("pool_laps_total 1.0"), scrape()::toString);
    }
}
