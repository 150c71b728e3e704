package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.HttpSettings.RequestLimits;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class EventBatchRoutesTest {

    private static final String PATH = "/admin/v1/metrics/events";
    private static final String EVENT = "{\"key\":\"laps-swum\",\"value\":1,\"user\":{\"id\":\"ida\"}}";
    private static final String KEYED = EVENT.replace("\"value\"", "\"idempotencyKey\":\"k\",\"value\"");

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofMillis(300));

    private void endWith(Outcome... outcomes) {
        for (Outcome outcome : outcomes) {
            gateway.log.outcomes.add(CompletableFuture.completedFuture(outcome));
        }
    }

    @Test
    void shouldSendABatchInOrderWithTimesAndKeys() {
        String first = KEYED.replace("\"value\"", "\"time\":\"2026-03-04T10:15:00+01:00\",\"value\"");

        gateway.client
                .post(PATH, "[" + first + "," + EVENT.replace(":1,", ":2,") + "]")
                .expect(202, "{\"accepted\":2}");
        List<RecordEvent> events =
                gateway.log.commands.stream().map(RecordEvent.class::cast).toList();
        assertEquals(
                List.of(1, 2),
                events.stream().map(event -> event.value().intValue()).toList());
        assertEquals("k", events.getFirst().idempotencyKey());
        assertEquals(2, events.stream().map(RecordEvent::eventId).distinct().count());
        assertEquals(List.of(Optional.of(Instant.parse("2026-03-04T09:15:00Z")), Optional.empty()), gateway.log.times);
    }

    @Test
    void shouldCountEachEventOfBatchAgainstTheRateLimit() {
        var counted = new ArrayList<String>();
        var limits = new RequestLimits() {
            @Override
            public int retryAfterS(TenantId tenant, Tier tier) {
                counted.add("1 " + tier);
                return counted.size() < 4 ? 0 : 9;
            }

            @Override
            public void add(TenantId tenant, Tier tier, int requests) {
                counted.add(requests + " " + tier);
            }
        };
        try (var limited = new GatewayHttp(Duration.ofMillis(300), new BootstrapKey(RawHttp.KEY), limits)) {
            assertEquals(
                    202,
                    limited.client
                            .post(PATH, "[" + EVENT + "," + EVENT + "," + EVENT + "]")
                            .status());
            assertEquals(422, limited.client.post(PATH, "[" + EVENT + ",{}]").status());
            var refused = limited.client.post(PATH, "[" + EVENT + "]");

            assertEquals(429, refused.status());
            assertEquals("9", refused.headers().get("retry-after"));
            assertEquals(List.of("1 WRITE", "2 WRITE", "1 WRITE", "1 WRITE"), counted);
            assertEquals(3, limited.log.commands.size());
        }
    }

    @Test
    void shouldAcceptALargeBatchWithFewSlots() {
        String events = IntStream.range(0, 1000)
                .mapToObj(i -> EVENT.replace("ida", "u" + i))
                .collect(Collectors.joining(",", "[", "]"));

        assertEquals("{\"accepted\":1000}", gateway.client.post(PATH, events).body());
        assertEquals(
                IntStream.range(0, 1000).mapToObj(i -> "u" + i).toList(),
                gateway.log.users.stream().map(user -> user.user().value()).toList());
    }

    @Test
    void shouldAcceptBodiesOfUpToTenMebibytes() {
        String padding = " ".repeat(9 * 1024 * 1024);
        assertEquals(202, gateway.client.post(PATH, "[" + EVENT + padding + "]").status());

        gateway.client
                .post(PATH, "[" + EVENT + padding + padding + "]")
                .expect(413, "{\"error\":\"The body is too large: at most 10 MiB.\"}");
        assertEquals(
                413, gateway.client.post("/admin/v1/streaks/restore", padding).status());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|400|A JSON array is expected.",
                "`[`|400|Not valid JSON",
                "[E|400|Not valid JSON",
                "[E] 1|400|there is more after the array",
                "[]|422|The array must have 1 to 1000 events, has 0.",
                "[E,5]|422|[1]: must be an object.",
                "[E,{}]|422|[1]: user is required",
                "[E,E-key]|422|[1]: key is required",
                "[E,E-none]|404|[1]: Unknown metric: none.",
                "[E,E-future]|422|[1]: time must not be in the future",
                "[E,E-1969]|422|[1]: time must not be before 1970.",
                "[E,E-noon]|422|[1]: time must be a date and time with offset",
                "[E,E-pln]|422|[1]: Unknown attribute keys: pln."
            })
    void shouldCheckTheWholeBatchBeforeStoringAnyOfIt(String body, int status, String message) {
        String json = body.replace("E-key", "{\"value\":1,\"user\":{\"id\":\"ida\"}}")
                .replace("E-none", EVENT.replace("laps-swum", "none"))
                .replace("E-future", EVENT.replace("\"value\"", "\"time\":\"2026-03-04T09:15:00.001Z\",\"value\""))
                .replace("E-1969", EVENT.replace("\"value\"", "\"time\":\"1969-12-31T23:59:59Z\",\"value\""))
                .replace("E-noon", EVENT.replace("\"value\"", "\"time\":\"noon\",\"value\""))
                .replace("E-pln", EVENT.replace("\"value\"", "\"attributes\":{\"pln\":\"x\"},\"value\""))
                .replace("[E", "[" + EVENT)
                .replace("E]", EVENT + "]");

        var response = gateway.client.post(PATH, json).expect(status);
        assertTrue(response.body().contains(message), response.body());
        assertTrue(gateway.log.commands.isEmpty());
    }

    @Test
    void shouldRefuseBatchesWithTooManyEvents() {
        String events = "[" + EVENT + ("," + EVENT).repeat(1000) + "]";

        var response = gateway.client.post(PATH, events).expect(422);
        assertTrue(response.body().contains("has 1001"), response.body());
        assertTrue(gateway.log.commands.isEmpty());
    }

    @Test
    void shouldAnswer503IfNoEventIsStored() {
        endWith(Outcome.NOT_STORED);
        assertEquals(
                503, gateway.client.post(PATH, "[" + EVENT + "," + EVENT + "]").status());

        gateway.log.isStalled = true;
        assertEquals(503, gateway.client.post(PATH, "[" + EVENT + "]").status());
        assertEquals(1, gateway.log.commands.size(), "events were sent after a failure");
    }

    /** If the client repeated the request, the first event would count twice. */
    @Test
    void shouldListTheMissingEventsIfOnlyAPartIsStored() {
        endWith(Outcome.STORED, Outcome.UNKNOWN);

        var response = gateway.client
                .post(PATH, "[" + EVENT + "," + KEYED + "," + EVENT + "]")
                .expect(202);
        assertTrue(response.body().startsWith("{\"accepted\":1,\"issues\":[{\"severity\":\"error\","), response.body());
        assertTrue(response.body().contains("it may be stored, or not.\",\"index\":1,\"userId\":\"ida\"}"));
        assertTrue(response.body().contains("It is not stored.\",\"index\":2,\"userId\":\"ida\"}"));
    }

    @Test
    void shouldAskForThePartAgainWhenKeysKeepItFromCountingTwice() {
        endWith(Outcome.STORED, Outcome.NOT_STORED);

        var response = gateway.client
                .post(PATH, "[" + KEYED + "," + KEYED.replace("\"k\"", "\"l\"") + "]")
                .expect(503);
        assertTrue(response.body().contains("Only 1 of 2 events were acknowledged."), response.body());
        assertEquals("1", response.headers().get("retry-after"));
    }

    @Test
    void shouldGiveUpWaitingForAcknowledgementsAndSayWhichAreMissing() {
        gateway.log.outcomes.add(new CompletableFuture<>());

        var response = gateway.client.post(PATH, "[" + EVENT + "]").expect(202);
        assertTrue(response.body().startsWith("{\"accepted\":0,\"issues\":"), response.body());
    }
}
