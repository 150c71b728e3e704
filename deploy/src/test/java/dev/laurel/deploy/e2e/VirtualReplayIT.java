package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests a promotion in an instance with virtual time, in which no record may carry the time of the machine. */
@EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class VirtualReplayIT {

    private static final String CLOCK = "/admin/v1/test-clock";
    private static final String RULESET = """
        {"metrics":{"laps":{"name":"Laps"}}, "streak":{},
         "points":{"gems":{"triggers":{"daily":{"type":"time","timeUnit":"days","timeInterval":1,"points":1}}}}}\
        """;

    @Test
    void shouldPromoteInVirtualTime() throws Exception {
        try (var laurel = LaurelInstance.startWithTestClock()) {
            laurel.client().put("/admin/v1/ruleset", RULESET).expect(200);
            // Far from the time of the machine, so that a marker with that time would be noticed.
            advance(laurel, "P40D");
            laurel.client().record("ann", "laps", "1");
            Instant before = advance(laurel, "PT25H");
            assertEquals(1, gems(laurel));

            CommandRun run =
                    CommandRun.of("replay", "--data-dir", laurel.dataDir().toString(), "--promote");
            assertEquals(0, run.exitCode(), run.err());
            assertTrue(run.out().contains("both states as of " + before), run.out());
            assertTrue(run.out().startsWith("None of 1 users differs"), run.out());

            assertEquals(
                    before, Instant.parse(laurel.client().get(CLOCK).expect(200).string("/now")));
            new TopicReader(laurel.bootstrapServers())
                    .readAll("laurel.commands").stream()
                            .filter(record -> new String(record.value(), UTF_8).contains("generation-promoted"))
                            .forEach(marker -> assertEquals(before.toEpochMilli(), marker.timestamp()));
            awaitGems(laurel, 1);
            advance(laurel, "P3D");
            awaitGems(laurel, 4);
        }
    }

    private static Instant advance(LaurelInstance laurel, String by) {
        return Instant.parse(laurel.client()
                .post(CLOCK, "{\"advance\":\"" + by + "\"}")
                .expect(200)
                .string("/now"));
    }

    /** Repeats a read that was refused because the generation changed meanwhile. */
    private static void awaitGems(LaurelInstance laurel, int expected) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertEquals(expected, gems(laurel)));
    }

    private static int gems(LaurelInstance laurel) {
        return laurel.client()
                .get("/v1/users/ann/points/gems")
                .expect(200)
                .at("/total")
                .asInt();
    }
}
