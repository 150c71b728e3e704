package dev.laurel.query.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.TestApi;
import dev.laurel.query.read.InMemoryUsers;
import dev.laurel.query.read.MessagePreviews;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.Json;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Previews of templates (docs/admin-api.md B4). */
class PreviewRoutesTest {

    private static final String KEY = BootstrapKey.generate();
    private static final String RULES = """
        {"metrics":{"laps":{}},
         "points":{"gems":{"triggers":{"lap":{"type":"metric","metric":"laps","threshold":1,"points":1}}}},
         "notifications":{"channels":{"email":{"from":"team@pool.example","fromName":"Pool"}},"templates":{
           "mail":{"type":"streak_reminder","channel":"email","subject":"Swim, {{user.name}}!",
             "body":"You have {{points.gems.total}} gems.","variations":[{"subject":"Hey","body":"<b>{{user.name}}</b>"}]},
           "push":{"type":"streak_reminder","channel":"push","title":"Swim, {{user.name}}!","body":"Now.",
             "status":"inactive"},
           "done":{"type":"achievement_completed","channel":"push","title":"Done","body":"{{achievement.name}}"}}}}\
        """;

    private final InMemoryUsers users = new InMemoryUsers();

    @AutoClose
    private TestApi api;

    @BeforeEach
    void start() throws Exception {
        users.rules("2026-01-01T00:00:00Z", RULES)
                .identify("ann", ",\"name\":\"Ann <i>\",\"email\":\"ann@example.net\"", "2026-03-01T08:00:00Z")
                .event("ann", "laps", 5, "2026-03-01T09:00:00Z")
                .now("2026-03-03T12:00:00Z");
        api = new TestApi(
                new BootstrapKey(KEY),
                new PreviewRoutes(new MessagePreviews(users.partitions(), users.rulesets(), users.clock()), Relay.NONE),
                new NodeRoutes(() -> true));
    }

    private String idOf(String template) {
        return users.newest(TenantId.NONE).notifications().templates().stream()
                .filter(one -> one.key().equals(template))
                .findFirst()
                .orElseThrow()
                .id()
                .toString();
    }

    private HttpResponse<String> get(String template, String query) throws Exception {
        return api.get("/admin/v1/notifications/templates/" + template + "/preview" + query, KEY);
    }

    @SuppressWarnings("unchecked") // a JSON object has text for keys
    private Map<String, String> preview(String template, String query) throws Exception {
        var answer = get(idOf(template), query);
        assertEquals(200, answer.statusCode(), answer.body());
        return (Map<String, String>) Json.readTree(answer.body().getBytes());
    }

    @Test
    void shouldShowAnEmailAsAUserWouldGetIt() throws Exception {
        Map<String, String> email = preview("mail", "?userId=ann");

        assertEquals(List.of("subject", "html", "text"), List.copyOf(email.keySet()));
        assertEquals("Swim, Ann <i>!", email.get("subject"));
        assertTrue(email.get("text").startsWith("You have 5 gems."), email.get("text"));
        assertTrue(email.get("html").contains("You have 5 gems."), email.get("html"));
    }

    @Test
    void shouldShowVariations() throws Exception {
        assertEquals("Hey", preview("mail", "?userId=ann&variation=1").get("subject"));
        assertTrue(preview("mail", "?userId=ann&variation=1").get("html").contains("<b>Ann &lt;i&gt;</b>"));
        assertEquals(
                "Swim, Ann <i>!", preview("mail", "?userId=ann&variation=0").get("subject"));
    }

    @Test
    void shouldShowAnExampleUserIfNoneIsNamed() throws Exception {
        assertEquals(Map.of("title", "Swim, Ida Laine!", "body", "Now."), preview("push", ""));
        assertTrue(preview("mail", "").get("text").startsWith("You have 0 gems."));
    }

    /** A user with the id of the invented one is another user. */
    @Test
    void shouldNotUseAUserWithTheIdOfTheExampleUser() throws Exception {
        users.event("swimmer-77", "laps", 9, "2026-03-01T09:00:00Z");

        assertTrue(preview("mail", "").get("text").startsWith("You have 0 gems."));
    }

    @ParameterizedTest
    @CsvSource({
        "mail,?userId=zoe,404,User does not exist",
        "mail,?userId=,404,User does not exist",
        "push,?userId=ann,422,deviceTokens",
        "mail,?variation=2,422,variation must be a whole number from 0 to 1.",
        "push,?variation=1,422,variation must be a whole number from 0 to 0.",
        "mail,?variation=-1,422,variation",
        "mail,?variation=x,422,variation",
        "done,,422,There is no achievement"
    })
    void shouldRefuseAPreviewWithTheReason(String template, String query, int status, String error) throws Exception {
        var answer = get(idOf(template), query == null ? "" : query);

        assertEquals(status, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains(error), answer.body());
    }

    @Test
    void shouldAnswer404ForAnUnknownTemplate() throws Exception {
        assertEquals(404, get("00000000-0000-4000-8000-000000000000", "").statusCode());
        assertEquals(
                404, get("00000000-0000-4000-8000-000000000000", "?userId=ann").statusCode());
        assertEquals(422, get("mail", "").statusCode());
    }
}
