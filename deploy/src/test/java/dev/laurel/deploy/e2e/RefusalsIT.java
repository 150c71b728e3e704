package dev.laurel.deploy.e2e;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Tests refused requests: their responses, and that nothing of them is stored. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RefusalsIT {

    private static final String EVENT_PATH = "/v1/metrics/laps-swum/event";
    private static final int BODY_BYTES_MAX = 1024 * 1024;

    private static LaurelClient laurel;
    private static String regular;

    @BeforeAll
    static void connect(LaurelInstance instance) {
        laurel = instance.client();
        laurel.event("laps-swum").of("regular").with("name", "\"Ida\"").value("12").send().expect(201);
        regular = laurel.user("regular").everything();
    }

    /**
     * Bodies with USER for the id; status; words of the message, separated by blanks. EventRoutesTest has those of each field.
     */
    static Stream<Arguments> badEvents() {
        return Stream.of(
                arguments("{'user': {'id': USER}}", 422, "value"),
                arguments("{'user': {'id': USER}, 'value': 0.0123456789}", 422, "value 9"),
                arguments("{'user': {'id': USER}, 'value': NaN}", 400, ""),
                arguments("USER", 400, ""),
                arguments("{'user': {'id': ''}, 'value': 4}", 422, "user.id"),
                arguments("{'user': {'id': USER, 'tz': 'Europe/Atlantis'}, 'value': 4}", 422, "user.tz IANA"),
                arguments("{'user': {'id': USER, 'subscribeToEmails': true}, 'value': 4}", 422, "subscribeToEmails"),
                arguments("{'user': {'id': USER, 'attributes': {'city': {}}}, 'value': 4}", 422, "city"));
    }

    @ParameterizedTest
    @MethodSource("badEvents")
    void shouldRefuseBadEvent(String body, int status, String words) {
        assertRefused("regular", "POST", EVENT_PATH, body, status, words);
        assertEquals(regular, laurel.user("regular").everything());

        assertRefused("stranger", "POST", EVENT_PATH, body, status, words);
        assertFalse(laurel.user("stranger").exists());
    }

    @ParameterizedTest
    @CsvSource({"PUT, /v1/users/stranger", "PATCH, /v1/users/regular", "PUT, /api/users/stranger", "POST, /v1/users"})
    void shouldRefuseBadUser(String method, String path) {
        String id = path.endsWith("/regular") ? "regular" : "stranger";
        assertRefused(id, method, path, "{'id': USER, 'tz': 'Mars/Olympus'}", 422, "tz");
        assertRefused(id, method, path, "{'id': USER, 'email': 'ida'}", 422, "email");
        assertRefused(id, method, path, "{'id': USER, 'name': []}", 422, "name");
        assertRefused(id, method, path, "{'id': USER, 'attributes': {'pln': '1', 'city': 'x', 'twon': '2'}}", 422,
                "pln twon dashboard");
        assertRefused(id, method, path, "[]", 400, "");
        assertRefused(id, method, path, "{'id': USER", 400, "");

        assertFalse(laurel.user("stranger").exists());
        assertEquals(regular, laurel.user("regular").everything());
    }

    @Test
    void shouldRefuseEventOfUnknownMetric() {
        String message = laurel.event("laps-flown").of("stranger").value("4").send().expectError(404);

        assertTrue(message.contains("laps-flown"), message);
        assertFalse(laurel.user("stranger").exists());
    }

    @Test
    void shouldNameEveryUnknownAttribute() {
        String message = laurel.event("laps-swum").of("stranger")
                .with("attributes", "{\"pln\": \"gold\", \"city\": \"Turku\", \"pool\": \"x\"}")
                .attribute("strok", "fly")
                .attribute("stroke", "fly").value("4").send().expectError(422);

        assertEquals("Unknown attribute keys: pln, pool, strok. Attribute keys must match those set up in the "
                + "dashboard.", message);
        assertFalse(laurel.user("stranger").exists());
    }

    @Test
    void shouldRefuseIdsAndKeysThatAreTooLong() {
        String longId = "i".repeat(256);
        laurel.event("laps-swum").of(longId).value("4").send().expectError(422);
        laurel.put("/v1/users/" + longId, "{}").expectError(422);
        laurel.event("laps-swum").of("stranger").value("4").key("k".repeat(256)).send().expectError(422);

        laurel.event("laps-swum").of("i".repeat(255)).value("4").key("k".repeat(255)).send().expect(201);
        assertFalse(laurel.user(longId).exists());
        assertFalse(laurel.user("stranger").exists());
    }

    @ParameterizedTest
    @CsvSource({"POST, /v1/metrics/laps-swum/event", "POST, /api/metrics/laps-swum/event", "PUT, /v1/users/stranger",
            "POST, /v1/users", "PATCH, /v1/users/regular", "GET, /v1/users/regular", "GET, /v1/users/regular/streak",
            "GET, /admin/v1/ruleset", "PUT, /admin/v1/ruleset", "GET, /nowhere"})
    void shouldRefuseCallsWithoutValidKey(String method, String path, LaurelInstance instance) {
        String body = method.equals("GET")
                ? null
                : "{\"user\": {\"id\": \"stranger\"}, \"id\": \"stranger\", \"value\": 4}";
        String almost = instance.adminKey().substring(0, instance.adminKey().length() - 1) + "x!";
        for (String key : new String[]{null, "wrong", almost}) {
            laurel.withKey(key).send(method, path, body).expectError(401);
        }
        assertFalse(laurel.user("stranger").exists());
        assertEquals(regular, laurel.user("regular").everything());
    }

    @Test
    void shouldRefuseBodyThatIsTooLarge() {
        String head = "{\"user\": {\"id\": \"stranger\"}, \"value\": 4, \"pad\": \"";
        String tooLarge = head + "x".repeat(BODY_BYTES_MAX - head.length() - 1) + "\"}";
        assertEquals(BODY_BYTES_MAX + 1, tooLarge.length());

        laurel.post(EVENT_PATH, tooLarge).expectError(413);

        assertFalse(laurel.user("stranger").exists());
        laurel.post(EVENT_PATH, tooLarge.replace("stranger", "heavy").replaceFirst("xxxx", "")).expect(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/v1", "/v1/nowhere", "/api/nowhere", "/v1/users/regular/nothing", "/v2/users/regular",
            "/v1/metrics/laps-swum", "/favicon.ico"})
    void shouldAnswerUnknownRouteWith404(String path) {
        laurel.get(path).expectError(404);
        laurel.post(path, "{}").expectError(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"GET|/v1/metrics/laps-swum/event|POST",
            "DELETE|/v1/users/regular|GET,PATCH,PUT",
            "POST|/v1/users/regular|GET,PATCH,PUT", "PUT|/v1/users|POST", "POST|/v1/users/regular/streak|GET",
            "POST|/admin/v1/ruleset|GET,PUT", "GET|/api/metrics/laps-swum/event|POST"})
    void shouldAnswerOtherMethodWith405AndAllow(String method, String path, String allowed) {
        JsonResponse answer = laurel.send(method, path, method.equals("POST") ? "{}" : null);

        answer.expectError(405);
        assertNotNull(answer.header("Allow"), "no Allow");
        Set<String> methods = Set.of(answer.header("Allow").split(", *"));
        assertTrue(methods.containsAll(List.of(allowed.split(","))), methods::toString);
        assertFalse(methods.contains(method), methods::toString);
        assertEquals(regular, laurel.user("regular").everything());
    }

    @ParameterizedTest
    @CsvSource({"/v1/users/nobody, 404", "/v1/users/nobody/metrics, 404", "/v1/users/nobody/metrics/laps-swum, 404",
            "/v1/users/nobody/points/gems, 404", "/v1/users/nobody/streak, 404", "/v1/users/nobody/achievements, 404",
            "/v1/users/regular/metrics/laps-flown, 404", "/v1/users/regular/points/gold, 404",
            "/v1/users/regular/points/gems?awards=0, 422", "/v1/users/regular/points/gems?awards=101, 422",
            "/v1/users/regular/points/gems?awards=ten, 422", "/v1/users/regular/streak?historyPeriods=401, 422",
            "/v1/users/regular/streak?historyPeriods=-1, 422", "/v1/users/regular/streak?historyPeriods=1.5, 422"})
    void shouldRefuseReads(String path, int status) {
        laurel.get(path).expectError(status);
    }

    /** @param body with single quotes for double ones and USER for the id */
    private static void assertRefused(String user, String method, String path, String body, int status, String words) {
        String json = body.replace('\'', '"').replace("USER", '"' + user + '"');
        String message = laurel.send(method, path, json).expectError(status);
        for (String word : words.split(" ")) {
            assertTrue(message.contains(word), () -> "'" + word + "' is not named: " + message);
        }
    }
}
