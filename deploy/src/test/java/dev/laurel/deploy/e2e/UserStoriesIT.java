package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tests the calls that write a user. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class UserStoriesIT {

    private static LaurelClient laurel;

    @BeforeAll
    static void connect(LaurelInstance instance) {
        laurel = instance.client();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1", "/api"})
    void shouldCreateUserByPut(String mount) {
        String id = "put-" + mount.substring(1);

        JsonResponse created = laurel.put(mount + "/users/" + id, """
            {"id": "someone-else", "email": "ida@example.net", "name": "Ida Laine", "tz": "Europe/Helsinki",
             "deviceTokens": ["t1", "t2"], "signUpDate": "2024-02-28T23:00:00-05:00",
             "attributes": {"city": "Turku", "plan": 3}, "unknown": {"x": 1}}\
            """).expect(200);

        JsonNode user = created.json();
        JsonShape.assertObject(
                user,
                "id str",
                "email str~",
                "name str~",
                "tz str~",
                "deviceTokens list",
                "subscribeToEmails bool",
                "signUpDate date~",
                "attributes map",
                "control bool",
                "created dt",
                "updated dt");
        assertEquals(id, user.get("id").stringValue());
        assertEquals("Europe/Helsinki", user.get("tz").stringValue());
        assertEquals(
                "{\"city\":\"Turku\",\"plan\":\"3\"}", user.get("attributes").toString());
        assertEquals(2, user.get("deviceTokens").size());
        assertTrue(user.get("subscribeToEmails").booleanValue());
        assertEquals("2024-02-29", user.get("signUpDate").stringValue());
        assertEquals(
                created.text(), laurel.get(mount + "/users/" + id).expect(200).text());
        assertFalse(laurel.user("someone-else").exists());
    }

    @Test
    void shouldUpsertUserByEvent() {
        laurel.event("laps-swum")
                .of("inline-1")
                .with("name", "\"Ida\"")
                .with("attributes", "{\"city\": \"Turku\"}")
                .value("1")
                .send()
                .expect(201);
        laurel.event("laps-swum")
                .of("inline-1")
                .with("tz", "\"Europe/Helsinki\"")
                .value("1")
                .send()
                .expect(201);

        JsonNode user = laurel.user("inline-1").profile();

        assertEquals("Ida", user.get("name").stringValue());
        assertEquals("Europe/Helsinki", user.get("tz").stringValue());
        assertEquals("{\"city\":\"Turku\"}", user.get("attributes").toString());
    }

    /** Unknown objects, and parameters beyond their limits. */
    @ParameterizedTest
    @CsvSource({
        "/metrics/laps-flown, 404",
        "/points/gold, 404",
        "/points/gems?awards=0, 422",
        "/points/gems?awards=101, 422",
        "/streak?historyPeriods=401, 422",
        "/streak?historyPeriods=-1, 422",
        "/wrapped?year=0, 422",
        "/wrapped?year=10000, 422",
        "/wrapped?year=, 422"
    })
    void shouldRefuseReads(String path, int status) {
        laurel.put("/v1/users/reader-1", "{}").expect(200);

        laurel.get("/v1/users/nobody" + path.replaceFirst("\\?.*", "")).expectError(404);
        laurel.get("/v1/users/reader-1" + path).expectError(status);
    }
}
