package dev.laurel.deploy.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.bench.BenchReport.SubjectReport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Not a measurement: the numbers are so small that only the course of a run is tested, here with Laurel. */
final class LaurelBenchIT {

    @Test
    @Timeout(240)
    void shouldMeasureLaurelWithMoreUsersLongerPastsAndLeaderboards() {
        var growth = new GrowthPlan(List.of(20, 60), 10, List.of(5, 40), 4, Duration.ofHours(5), 10, 1, 400,
                Duration.ofMinutes(2));
        var plan = new BenchPlan(2, 50, 1, 500, Duration.ofMillis(300), List.of(50), Duration.ofMillis(200), List.of(4),
                Duration.ofMillis(200), List.of(1), Duration.ofMillis(100), growth,
                new BoardsPlan(20, 50, 1, Duration.ofMillis(300), Duration.ofMillis(400), 1, 400, 20));

        BenchReport report = Bench.run(plan, List.of(LaurelSubject::start),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));

        SubjectReport laurel = report.subjects().getFirst();
        assertEquals(Map.of(), laurel.flatOut().getFirst().errors());
        assertEquals(List.of(20, 60), sizesOf(laurel.byUsers()));
        assertEquals(List.of(5, 40), sizesOf(laurel.byPastEvents()));
        for (GrowthReport.Size size : laurel.byPastEvents().sizes()) {
            assertTrue(size.loads().get(PastGrowth.NOW).eventsPerSecond() > 0, size.toString());
            assertTrue(size.loads().get(PastGrowth.LATE).effectsPerEvent() > 0, size.toString());
        }
        assertTrue(laurel.leaderboards().with().p50() > 0);
        assertEquals(60, laurel.leaderboards().forAll().users());
        assertTrue(laurel.leaderboards().forAll().withPerSecond() > 0);
    }

    private static List<Integer> sizesOf(GrowthReport growth) {
        return growth.sizes().stream().map(GrowthReport.Size::size).toList();
    }
}
