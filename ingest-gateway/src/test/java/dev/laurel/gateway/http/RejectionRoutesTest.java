package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.AuditRecord.ChangedObject;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.topic.Rejection;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class RejectionRoutesTest {

    private static final Instant THEN = Instant.parse("2026-03-01T08:00:00.250Z");
    private static final String EVENT = """
        {"type":"event","metric":"laps-swum","value":4,"user":{"id":"ida"}}\
        """;

    /** Keys with {@code +} are bound to the tenant acme. */
    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(
            Duration.ofMillis(500),
            (key, _) -> Grant.of(
                    new Principal.Admin(
                            Actor.ofKey(new UUID(0, 1), "key", Role.ADMIN, key.endsWith("+") ? "acme" : null)),
                    "prefix",
                    key.endsWith("+") ? new TenantId("acme") : TenantId.NONE));

    @BeforeEach
    void reject() {
        reject(7, "ida", THEN);
    }

    private void reject(long id, String key, Instant time) {
        gateway.rejections.put(
                id, new Rejection("laurel.commands", 3, 8841, time, key, "{\"type\":\"evnt\"}", "type is 'evnt'."));
    }

    private RawHttp.Response resend(String idAndQuery, String body, String key) {
        return gateway.client.send(
                "POST",
                "/admin/v1/rejections/" + idAndQuery.replaceFirst("([^?]*)", "$1/resend"),
                body,
                "X-API-KEY: " + key);
    }

    private RawHttp.Response resend(String body) {
        return resend("7", body, "admin");
    }

    @Test
    void shouldSendTheMendedCommandWithTheTimeOfTheRecord() {
        resend(EVENT)
                .expect(
                        200,
                        "{\"topic\":\"laurel.commands\",\"partition\":1,\"offset\":0,\"userId\":\"ida\","
                                + "\"time\":\"2026-03-01T08:00:00.250Z\",\"outcome\":\"accepted\"}");
        assertEquals(List.of(UserKey.of("ida")), gateway.log.users);
        assertEquals(List.of(Optional.of(THEN)), gateway.log.times);
        var event = assertInstanceOf(RecordEvent.class, gateway.log.commands.getFirst());
        assertEquals(BigDecimal.valueOf(4), event.value());
        assertEquals("rejection:laurel.commands-3@8841", event.idempotencyKey(), "it counts once");
        AuditRecord audited = gateway.audited.getFirst();
        assertEquals("resendRejection", audited.operation());
        assertEquals(
                List.of(new ChangedObject("rejection", "7", null), new ChangedObject("user", "ida", null)),
                audited.objects());
    }

    @Test
    void shouldKeepAnIdempotencyKeyAndSayWhatWasRepeated() {
        gateway.answerWith(202, "{\"idempotentReplayed\":true}");

        RawHttp.Response response = resend(EVENT.replace("\"value\"", "\"idempotencyKey\":\"k\",\"value\""));

        assertTrue(response.body().contains("\"outcome\":\"repeated\""), response.body());
        assertEquals("k", ((RecordEvent) gateway.log.commands.getFirst()).idempotencyKey());
    }

    @Test
    void shouldSendOtherCommandsOfUsers() {
        assertEquals(
                200,
                resend("{\"type\":\"identify\",\"user\":{\"id\":\"ida\",\"name\":\"Ida\"}}")
                        .status());

        assertInstanceOf(IdentifyUser.class, gateway.log.commands.getFirst());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"evnt\"} | type is 'evnt'",
                "{\"type\":\"event\",\"metric\":\"laps-swum\",\"user\":{\"id\":\"ida\"}} | value is required",
                "{\"type\":\"event\",\"metric\":\"laps-swum\",\"value\":\"4\",\"user\":{\"id\":\"ida\"}} | value",
                "{\"type\":\"event\",\"metric\":\"lapz\",\"value\":1,\"user\":{\"id\":\"ida\"}} | Unknown metric: lapz",
                "{\"type\":\"event\",\"metric\":\"laps-swum\",\"value\":1,\"attributes\":{\"poool\":\"x\"},\"user\":{\"id\":\"ida\"}}"
                        + " | poool",
                "{\"type\":\"identify\",\"user\":{\"id\":\"ida\",\"tz\":\"Mars/Base\"}} | IANA time zone",
                "{\"type\":\"tick\"} | type must be that of a command of a user"
            })
    void shouldNameWhatIsStillWrong(String body, String problem) {
        RawHttp.Response response = resend(body).expect(422);
        assertTrue(response.body().contains(problem), response.body());
        assertEquals(List.of(), gateway.log.commands);
        assertEquals(List.of(), gateway.audited);
    }

    @Test
    void shouldRefuseWhatIsNoJsonObject() {
        for (String body : List.of("{\"type\":", "[]", "", "not json")) {
            assertEquals(400, resend(body).status(), body);
        }
        assertEquals(List.of(), gateway.log.commands);
    }

    @Test
    void shouldPassOnWhatTheStateOfTheUserRefuses() {
        gateway.answerWith(404, "{\"error\":\"Unknown user: ida.\"}");

        resend("{\"type\":\"identify\",\"mustExist\":true,\"user\":{\"id\":\"ida\"}}")
                .expect(422, "{\"error\":\"Unknown user: ida.\"}");
        assertEquals(List.of(), gateway.audited);
    }

    @Test
    void shouldSayWhatIsNotKnown() {
        gateway.answerNothing();

        RawHttp.Response response = resend(EVENT).expect(202);
        assertTrue(response.body().contains("\"outcome\":\"pending\""), response.body());
        assertEquals(AuditRecord.Outcome.UNKNOWN, gateway.audited.getFirst().outcome());
        gateway.log.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);
        assertEquals(503, resend(EVENT).status());
        assertEquals(1, gateway.audited.size());
    }

    @Test
    void shouldAskForATimeWhereTheRecordHasNone() {
        reject(8, "ida", Instant.EPOCH);
        reject(9, "ida", GatewayHttp.NOW.plusSeconds(1));

        for (String id :
                List.of("8", "9", "7?time=2026-03-05T00:00:00Z", "7?time=yesterday", "7?time=1970-01-01T00:00:00Z")) {
            RawHttp.Response response = resend(id, EVENT, "admin");
            assertEquals(422, response.status(), id);
            assertTrue(response.body().startsWith("{\"error\":\"time "), response.body());
        }
        assertEquals(
                200,
                resend("8?time=2026-03-02T10:00:00%2B02:00", EVENT, "admin").status());
        assertEquals(List.of(Optional.of(Instant.parse("2026-03-02T08:00:00Z"))), gateway.log.times);
    }

    @Test
    void shouldKnowOnlyTheRejectionsOfTheTenant() {
        reject(8, "acme/ida", THEN);
        reject(9, null, THEN);

        for (String id : List.of("7", "9", "10", "x", "-1", "99999999999999999999")) {
            assertEquals(404, resend(id, EVENT, "bound+").status(), id);
        }
        assertEquals(200, resend("8", EVENT, "bound+").status());
        assertEquals(
                List.of(new UserKey(
                        new TenantId("acme"), gateway.log.users.getFirst().user())),
                gateway.log.users);
        assertEquals(200, resend("9", EVENT, "admin").status(), "a record without a key gets the key of its user");
        assertEquals(404, resend("10", EVENT, "admin").status());
    }
}
