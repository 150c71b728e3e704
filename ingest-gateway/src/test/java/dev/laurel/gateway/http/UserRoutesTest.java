package dev.laurel.gateway.http;

import dev.laurel.schemas.command.Command.IdentifyUser;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class UserRoutesTest {

    private final GatewayHttp gateway = new GatewayHttp(Duration.ofMillis(2000));

    @AfterEach
    void stop() {
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1", "/api"})
    void shouldAnswerPostOfUserWith201(String base) {
        gateway.answerWith(200, "{\"id\":\"ida\"}");

        var response = gateway.client.post(base + "/users", "{\"id\":\"ida\"}");

        assertEquals(201, response.status());
        assertEquals("{\"id\":\"ida\"}", response.body());
        assertFalse(published().mustExist());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1", "/api"})
    void shouldAnswerPutOfUserWith200AndIgnoreTheIdOfTheBody(String base) {
        gateway.answerWith(200, "{}");

        var response = gateway.client.send("PUT", base + "/users/ida", "{\"id\":\"other\"}");

        assertEquals(200, response.status());
        assertEquals("ida", published().user().id().value());
        assertFalse(published().mustExist());
    }

    @Test
    void shouldOnlyUpdateOnPatch() {
        gateway.answerWith(404, "{\"error\":\"Unknown user: ida.\"}");

        var response = gateway.client.send("PATCH", "/api/users/ida/", "{\"name\":\"Ida\"}");

        assertEquals(404, response.status());
        assertTrue(published().mustExist());
    }

    @ParameterizedTest
    @CsvSource({"a%2Fb,a/b", "a%252Fb,a%2Fb", "a%20b,a b", "a+b,a+b", "%25,%", "%C3%A4,ä", "ä,ä", "a%3Fb,a?b",
            "a;x=1,a;x=1", "..,..", "%2e%2e,..", "a%5Cb,a\\b", "user@example.net,user@example.net"})
    void shouldReadOneDecodedSegmentAsUserId(String segment, String id) {
        gateway.client.send("PUT", "/v1/users/" + segment, "{}");

        assertEquals(id, published().user().id().value());
    }

    @Test
    void shouldRefuseIdThatIsTooLong() {
        var response = gateway.client.send("PUT", "/v1/users/" + "a".repeat(256), "{}");

        assertEquals(422, response.status());
        assertTrue(gateway.log.commands.isEmpty());
    }

    @Test
    void shouldAnswer404ToUpdateOfInvalidUserId() {
        var response = gateway.client.send("PATCH", "/v1/users/" + "a".repeat(256), "{}");

        assertEquals(404, response.status());
        assertTrue(gateway.log.commands.isEmpty());
    }

    @Test
    void shouldRequireIdInBodyOfPost() {
        var response = gateway.client.post("/v1/users", "{\"name\":\"Ida\"}");

        assertEquals(422, response.status());
        assertEquals("{\"error\":\"id is required.\"}", response.body());
    }

    @Test
    void shouldAnswer400ToEmptyBody() {
        assertEquals(400, gateway.client.send("PUT", "/v1/users/ida", "").status());
    }

    @Test
    void shouldAnswer422ToUnknownAttribute() {
        var response = gateway.client.send("PATCH", "/v1/users/ida", "{\"attributes\":{\"pln\":null}}");

        assertEquals(422, response.status());
        assertTrue(response.body().contains("Unknown attribute keys: pln."));
    }

    @Test
    void shouldAnswerPendingIfNoReplyArrivesInTime() {
        gateway.answerNothing();

        var response = gateway.client.send("PUT", "/v1/users/ida", "{}");

        assertEquals(202, response.status());
        assertEquals("{\"pending\":true}", response.body());
    }

    private IdentifyUser published() {
        assertEquals(1, gateway.log.commands.size());
        return (IdentifyUser) gateway.log.commands.getFirst();
    }
}
