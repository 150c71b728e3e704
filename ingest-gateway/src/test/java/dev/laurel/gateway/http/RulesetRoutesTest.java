package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RulesetRoutesTest {

    private static final String PATH = "/admin/v1/ruleset";
    private static final String RULESET = "{\"metrics\":{\"runs\":{\"name\":\"Runs\"}}}";

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofSeconds(20));

    @Test
    void shouldAnswerEditOnceTheVersionHasArrived() {
        gateway.rulesets.publish(FixedRulesets.ruleset(2, List.of()));
        gateway.answerWith(200, "{\"version\":2,\"changed\":true,\"issues\":[]}");

        gateway.client.send("PUT", PATH, RULESET).expect(200, "{\"version\":2,\"changed\":true,\"issues\":[]}");
        var edit = (Edit.Replace) gateway.log.edits.getFirst();
        assertEquals(
                "Runs", edit.source().content().part("metrics").part("runs").get("name"));
    }

    @Test
    void shouldAnswerPendingIfTheVersionDoesNotArrive() {
        gateway.rulesets.isFollowed = false;
        gateway.answerWith(200, "{\"version\":9,\"changed\":true,\"issues\":[]}");

        gateway.client.send("PUT", PATH, RULESET).expect(202, "{\"pending\":true}");
    }

    @Test
    void shouldAnswer422WithEveryIssueAndSendNothing() {
        var response = gateway.client
                .send(
                        "PUT",
                        PATH,
                        "{\"metrics\":{\"bad"
                                + " key\":{}},\"achievements\":{\"a\":{\"trigger\":\"metric\",\"metric\":\"runs\",\"value\":1}}}")
                .expect(422);
        assertTrue(response.body().startsWith("{\"error\":\"The ruleset is not valid: /metrics/bad key "));
        assertTrue(response.body().contains("\"issues\":[{\"path\":\"/metrics/bad key\",\"message\":\""));
        assertTrue(response.body().contains("{\"path\":\"/achievements/a/metric\",\"message\":\""));
        assertTrue(gateway.log.edits.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"metrics\":{\"runs\":", "null", "nonsense"})
    void shouldAnswer400ToBodiesThatAreNotJson(String body) {
        gateway.client.send("PUT", PATH, body).expect(400);
        assertTrue(gateway.log.edits.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"metric\":{}}", "{\"metrics\":{\"runs\":{\"nam\":\"x\"}}}", "{\"metrics\":[]}"})
    void shouldAnswer422ToDocumentsOfAnotherShape(String body) {
        gateway.client.send("PUT", PATH, body).expect(422);
        assertTrue(gateway.log.edits.isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {"?base=7|none|7", "none|\"7\"|7", "none|7|7", "?base=7|\"7\"|7", "none|*|none", "none|none|none"})
    void shouldSendTheBaseVersion(String query, String ifMatch, Long base) {
        gateway.answerWith(200, "{}");
        var response = put(query, ifMatch);

        assertEquals(200, response.status(), response.body());
        assertEquals(base, ((Edit.Replace) gateway.log.edits.getFirst()).baseVersion());
    }

    @Test
    void shouldKeepMissingSectionsIfAsked() {
        gateway.rulesets.publish(FixedRulesets.WITH_WEBHOOKS);
        gateway.answerWith(200, "{}");

        var diff = gateway.client.send("POST", PATH + "/diff?missing=keep", "{\"streak\":{\"frequency\":\"weekly\"}}");
        assertEquals(
                "{\"from\":" + FixedRulesets.WITH_WEBHOOKS.version()
                        + ",\"to\":null,\"changes\":[{\"change\":\"added\",\"path\":\"/streak/frequency\",\"after\":\"weekly\"}]}",
                diff.body());
        assertEquals(
                200,
                gateway.client
                        .send("PUT", PATH + "?missing=keep", "{\"webhooks\":{}}")
                        .status());
        var edit = (Edit.Replace) gateway.log.edits.getFirst();
        assertEquals(FixedRulesets.WITH_WEBHOOKS.version(), edit.baseVersion(), "what it was completed with");
        assertEquals(
                FixedRulesets.WITH_WEBHOOKS.metrics().size(),
                edit.source().content().part("metrics").size());
        assertTrue(edit.source().content().part("webhooks").isEmpty());
        assertEquals(422, gateway.client.send("PUT", PATH + "?missing=x", "{}").status());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {"?base=x|none", "?base=|none", "none|W/\"7\"", "?base=7|\"8\""})
    void shouldRefuseInvalidBaseVersions(String query, String ifMatch) {
        var response = put(query, ifMatch);

        assertEquals(422, response.status(), response.body());
        assertTrue(gateway.log.edits.isEmpty());
    }

    @Test
    void shouldListTheDifferencesOfADocument() {
        gateway.client
                .send(
                        "POST",
                        PATH + "/diff",
                        "{\"metrics\":{\"laps-swum\":{\"name\":\"Laps\",\"units\":\"m\"}},\"attributes\":{\"user\":{"
                                + "\"city\":{\"name\":\"City\"},\"plan\":{\"name\":\"Plan\"}},\"event\":{\"pool\":{\"name\":\"Pool\"}}}}")
                .expect(
                        200,
                        "{\"from\":1,\"to\":null,\"changes\":[{\"change\":\"changed\",\"path\":"
                                + "\"/metrics/laps-swum/units\",\"before\":\"laps\",\"after\":\"m\"}]}");
        assertTrue(gateway.log.edits.isEmpty());
    }

    @Test
    void shouldAnswer422ToADiffOfAnInvalidDocument() {
        var response = gateway.client
                .send("POST", PATH + "/diff", "{\"metrics\":{\"bad key\":{}}}")
                .expect(422);
        assertTrue(response.body().contains("\"path\":\"/metrics/bad key\""), response.body());
    }

    @Test
    void shouldRollBackToAnExistingVersion() {
        gateway.answerWith(200, "{\"version\":2,\"changed\":true,\"issues\":[]}");

        gateway.client
                .send("POST", PATH + "/rollback", "{\"version\":1,\"baseVersion\":3}")
                .expect(200);
        assertEquals(new Edit.Rollback(FixedRulesets.SWIMMING, 3L), gateway.log.edits.getFirst());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"version\":9}|404",
                "{}|422",
                "{\"version\":\"1\"}|422",
                "{\"version\":-1}|422",
                "{\"version\":0}|422",
                "[]|400",
                "{|400"
            })
    void shouldRefuseRollbackToAnUnknownVersion(String body, int status) {
        gateway.client.send("POST", PATH + "/rollback", body).expect(status);
        assertTrue(gateway.log.edits.isEmpty());
    }

    @Test
    void shouldSendFieldsOfSettings() {
        gateway.answerWith(200, "{\"controlRatio\":5}");

        var response = gateway.client.send("PATCH", "/admin/v1/settings", "{\"controlRatio\":5}");

        assertEquals("{\"controlRatio\":5}", response.body());
        assertEquals(new Edit.Patch(SettingsKind.ACCOUNT, Map.of("controlRatio", 5)), gateway.log.edits.getFirst());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "null", "7"})
    void shouldAnswer400ToSettingsThatAreNotAnObject(String body) {
        gateway.client.send("PATCH", "/admin/v1/streaks/settings", body).expect(400);
        assertTrue(gateway.log.edits.isEmpty());
    }

    @Test
    void shouldAnswerWithTheReplyOfTheRulesetWriter() {
        gateway.answerWith(422, "{\"error\":\"no\",\"issues\":[]}");

        gateway.client.send("PUT", PATH, RULESET).expect(422, "{\"error\":\"no\",\"issues\":[]}");
    }

    private RawHttp.Response put(String query, String ifMatch) {
        String match = ifMatch == null ? "X-None: 0" : "If-Match: " + ifMatch;
        return gateway.client.send(
                "PUT", PATH + (query == null ? "" : query), RULESET, "X-API-KEY: " + RawHttp.KEY, match);
    }
}
