package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class EventRoutesTest {

    private static final String PATH = "/v1/metrics/laps-swum/event";
    private static final String EVENT = "{\"user\":{\"id\":\"ida\"},\"value\":4}";

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofSeconds(20));

    @ParameterizedTest
    @ValueSource(strings = {PATH, "/api/metrics/laps-swum/event", PATH + "/", "/v1/metrics/laps%2Dswum/event"})
    void shouldSendEventAndAnswerWithTheReply(String path) {
        var response = gateway.client.post(path, EVENT).expect(201, "{\"ok\":true}");
        assertEquals("application/json", response.contentType());
        RecordEvent event = published();
        assertEquals("laps-swum", event.metric());
        assertEquals(new BigDecimal("4"), event.value());
        assertNotNull(event.eventId());
        assertEquals(List.of(UserKey.of("ida")), gateway.log.users);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/plain",
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Type: multipart/form-data; boundary=x",
                "X-Nothing: at all"
            })
    void shouldReadJsonWithAnyContentType(String header) {
        gateway.client
                .send("POST", PATH, EVENT, "X-API-KEY: " + RawHttp.KEY, header)
                .expect(201);
    }

    @Test
    void shouldSendTheIdempotencyKey() {
        gateway.client.send("POST", PATH, EVENT, "X-API-KEY: " + RawHttp.KEY, "Idempotency-Key: swim-1");

        assertEquals("swim-1", published().idempotencyKey());
    }

    @ParameterizedTest
    @ValueSource(strings = {"clé-7", "UTF-8''cl%C3%A9-7", "utf-8''cl%c3%a9-7"})
    void shouldDecodeTheIdempotencyKey(String header) {
        gateway.client.send("POST", PATH, EVENT, "X-API-KEY: " + RawHttp.KEY, "Idempotency-Key: " + header);

        assertEquals("clé-7", published().idempotencyKey());
    }

    @Test
    void shouldLimitTheCharactersOfTheIdempotencyKeyAndNotItsBytes() {
        gateway.client.send("POST", PATH, EVENT, "X-API-KEY: " + RawHttp.KEY, "Idempotency-Key: " + "京".repeat(255));

        assertEquals("京".repeat(255), published().idempotencyKey());
    }

    @Test
    void shouldRefuseTwoIdempotencyKeys() {
        var response = gateway.client.send(
                "POST", PATH, EVENT, "X-API-KEY: " + RawHttp.KEY, "Idempotency-Key: a", "Idempotency-Key: b");

        assertRefused(400, "The header Idempotency-Key is given several times with different values.", response);
    }

    @Test
    void shouldRefuseIdempotencyKeyThatCannotBeDecoded() {
        var response =
                gateway.client.send("POST", PATH, EVENT, "X-API-KEY: " + RawHttp.KEY, "Idempotency-Key: UTF-8''%E4%BA");

        assertRefused(
                422,
                "The header Idempotency-Key begins with UTF-8'', must have percent-encoded UTF-8 after it.",
                response);
    }

    @Test
    void shouldIgnoreAnEmptyIdempotencyKey() {
        gateway.client.send("POST", PATH, EVENT, "X-API-KEY: " + RawHttp.KEY, "Idempotency-Key: ");

        assertNull(published().idempotencyKey());
    }

    @Test
    void shouldRefuseIdempotencyKeyThatIsTooLong() {
        var response = gateway.client.send(
                "POST", PATH, EVENT, "X-API-KEY: " + RawHttp.KEY, "Idempotency-Key: " + "k".repeat(256));

        assertRefused(422, "The idempotency key must have at most 255 characters, has 256.", response);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[]",
                "null",
                "nonsense",
                "{\"value\":NaN}",
                "{\"value\":Infinity}",
                "{\"user\":{\"id\":\"ida\"},\"value\":4} {}",
                "{\"value\":1,\"value\":2}",
                "{'value':1}",
                "\"text\"",
                "{\"user\":{\"id\":\"ida\"},\"value\":04}",
                "{\"user\":{\"id\":\"ida\"},\"value\":4",
                "[" + EVENT + "]",
                EVENT + " x"
            })
    void shouldAnswer400ToBodiesThatAreNotJsonObjects(String body) {
        assertRefused(400, null, gateway.client.post(PATH, body));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {}                                                   | user
        {"value":1}                                          | user
        {"user":{"id":"ida"}}                                | value
        {"user":{"id":"ida"},"value":null}                   | value
        {"user":{"id":"ida"},"value":"4"}                    | value
        {"user":{"id":"ida"},"value":true}                   | value
        {"user":{"id":"ida"},"value":1e400}                  | value
        {"user":{"id":"ida"},"value":1e-400}                 | value
        {"user":{"id":"ida"},"value":1e999999999}            | value
        {"user":{"id":"ida"},"value":1000000000001}          | value
        {"user":{"id":"ida"},"value":0.0000000001}           | value
        {"user":"ida","value":1}                             | user
        {"user":{},"value":1}                                | user.id
        {"user":{"id":""},"value":1}                         | user.id
        {"user":{"id":7},"value":1}                          | user.id
        {"user":{"id":"ida","tz":"+02:00"},"value":1}        | user.tz
        {"user":{"id":"ida"},"value":[4]}                    | value
        {"user":{"id":"ida"},"value":1e99999999999}          | value
        {"user":{"id":"ida"},"value":1e13}                   | value
        {"user":{"id":"ida"},"value":-1000000000000.000000001} | value
        {"user":{"id":"ida"},"value":0.0123456789}           | value must have at most 9
        {"user":{"id":"ida","tz":"Europe/Atlantis"},"value":4} | user.tz must be an IANA
        {"user":{"id":"ida","email":"ida"},"value":4}        | user.email
        {"user":{"id":"ida","name":5},"value":4}             | user.name
        {"user":{"id":"ida","deviceTokens":"x"},"value":4}   | user.deviceTokens
        {"user":{"id":"ida","subscribeToEmails":"yes"},"value":4} | user.subscribeToEmails
        {"user":{"id":"ida","attributes":{"city":{}}},"value":4} | user.attributes.city
        {"user":{"id":"ida"},"value":1,"attributes":[]}      | attributes
        {"user":{"id":"ida"},"value":1,"attributes":{"pool":{}}} | attributes.pool
        """)
    void shouldAnswer422AndNameTheFieldThatIsMissingOrIllTyped(String body, String field) {
        var response = gateway.client.post(PATH, body);

        assertRefused(422, null, response);
        assertTrue(response.body().startsWith("{\"error\":\"" + field + " "), response.body());
    }

    @Test
    void shouldAnswer404ToUnknownMetric() {
        assertRefused(404, "Unknown metric: runs.", gateway.client.post("/v1/metrics/runs/event", EVENT));
    }

    @Test
    void shouldAnswer422AndNameEveryUnknownAttribute() {
        var response = gateway.client.post(PATH, """
            {"user":{"id":"ida","attributes":{"pln":"pro","city":"Turku"}},"value":1,"attributes":{"pol":"east"}}\
            """);

        assertRefused(
                422,
                "Unknown attribute keys: pln, pol. Attribute keys must match those set up in the dashboard.",
                response);
    }

    @Test
    void shouldCheckTheBodyBeforeTheMetric() {
        assertRefused(422, null, gateway.client.post("/v1/metrics/runs/event", "{}"));
    }

    @Test
    void shouldAnswerWithTheRefusalOfTheUsersPartition() {
        gateway.answerWith(422, "{\"error\":\"Out of points.\"}");

        gateway.client.post(PATH, EVENT).expect(422, "{\"error\":\"Out of points.\"}");
    }

    @Test
    void shouldAppendTheEntriesOfLeaderboards() {
        gateway.answerInParts(
                "{\"total\":4}",
                List.of("week", "month", "year"),
                "year",
                "{\"rank\":1}",
                "month",
                "",
                "week",
                "{\"rank\":2}");

        gateway.client
                .post(PATH, EVENT)
                .expect(201, "{\"total\":4,\"leaderboards\":{\"week\":{\"rank\":2},\"year\":{\"rank\":1}}}");
    }

    @Test
    void shouldListLeaderboardsThatDoNotReplyInTimeAsPending() {
        try (var shortTimeout = new GatewayHttp(Duration.ofMillis(50))) {
            shortTimeout.answerInParts("{\"total\":4}", List.of("week", "year"), "year", "{\"rank\":1}");

            shortTimeout
                    .client
                    .post(PATH, EVENT)
                    .expect(201, "{\"total\":4,\"leaderboards\":{\"year\":{\"rank\":1}},\"pending\":[\"week\"]}");
        }
    }

    @Test
    void shouldAnswer202WithTheIdOfTheEventIfTheResultIsUnknown() {
        gateway.answerNothing();
        gateway.log.outcome = CompletableFuture.completedFuture(Outcome.UNKNOWN);

        gateway.client
                .post(PATH, EVENT)
                .expect(
                        202,
                        "{\"eventId\":\"" + published().eventId()
                                + "\",\"metricId\":\"00000000-0000-0007-0000-000000000001\",\"total\":null,\"achievements\":[],"
                                + "\"currentStreak\":null,\"points\":{},\"leaderboards\":{},\"pending\":true}");
    }

    @Test
    void shouldAnswer202IfNoReplyArrivesInTime() {
        try (var shortTimeout = new GatewayHttp(Duration.ofMillis(50))) {
            shortTimeout.answerNothing();

            var response = shortTimeout.client.post(PATH, EVENT).expect(202);
            assertTrue(response.body().endsWith("\"pending\":true}"));
        }
    }

    @Test
    void shouldAnswer503WithRetryAfterIfNothingWasStored() {
        gateway.answerNothing();
        gateway.log.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);

        var response = gateway.client.post(PATH, EVENT).expect(503);
        assertEquals("1", response.headers().get("retry-after"));
        assertTrue(response.body().contains("Nothing was stored"));
    }

    @Test
    void shouldAnswer413IfTheRecordIsTooLarge() {
        gateway.answerNothing();
        gateway.log.outcome = CompletableFuture.completedFuture(Outcome.TOO_LARGE);

        assertEquals(413, gateway.client.post(PATH, EVENT).status());
    }

    @Test
    void shouldGiveEachEventADifferentId() {
        gateway.client.post(PATH, EVENT);
        gateway.client.post(PATH, EVENT);

        assertEquals(
                2,
                gateway.log.commands.stream()
                        .map(c -> ((RecordEvent) c).eventId())
                        .distinct()
                        .count());
    }

    @Test
    void shouldKeepAttributesAsText() {
        gateway.client.post(PATH, "{\"user\":{\"id\":\"ida\"},\"value\":1,\"attributes\":{\"pool\":25.50}}");

        assertEquals(Map.of("pool", "25.5"), published().attributes());
    }

    private RecordEvent published() {
        assertEquals(1, gateway.log.commands.size());
        return (RecordEvent) gateway.log.commands.getFirst();
    }

    private void assertRefused(int status, String message, RawHttp.Response response) {
        assertEquals(status, response.status(), response.body());
        assertEquals("application/json", response.contentType());
        assertTrue(response.body().matches("\\{\"error\":\".+\"}"), response.body());
        if (message != null) {
            assertEquals("{\"error\":\"" + message + "\"}", response.body());
        }
        assertTrue(gateway.log.commands.isEmpty());
    }
}
