package dev.laurel.deploy.e2e;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
                 "attributes": {"city": "Turku", "plan": 3}, "unknown": {"x": 1}}""")
                .expect(200);

        JsonNode user = created.json();
        JsonShape.assertObject(user, "id str", "email str~", "name str~", "tz str~", "deviceTokens list",
                "subscribeToEmails bool", "signUpDate date~", "attributes map", "control bool", "created dt",
                "updated dt");
        assertEquals(id, user.get("id").stringValue());
        assertEquals("Europe/Helsinki", user.get("tz").stringValue());
        assertEquals("{\"city\":\"Turku\",\"plan\":\"3\"}", user.get("attributes").toString());
        assertEquals(2, user.get("deviceTokens").size());
        assertTrue(user.get("subscribeToEmails").booleanValue());
        assertEquals("2024-02-29", user.get("signUpDate").stringValue());
        assertEquals(created.text(), laurel.get(mount + "/users/" + id).expect(200).text());
        assertFalse(laurel.user("someone-else").exists());
    }

    @Test
    void shouldAnswerAbsentPropertiesAsNullOrEmpty() {
        JsonNode user = laurel.put("/v1/users/bare-1", "{}").expect(200).json();

        for (String property : List.of("email", "name", "tz", "signUpDate")) {
            assertTrue(user.get(property).isNull(), property);
        }
        assertEquals("[]", user.get("deviceTokens").toString());
        assertEquals("{}", user.get("attributes").toString());
        assertEquals(user.get("created"), user.get("updated"));
    }

    @Test
    void shouldNotCreateUserByPatch() {
        laurel.patch("/v1/users/patched-1", "{\"name\": \"Ida\"}").expectError(404);

        assertFalse(laurel.user("patched-1").exists());
    }

    @Test
    void shouldAnswerPostWith201Always() {
        laurel.post("/v1/users", "{\"id\": \"posted-1\", \"name\": \"Ida\"}").expect(201);

        JsonResponse again = laurel.post("/v1/users", "{\"id\": \"posted-1\", \"email\": \"ida@example.net\"}")
                .expect(201);

        assertEquals("Ida", again.string("/name"));
        assertEquals("ida@example.net", laurel.user("posted-1").profile().get("email").stringValue());
    }

    @Test
    void shouldChangeOnlyGivenFields() {
        JsonNode before = laurel.put("/v1/users/partial-1",
                "{\"name\": \"Ida\", \"tz\": \"Europe/Helsinki\", \"attributes\": {\"city\": \"Turku\"}}").expect(200)
                .json();

        JsonNode after = laurel.patch("/v1/users/partial-1", "{\"attributes\": {\"plan\": true}}").expect(200).json();

        assertEquals("Ida", after.get("name").stringValue());
        assertEquals("Europe/Helsinki", after.get("tz").stringValue());
        assertEquals("{\"city\":\"Turku\",\"plan\":\"true\"}", after.get("attributes").toString());
        assertEquals(before.get("created"), after.get("created"));
        assertNotEquals(before.get("updated"), after.get("updated"));
    }

    @Test
    void shouldNotCountRepetitionAsUpdate() {
        String ida = "{\"name\": \"Ida\", \"deviceTokens\": [\"t1\"], \"attributes\": {\"city\": \"Turku\"}}";
        JsonNode before = laurel.put("/v1/users/same-1", ida).expect(200).json();

        laurel.record("same-1", "laps-swum", "1");

        assertEquals(before, laurel.put("/v1/users/same-1", ida).expect(200).json());
    }

    @Test
    void shouldClearOnlyNullableFieldsByNull() {
        laurel.put("/v1/users/null-1", """
                {"email": "ida@example.net", "name": "Ida", "tz": "Europe/Helsinki", "deviceTokens": ["t1"],
                 "signUpDate": "2024-02-29", "attributes": {"city": "Turku", "plan": "gold"}}""").expect(200);

        JsonNode user = laurel.patch("/v1/users/null-1", """
                {"email": null, "name": null, "tz": null, "deviceTokens": null, "subscribeToEmails": null,
                 "signUpDate": null, "attributes": {"city": null}}""").expect(200).json();

        assertEquals("ida@example.net", user.get("email").stringValue());
        assertEquals("Ida", user.get("name").stringValue());
        assertTrue(user.get("tz").isNull());
        assertEquals("[]", user.get("deviceTokens").toString());
        assertTrue(user.get("signUpDate").isNull());
        assertEquals("{\"plan\":\"gold\"}", user.get("attributes").toString());
        assertEquals(user, laurel.patch("/v1/users/null-1", "{\"attributes\": null}").expect(200).json());
    }

    @Test
    void shouldRefuseSubscriptionOfUserWithoutEmail() {
        laurel.put("/v1/users/mail-1", "{\"subscribeToEmails\": true}").expectError(422);
        assertFalse(laurel.user("mail-1").exists());

        laurel.put("/v1/users/mail-1", "{\"subscribeToEmails\": true, \"email\": \"ida@example.net\"}").expect(200);
        laurel.patch("/v1/users/mail-1", "{\"subscribeToEmails\": true}").expect(200);
    }

    @Test
    void shouldDropEmailOfUserWhoUnsubscribes() {
        laurel.put("/v1/users/mail-2", "{\"email\": \"ida@example.net\"}").expect(200);

        JsonNode user = laurel.patch("/v1/users/mail-2",
                "{\"subscribeToEmails\": false, \"email\": \"new@example.net\"}").expect(200).json();

        assertFalse(user.get("subscribeToEmails").booleanValue());
        assertTrue(user.get("email").isNull());
        laurel.patch("/v1/users/mail-2", "{\"subscribeToEmails\": true}").expectError(422);
        assertEquals(user, laurel.user("mail-2").profile());
    }

    @Test
    void shouldUpsertUserByEvent() {
        laurel.event("laps-swum").of("inline-1").with("name", "\"Ida\"").with("attributes", "{\"city\": \"Turku\"}")
                .value("1").send().expect(201);
        laurel.event("laps-swum").of("inline-1").with("tz", "\"Europe/Helsinki\"").value("1").send().expect(201);

        JsonNode user = laurel.user("inline-1").profile();

        assertEquals("Ida", user.get("name").stringValue());
        assertEquals("Europe/Helsinki", user.get("tz").stringValue());
        assertEquals("{\"city\":\"Turku\"}", user.get("attributes").toString());
    }
}
