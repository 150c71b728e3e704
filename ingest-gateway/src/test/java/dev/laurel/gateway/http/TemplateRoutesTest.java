package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.schemas.command.Command.TestMessage;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class TemplateRoutesTest {

    private static final String TEMPLATE = "00000000-0000-0009-0000-000000000001";
    private static final String TEST = "/admin/v1/notifications/templates/" + TEMPLATE + "/test";
    private static final String IDA = "{\"userId\":\"ida\"}";

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofMillis(2000));

    @BeforeEach
    void publishRules() {
        gateway.rulesets.publish(FixedRulesets.WITH_WEBHOOKS);
    }

    @Test
    void shouldSendACommandForTheTestMessage() {
        gateway.answerWith(202, "{}");

        gateway.client
                .post(TEST, "{\"userId\":\"a/b\",\"type\":\"erase-user\",\"template\":\"x\"}")
                .expect(202, "{}");
        assertEquals(List.of(UserKey.of("a/b")), gateway.log.users);
        assertEquals(
                List.of(new TestMessage(UserChange.mention(new UserId("a/b")), UUID.fromString(TEMPLATE))),
                gateway.log.commands);
    }

    @ParameterizedTest
    @CsvSource({"404,User does not exist", "422,The user has no email."})
    void shouldAnswerWithTheReply(int status, String error) {
        gateway.answerWith(status, "{\"error\":\"" + error + "\"}");

        gateway.client.post(TEST, IDA).expect(status, "{\"error\":\"" + error + "\"}");
    }

    @Test
    void shouldFindATemplateThatAnotherGatewayCreated() {
        gateway.answerWith(202, "{}");
        gateway.rulesets.publish(FixedRulesets.SWIMMING);
        gateway.rulesets.publishElsewhere(FixedRulesets.WITH_WEBHOOKS);

        assertEquals(202, gateway.client.post(TEST, IDA).status());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{TEMPLATE}||400",
                "{TEMPLATE}|[]|400",
                "{TEMPLATE}|{\"userId\":|400",
                "{TEMPLATE}|{}|422",
                "{TEMPLATE}|{\"userId\":null}|422",
                "{TEMPLATE}|{\"userId\":5}|422",
                "{TEMPLATE}|{\"userId\":\"\"}|422",
                "x|{\"userId\":\"ida\"}|422",
                "00000000-0000-0009-0000-000000000002|{\"userId\":\"ida\"}|404"
            })
    void shouldRefuseInvalidRequestsAndSendNothing(String template, String body, int status) {
        var response = gateway.client
                .post(
                        "/admin/v1/notifications/templates/" + template.replace("{TEMPLATE}", TEMPLATE) + "/test",
                        body == null ? "" : body)
                .expect(status);
        assertTrue(response.body().startsWith("{\"error\":\""), response.body());
        assertTrue(gateway.log.commands.isEmpty());
    }
}
