package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AchievementRoutesTest {

    private static final String PATH = "/v1/achievements/first-dive/complete";
    private static final String USER = "{\"user\":{\"id\":\"ida\"}}";

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofSeconds(20));

    @ParameterizedTest
    @ValueSource(
            strings = {
                PATH,
                "/api/achievements/first-dive/complete",
                PATH + "/",
                "/v1/achievements/first%2Ddive/complete"
            })
    void shouldSendCompletionAndAnswerWithTheReply(String path) {
        var response = gateway.client.post(path, USER).expect(201, "{\"ok\":true}");
        assertEquals("application/json", response.contentType());
        assertEquals("first-dive", published().achievement());
        assertEquals(List.of(UserKey.of("ida")), gateway.log.users);
    }

    @Test
    void shouldSendThePropertiesOfTheUser() {
        gateway.client.post(PATH, "{\"user\":{\"id\":\"ida\",\"name\":\"Ida\",\"attributes\":{\"city\":\"Turku\"}}}");

        assertEquals(Change.set("Ida"), published().user().name());
        assertEquals(Change.set("Turku"), published().user().attributes().get("city"));
    }

    /** The ruleset has no achievements. A completed one may have been deleted, and its user still gets 202. */
    @ParameterizedTest
    @CsvSource({
        "202,{\"points\":{}}",
        "404,{\"error\":\"Unknown achievement: first-dive.\"}",
        "422,{\"error\":\"locked\"}"
    })
    void shouldNotCheckTheAchievement(int status, String body) {
        gateway.answerWith(status, body);

        gateway.client.post(PATH, USER).expect(status, body);
        assertEquals("first-dive", published().achievement());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "null", "\"text\"", USER + "{}"})
    void shouldAnswer400ToBodiesThatAreNotJsonObjects(String body) {
        assertRefused(400, gateway.client.post(PATH, body));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {}                                  | user is required and must be an object with an id.
        {"user":null}                       | user is required and must be an object with an id.
        {"user":"ida"}                      | user must be an object.
        {"user":{}}                         | user.id is required.
        {"user":{"id":7}}                   | user.id must be a string.
        {"user":{"id":"ida","tz":"+02:00"}} | user.tz must be an IANA time zone, such as Europe/Helsinki.
        """)
    void shouldAnswer422AndNameTheField(String body, String message) {
        var response = gateway.client.post(PATH, body);

        assertRefused(422, response);
        assertEquals("{\"error\":\"" + message + "\"}", response.body());
    }

    @Test
    void shouldAnswer422AndNameEveryUnknownAttribute() {
        var response = gateway.client.post(
                PATH, "{\"user\":{\"id\":\"ida\",\"attributes\":{\"pln\":\"pro\",\"city\":\"Turku\",\"x\":null}}}");

        assertRefused(422, response);
        assertTrue(response.body().contains("Unknown attribute keys: pln, x."), response.body());
    }

    @Test
    void shouldAnswer404ToInvalidAchievementKeys() {
        assertRefused(404, gateway.client.post("/v1/achievements/" + "a".repeat(256) + "/complete", USER));
    }

    @Test
    void shouldAnswer202IfTheResultIsUnknown() {
        gateway.answerNothing();
        gateway.log.outcome = CompletableFuture.completedFuture(Outcome.UNKNOWN);

        gateway.client
                .post(PATH, USER)
                .expect(202, "{\"completionId\":null,\"achievement\":null,\"points\":{},\"pending\":true}");
    }

    @Test
    void shouldAnswer503IfNothingWasStored() {
        gateway.answerNothing();
        gateway.log.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);

        assertEquals(503, gateway.client.post(PATH, USER).status());
    }

    private CompleteAchievement published() {
        assertEquals(1, gateway.log.commands.size());
        return (CompleteAchievement) gateway.log.commands.getFirst();
    }

    private void assertRefused(int status, RawHttp.Response response) {
        assertEquals(status, response.status(), response.body());
        assertTrue(response.body().matches("\\{\"error\":\".+\"}"), response.body());
        assertTrue(gateway.log.commands.isEmpty());
    }
}
