package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.roles.Standalone;
import dev.laurel.deploy.roles.StandaloneSettings;
import dev.laurel.platform.command.CommandFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests virtual time from outside. The tests share an instance, so each moves the clock forward from where it is. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class VirtualTimeIT {

    private static final String PATH = "/admin/v1/test-clock";
    private static final String RULESET = """
        {"metrics":{"laps":{"name":"Laps"}},
         "points":{"gems":{"triggers":{"daily":{"type":"time","timeUnit":"days","timeInterval":1,"points":1}}}}}\
        """;

    @AutoClose
    private static LaurelInstance instance;

    @BeforeAll
    static void start() throws InterruptedException {
        instance = LaurelInstance.startWithTestClock();
        instance.client().put("/admin/v1/ruleset", RULESET).expect(200);
    }

    private static Instant now() {
        return Instant.parse(instance.client().get(PATH).expect(200).at("/now").asString());
    }

    private static Instant advance(String by) {
        return Instant.parse(instance.client()
                .post(PATH, "{\"advance\":\"" + by + "\"}")
                .expect(200)
                .at("/now")
                .asString());
    }

    private static int streak(String user) {
        return instance.client()
                .get("/v1/users/" + user + "/streak")
                .expect(200)
                .at("/length")
                .asInt();
    }

    private static int gems(String user) {
        return instance.client()
                .get("/v1/users/" + user + "/points/gems")
                .expect(200)
                .at("/total")
                .asInt();
    }

    /** Moves the clock to noon UTC of the next day, so that a test knows the next midnights. */
    private static void goToNoon() {
        Instant noon = now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofHours(36));
        instance.client().post(PATH, "{\"now\":\"" + noon + "\"}").expect(200);
    }

    @Test
    void shouldNotMoveTimeBetweenCalls() {
        Instant before = now();
        long realMs = System.currentTimeMillis();
        instance.client().record("still", "laps", "1");
        Awaitility.await().until(() -> System.currentTimeMillis() > realMs + 5);

        assertEquals(before, now());
        assertEquals(
                before.toString(),
                Instant.parse(instance.client()
                                .get("/v1/users/still")
                                .expect(200)
                                .at("/created")
                                .asString())
                        .toString());
    }

    @Test
    void shouldListTopUsersWheneverItIs() {
        goToNoon();
        instance.client().record("top", "laps", "1");
        String top = "/admin/v1/analytics/top-users?metric=laps&range=30d";
        for (int i = 0; i < 3; i++) {
            awaitTopUsers(top, true);
            advance("PT72H");
        }
        advance("PT720H");
        awaitTopUsers(top, false);
    }

    /** Waits for a list, which follows with a commit. */
    private void awaitTopUsers(String path, boolean isListed) {
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        isListed,
                        instance.client().get(path).expect(200).toString().contains("\"top\"")));
    }

    @Test
    void shouldImportWhatIsPastInVirtualTime(@TempDir Path folder) throws IOException {
        advance("P40D");
        Instant past = now().minusSeconds(60).truncatedTo(ChronoUnit.SECONDS);
        Path lines = Files.writeString(
                folder.resolve("lines"),
                Stream.of(past, past.plus(Duration.ofDays(30)))
                        .map(
                                at -> "{\"time\":\"" + at
                                        + "\",\"type\":\"event\",\"metric\":\"laps\",\"value\":4,\"user\":{\"id\":\"imported\"}}\n")
                        .collect(Collectors.joining()));

        CommandRun run =
                CommandRun.of("import", "--data-dir", instance.dataDir().toString(), lines.toString());
        assertEquals(1, run.exitCode(), run.err());
        assertTrue(run.err().contains("line 2") && !run.err().contains("line 1"), run.err());
        // The markers by which the import holds timers carry the virtual time, too.
        assertEquals(
                Set.of(now().toEpochMilli()),
                new TopicReader(instance.bootstrapServers())
                        .readAll("laurel.commands").stream()
                                .filter(record -> new String(record.value(), UTF_8).contains("timers-held"))
                                .map(ConsumerRecord::timestamp)
                                .collect(Collectors.toSet()));
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        past.toString(),
                        Instant.parse(instance.client()
                                        .get("/v1/users/imported")
                                        .expect(200)
                                        .at("/created")
                                        .asString())
                                .toString()));
    }

    @Test
    void shouldAwardEveryIntervalOfAWeekBeforeItReturns() {
        goToNoon();
        for (int i = 0; i < 20; i++) {
            instance.client().record("weekly-" + i, "laps", "1");
        }
        advance("P7D");
        for (int i = 0; i < 20; i++) {
            assertEquals(7, gems("weekly-" + i));
        }
    }

    @Test
    void shouldMoveYearsInOneCall() {
        goToNoon();
        instance.client().record("sleeper", "laps", "1");
        advance("P800D");

        assertEquals(800, gems("sleeper"));
        assertEquals(
                201,
                instance.client().event("laps").of("sleeper").value("1").send().status());
    }

    @Test
    void shouldBackdateBeforeItReturns() {
        for (int i = 0; i < 8; i++) {
            instance.client().record("quiet-" + i, "laps", "5");
        }
        instance.client()
                .put(
                        "/admin/v1/ruleset",
                        RULESET.replace(
                                "\"points\":{\"gems",
                                "\"achievements\":{\"five\":"
                                        + "{\"trigger\":\"metric\",\"metric\":\"laps\",\"value\":5}},\"points\":{\"gems"))
                .expect(200);
        Instant published = now();
        advance("PT1S");

        for (int i = 0; i < 8; i++) {
            var achievements = instance.client()
                    .get("/v1/users/quiet-" + i + "/achievements")
                    .expect(200);
            assertEquals(
                    published, Instant.parse(achievements.at("/0/achievedAt").asString()));
        }
        Awaitility.await("counts of other users follow")
                .atMost(Duration.ofSeconds(60))
                .until(() -> instance.client()
                                .get("/v1/users/quiet-0/achievements")
                                .at("/0/completions")
                                .asInt()
                        >= 8);
    }

    /** The test moves no clock after the event: the task itself requests the tick that causes the effects. */
    @Test
    void shouldFireTimersOfALateUserWithoutATick() {
        Instant before = now();
        advance("P5D");
        var topics = new TopicReader(instance.bootstrapServers());
        try (var producer = new DirectProducer(instance.bootstrapServers())) {
            producer.event("late", before.plus(Duration.ofDays(1)), "laps", "1");

            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertEquals(
                            4,
                            topics.readAll("laurel.effects").stream()
                                    .filter(record -> new String(record.key(), UTF_8).equals("late"))
                                    .map(record -> new String(record.value(), UTF_8))
                                    .filter(effect -> effect.contains("\"points.changed\""))
                                    .count()));
        }
    }

    @Test
    void shouldProcessCallsInTurn() {
        Instant before = now();
        var calls = List.of(
                CompletableFuture.supplyAsync(() -> advance("PT1H")),
                CompletableFuture.supplyAsync(() -> advance("PT1H")),
                CompletableFuture.supplyAsync(() -> advance("PT1H")));
        calls.forEach(CompletableFuture::join);

        assertEquals(before.plus(Duration.ofHours(3)), now());
    }

    @Test
    void shouldKeepTheTimeAcrossARestart() throws InterruptedException {
        goToNoon();
        instance.client().record("patient", "laps", "1");
        Instant before = now();
        instance.restart();
        assertEquals(before, now());

        advance("P2D");
        assertEquals(2, gems("patient"));
    }

    @Test
    void shouldNeedTheAdminKey() {
        instance.client().withKey(null).get(PATH).expect(401);
        instance.client()
                .withKey("ABCDEFGH.0123456789abcdef")
                .post(PATH, "{\"advance\":\"PT1H\"}")
                .expect(401);
    }

    @Test
    void shouldRefuseVirtualTimesWithoutTheOption() {
        StandaloneSettings real = StandaloneSettings.onFreePorts(new DataDir(instance.dataDir()), null, 1, false);
        String refusal =
                assertThrows(CommandFailed.class, () -> Standalone.start(real)).getMessage();
        assertTrue(refusal.contains("start with --test-clock"), refusal);
    }
}
