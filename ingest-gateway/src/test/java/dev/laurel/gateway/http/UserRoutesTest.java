package dev.laurel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.IdentifyUser;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class UserRoutesTest {

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofMillis(2000));

    @ParameterizedTest
    @ValueSource(strings = {"/v1", "/api"})
    void shouldAnswerPostOfUserWith201(String base) {
        gateway.answerWith(200, "{\"id\":\"ida\"}");

        gateway.client.post(base + "/users", "{\"id\":\"ida\"}").expect(201, "{\"id\":\"ida\"}");
        assertFalse(published().mustExist());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1", "/api"})
    void shouldAnswerPutOfUserWith200AndIgnoreTheIdOfTheBody(String base) {
        gateway.answerWith(200, "{}");

        gateway.client.send("PUT", base + "/users/ida", "{\"id\":\"other\"}").expect(200);
        assertEquals("ida", published().user().id().value());
        assertFalse(published().mustExist());
    }

    @Test
    void shouldOnlyUpdateOnPatch() {
        gateway.answerWith(404, "{\"error\":\"Unknown user: ida.\"}");

        gateway.client.send("PATCH", "/api/users/ida/", "{\"name\":\"Ida\"}").expect(404);
        assertTrue(published().mustExist());
    }

    @ParameterizedTest
    @CsvSource({
        "a%2Fb,a/b",
        "a%252Fb,a%2Fb",
        "a%20b,a b",
        "a+b,a+b",
        "%25,%",
        "%C3%A4,ä",
        "ä,ä",
        "a%3Fb,a?b",
        "a;x=1,a;x=1",
        "...,...",
        "%2e%2e%2e,...",
        "%01,'\u0001'",
        "a%0Ab,'a\nb'",
        "a%09b,'a\tb'",
        "a%7Fb,a\u007Fb",
        "%2F%2F,//",
        "%C2%85,\u0085",
        "%F0%9F%98%80,😀",
        "a%5Cb,a\\b",
        "user@example.net,user@example.net"
    })
    void shouldReadOneDecodedSegmentAsUserId(String segment, String id) {
        gateway.client.send("PUT", "/v1/users/" + segment, "{}");

        assertEquals(id, published().user().id().value());
    }

    @ParameterizedTest
    @ValueSource(strings = {"C0 AF", "ED A0 80", "F4 90 80 80", "C3"})
    void shouldRefuseBodiesThatAreNotUtf8(String sequence) {
        for (String line : List.of(
                "POST /v1/users",
                "PUT /v1/users/ida",
                "PATCH /api/users/ida/preferences",
                "POST /v1/metrics/laps-swum/event",
                "POST /v1/achievements/welcome/complete",
                "POST /admin/v1/metrics/events",
                "POST /admin/v1/metrics",
                "PUT /admin/v1/ruleset",
                "PATCH /admin/v1/settings",
                "POST /admin/v1/streaks/freezes")) {
            byte[] body = ("{\"id\":\"" + sequence + "\"}").getBytes(UTF_8);
            byte[] broken = HexFormat.ofDelimiter(" ").parseHex(sequence);
            System.arraycopy(broken, 0, body, 7, broken.length);
            String head = line + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\nX-API-KEY: " + RawHttp.KEY
                    + "\r\nContent-Length: " + body.length + "\r\n\r\n";

            var response = gateway.client.exchange(head.getBytes(UTF_8), body);

            assertEquals(400, response.status(), line);
            assertEquals("{\"error\":\"Not valid JSON: the text is not valid UTF-8.\"}", response.body(), line);
        }
        assertTrue(gateway.log.commands.isEmpty());
        assertTrue(gateway.log.edits.isEmpty());
    }

    @Test
    void shouldRefuseZeroCharacterInId() {
        gateway.client
                .post("/v1/users", "{\"id\":\"a\\u0000b\"}")
                .expect(422, "{\"error\":\"id must not contain the character U+0000.\"}");
        assertTrue(gateway.log.commands.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void shouldRefuseIdThatNoPathCanHave(String id) {
        String path = id.replace(".", "%2e");
        for (var response : List.of(
                gateway.client.post("/v1/users", "{\"id\":\"" + id + "\"}"),
                gateway.client.post("/v1/metrics/laps-swum/event", "{\"user\":{\"id\":\"" + id + "\"},\"value\":1}"),
                gateway.client.post(
                        "/admin/v1/metrics/events",
                        "[{\"key\":\"laps-swum\",\"user\":{\"id\":\"" + id + "\"},\"value\":1}]"),
                gateway.client.post("/v1/achievements/first/complete", "{\"user\":{\"id\":\"" + id + "\"}}"),
                gateway.client.send("PUT", "/v1/users/" + path, "{}"))) {
            assertEquals(422, response.status(), response.body());
            assertTrue(
                    response.body().endsWith(" must not be . or .., which clients and proxies take out of paths.\"}"),
                    response.body());
        }
        assertTrue(gateway.log.commands.isEmpty());

        // An earlier version may have stored it.
        assertEquals(
                201, gateway.client.send("PATCH", "/v1/users/" + path, "{}").status());
        assertEquals(
                id,
                ((IdentifyUser) gateway.log.commands.removeFirst()).user().id().value());
        assertEquals(
                200,
                gateway.client.send("DELETE", "/admin/v1/users?ids=" + id, "").status());
        assertEquals(
                id, ((EraseUser) gateway.log.commands.getFirst()).user().id().value());
    }

    @Test
    void shouldEraseUserWhoseIdHasZeroCharacter() {
        assertEquals(
                200,
                gateway.client.send("DELETE", "/admin/v1/users?ids=a%00b", "").status());
        assertEquals(
                "a\0b",
                ((EraseUser) gateway.log.commands.getFirst()).user().id().value());
    }

    @Test
    void shouldRefuseIdThatIsTooLong() {
        gateway.client.send("PUT", "/v1/users/" + "a".repeat(256), "{}").expect(422);
        assertTrue(gateway.log.commands.isEmpty());
    }

    @Test
    void shouldAnswer404ToUpdateOfInvalidUserId() {
        gateway.client.send("PATCH", "/v1/users/" + "a".repeat(256), "{}").expect(404);
        assertTrue(gateway.log.commands.isEmpty());
    }

    @Test
    void shouldRequireIdInBodyOfPost() {
        gateway.client.post("/v1/users", "{\"name\":\"Ida\"}").expect(422, "{\"error\":\"id is required.\"}");
    }

    @Test
    void shouldAnswer400ToEmptyBody() {
        assertEquals(400, gateway.client.send("PUT", "/v1/users/ida", "").status());
    }

    @Test
    void shouldAnswer422ToUnknownAttribute() {
        var response = gateway.client
                .send("PATCH", "/v1/users/ida", "{\"attributes\":{\"pln\":null}}")
                .expect(422);
        assertTrue(response.body().contains("Unknown attribute keys: pln."));
    }

    @Test
    void shouldAnswerPendingIfNoReplyArrivesInTime() {
        gateway.answerNothing();

        gateway.client.send("PUT", "/v1/users/ida", "{}").expect(202, "{\"pending\":true}");
    }

    private IdentifyUser published() {
        assertEquals(1, gateway.log.commands.size());
        return (IdentifyUser) gateway.log.commands.getFirst();
    }
}
