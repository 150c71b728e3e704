package dev.laurel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.FakePublisher;
import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.gateway.clock.TestClock;
import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TestClockRoutesTest {

    private static final String PATH = "/admin/v1/test-clock";
    private static final Instant START = Instant.parse("2026-03-04T09:15:00Z");

    private final FakePublisher log = new FakePublisher();

    @TempDir
    private Path dir;

    private TestClock clock;

    @AutoClose
    private HttpServer server;

    private RawHttp client;

    @BeforeEach
    void serve() {
        clock = TestClock.storedIn(dir.resolve("test-clock"), InstantSource.fixed(START));
        var requestClient = log.client(10, Duration.ofMillis(500));
        var travel = new TestClockControl(clock, requestClient, Duration.ofMillis(500));
        server = TestServer.start(
                new HttpSettings.Address("127.0.0.1", 0),
                new BootstrapKey(RawHttp.KEY),
                List.of(new TestClockRoutes(travel)));
        client = new RawHttp(server.port());
        answerAfter(0);
    }

    /** Replies that more is due to this number of ticks. */
    private void answerAfter(int ticks) {
        var left = new AtomicInteger(ticks);
        log.onRequest = id -> log.reply(
                id,
                new RequestResult.Replied(200, ("{\"more\":" + (left.getAndDecrement() > 0) + "}").getBytes(UTF_8)),
                List.of());
    }

    @Test
    void shouldSendTicksToEveryPartitionUntilNothingIsDue() {
        answerAfter(5);
        var response = client.send("POST", PATH, "{\"advance\":\"PT26H\"}");

        assertEquals(200, response.status());
        assertEquals("{\"now\":\"2026-03-05T11:15:00.000Z\"}", response.body());
        // Of the time before, which the first 8 of them reach, and of the new time.
        assertEquals(11, log.ticks.size());
        assertTrue(log.ticks.containsAll(List.of(0, 1, 2)));
        assertEquals(response.body(), client.send("GET", PATH, "").body());
    }

    @Test
    void shouldSendTicksAgainForTheSameTime() {
        var response = client.send("POST", PATH, "{\"now\":\"2026-03-04T11:15:00+02:00\"}");

        assertEquals("{\"now\":\"2026-03-04T09:15:00.000Z\"}", response.body());
        assertEquals(3, log.ticks.size());
    }

    @Test
    void shouldAnswer503IfMoreIsDueThanCanHappenInTime() {
        answerAfter(Integer.MAX_VALUE);
        var response = client.send("POST", PATH, "{\"advance\":\"PT1H\"}");

        assertEquals(503, response.status());
        assertTrue(
                response.body().contains("The clock shows 2026-03-04T09:15:00.000Z, but not everything"),
                response.body());
        assertEquals(START, clock.instant());
    }

    @Test
    void shouldAnswer503WithTheNewTimeIfMoreIsDueByThenThanCanHappenInTime() {
        log.onRequest = id -> log.reply(
                id,
                new RequestResult.Replied(200, ("{\"more\":" + clock.instant().isAfter(START) + "}").getBytes(UTF_8)),
                List.of());
        var response = client.send("POST", PATH, "{\"advance\":\"PT1H\"}");

        assertEquals(503, response.status());
        assertTrue(
                response.body().contains("The clock shows 2026-03-04T10:15:00.000Z, but not everything"),
                response.body());
        assertEquals(START.plus(Duration.ofHours(1)), clock.instant());
    }

    @Test
    void shouldMoveTheClockOnlyWhenNothingIsLeftToDeliver() {
        var movedAt = new AtomicInteger();
        var requests = new AtomicInteger();
        log.onRequest = id -> {
            if (clock.instant().equals(START)) {
                movedAt.set(requests.incrementAndGet());
            }
            log.reply(id, new RequestResult.Replied(200, "{\"more\":false}".getBytes(UTF_8)), List.of());
        };

        assertEquals(200, client.send("POST", PATH, "{\"advance\":\"PT1H\"}").status());
        // Three partitions of the log, and two questions to each partition of the outbox.
        assertEquals(3 + 2 * log.outboxPartitions(), movedAt.get());
    }

    @Test
    void shouldSendTicksUntilNothingIsDueInLeaderboards() {
        log.partitions = 1;
        var left = new AtomicInteger(3);
        answerWithBoards(() -> left.getAndDecrement() > 0, "0", "1");
        var response = client.send("POST", PATH, "{\"advance\":\"PT1H\"}");

        assertEquals(200, response.status(), response.body());
        assertEquals(5, log.ticks.size());
    }

    @Test
    void shouldNameTheLeaderboardsThatDoNotAnswer() {
        answerWithBoards(() -> false, "1");
        var response = client.send("POST", PATH, "{\"advance\":\"PT1H\"}");

        assertEquals(503, response.status());
        assertTrue(response.body().contains("the leaderboards of partition 0 do not answer"), response.body());
    }

    /** Replies that nothing is due in the log; of two leaderboard partitions, only these reply. */
    private void answerWithBoards(BooleanSupplier isMoreDueInFirst, String... replying) {
        log.onRequest = id -> {
            log.reply(id, new RequestResult.Replied(200, "{\"more\":false}".getBytes(UTF_8)), List.of("0", "1"));
            for (String partition : replying) {
                boolean more = partition.equals("0") && isMoreDueInFirst.getAsBoolean();
                log.part(id, partition, ("{\"more\":" + more + "}").getBytes(UTF_8));
            }
        };
    }

    @Test
    void shouldAnswer503IfAPartitionDoesNotAnswer() {
        log.onRequest = _ -> {};
        var response = client.send("POST", PATH, "{\"advance\":\"PT1H\"}");

        assertEquals(503, response.status());
        assertTrue(response.body().contains("does not answer"), response.body());
    }

    @Test
    void shouldAnswer503IfATickCannotBeStored() {
        log.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);
        log.onRequest = _ -> {};
        var response = client.send("POST", PATH, "{\"advance\":\"PT1H\"}");

        assertEquals(503, response.status());
        assertTrue(response.body().contains("could not be written"), response.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "null", "12"})
    void shouldAnswer400ToABodyThatIsNoJsonObject(String body) {
        client.send("POST", PATH, body).expect(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"now\":\"2026-03-04T09:14:59.999Z\"}",
                "{\"now\":\"2026-03-05\"}",
                "{\"now\":12}",
                "{\"now\":\"tomorrow\"}",
                "{\"now\":\"2099-01-01T00:00:00.0001Z\"}",
                "{\"now\":\"+12099-01-01T00:00:00Z\"}",
                "{\"advance\":\"-PT1S\"}",
                "{\"advance\":\"1 day\"}",
                "{\"advance\":\"26 hours\"}",
                "{\"advance\":\"P1M\"}",
                "{\"advance\":\"PT0.0001S\"}",
                "{\"advance\":\"PT2562047788015215H\"}",
                "{\"advance\":\"PT999999999999H\"}",
                "{\"advanse\":\"PT1H\"}",
                "{\"now\":\"2026-03-05T00:00:00Z\",\"advance\":\"PT1H\"}"
            })
    void shouldRefuseInvalidBodiesAndKeepTheTime(String body) {
        var response = client.send("POST", PATH, body).expect(422);

        assertTrue(response.body().length() > "{'error':'..........'}".length(), response.body());
        assertEquals(START, clock.instant());
        assertTrue(log.ticks.isEmpty());
    }
}
