package dev.laurel.gateway.http;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.schemas.admin.Edit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class RulesetRoutesTest {

    private static final String PATH = "/admin/v1/ruleset";
    private static final String RULESET = "{\"metrics\":{\"runs\":{\"name\":\"Runs\"}}}";

    private final GatewayHttp gateway = new GatewayHttp(Duration.ofSeconds(20));

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void shouldSendEditAndAnswerOnceTheVersionIsKnownHere() {
        gateway.rulesets.publish(FixedRulesets.ruleset(2, List.of()));
        gateway.answerWith(200, "{\"version\":2,\"changed\":true,\"issues\":[]}");

        var response = gateway.client.send("PUT", PATH, RULESET);

        assertEquals(200, response.status());
        assertEquals("{\"version\":2,\"changed\":true,\"issues\":[]}", response.body());
        var edit = (Edit.Replace) gateway.log.edits.getFirst();
        assertEquals("Runs", edit.source().metrics().get("runs").name());
    }

    @Test
    void shouldAnswerPendingIfTheVersionDoesNotArriveHere() {
        gateway.answerWith(200, "{\"version\":9,\"changed\":true,\"issues\":[]}");

        var response = gateway.client.send("PUT", PATH, RULESET);

        assertEquals(202, response.status());
        assertEquals("{\"pending\":true}", response.body());
    }

    @Test
    void shouldAnswer422WithEveryIssueAndSendNothing() {
        var response = gateway.client.send("PUT", PATH,
                "{\"metrics\":{\"bad key\":{}},\"achievements\":{\"a\":{\"trigger\":\"metric\",\"metric\":\"runs\",\"value\":1}}}");

        assertEquals(422, response.status());
        assertTrue(response.body().startsWith("{\"error\":\"The ruleset is not valid: /metrics/bad key "));
        assertTrue(response.body().contains("\"issues\":[{\"path\":\"/metrics/bad key\",\"message\":\""));
        assertTrue(response.body().contains("{\"path\":\"/achievements/a/metric\",\"message\":\""));
        assertTrue(gateway.log.edits.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"metrics\":{\"runs\":", "null", "nonsense"})
    void shouldAnswer400ToWhatIsNoJson(String body) {
        var response = gateway.client.send("PUT", PATH, body);

        assertEquals(400, response.status(), response.body());
        assertTrue(gateway.log.edits.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"metric\":{}}", "{\"metrics\":{\"runs\":{\"nam\":\"x\"}}}", "{\"metrics\":[]}"})
    void shouldAnswer422ToWhatHasAnotherShape(String body) {
        var response = gateway.client.send("PUT", PATH, body);

        assertEquals(422, response.status(), response.body());
        assertTrue(gateway.log.edits.isEmpty());
    }

    @Test
    void shouldPassJudgementOfTheWriterThrough() {
        gateway.answerWith(422, "{\"error\":\"no\",\"issues\":[]}");

        var response = gateway.client.send("PUT", PATH, RULESET);

        assertEquals(422, response.status());
        assertEquals("{\"error\":\"no\",\"issues\":[]}", response.body());
    }
}
