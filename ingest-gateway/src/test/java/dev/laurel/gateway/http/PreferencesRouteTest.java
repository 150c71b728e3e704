package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PreferencesRouteTest {

    private static final String PATH = "/v1/users/ida/preferences";

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofMillis(2000));

    @ParameterizedTest
    @ValueSource(strings = {PATH, "/api/users/ida/preferences", PATH + "/"})
    void shouldPassPreferencesToTheLogAndItsAnswerBackUntouched(String path) {
        gateway.answerWith(200, "{\"notifications\":{}}");

        gateway.client.send("PATCH", path, """
            {"notifications":{"recap":["email"],"reactivation":null},
             "streak":{"enabled":true,"metrics":[{"key":"laps-swum","threshold":20}]}}\
            """).expect(200, "{\"notifications\":{}}");
        assertEquals(
                new SetPreferences(
                        UserChange.mention(new UserId("ida")),
                        Map.of(
                                NotificationType.RECAP,
                                Change.set(Set.of(NotificationChannel.EMAIL)),
                                NotificationType.REACTIVATION,
                                Change.clear()),
                        new StreakChange(
                                Change.set(true),
                                Change.keep(),
                                Change.set(List.of(new SetPreferences.Condition("laps-swum", BigDecimal.valueOf(20)))),
                                Change.keep()),
                        SetPreferences.LeaderboardsChange.NONE),
                gateway.log.commands.getFirst());
        assertEquals(List.of(UserKey.of("ida")), gateway.log.users);
    }

    /** The user's partition must still find out whether the user exists and reply with the preferences. */
    @ParameterizedTest
    @CsvSource({
        "200,{\"notifications\":{}}",
        "403,{\"error\":\"off\"}",
        "404,{\"error\":\"Unknown user: ida.\"}",
        "422,{\"error\":\"no such metric\"}"
    })
    void shouldAnswerWithTheReplyOfTheUsersPartition(int status, String body) {
        gateway.answerWith(status, body);

        gateway.client.send("PATCH", PATH, "{}").expect(status, body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "null", "{} {}"})
    void shouldAnswer400ToBodiesThatAreNotJsonObjects(String body) {
        assertRefused(400, gateway.client.send("PATCH", PATH, body));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"notifications":{"news":[]}}            | notifications.news is no type of notification
        {"notifications":{"recap":["sms"]}}      | notifications.recap is 'sms', must be one of: email, push.
        {"streak":{"evaluationMode":"SOME"}}     | streak.evaluationMode is 'SOME', must be one of: AND, OR.
        {"streak":{"metrics":[{"key":"m","threshold":0}]}} | streak.metrics[0].threshold must be above 0
        """)
    void shouldAnswer422AndNameTheField(String body, String message) {
        var response = gateway.client.send("PATCH", PATH, body);

        assertRefused(422, response);
        assertTrue(response.body().contains(message), response.body());
    }

    @Test
    void shouldAnswer404ToInvalidUserIds() {
        assertRefused(404, gateway.client.send("PATCH", "/v1/users/" + "a".repeat(256) + "/preferences", "{}"));
    }

    @Test
    void shouldAnswerPendingIfNoReplyArrivesInTime() {
        try (var shortTimeout = new GatewayHttp(Duration.ofMillis(50))) {
            shortTimeout.answerNothing();

            shortTimeout.client.send("PATCH", PATH, "{}").expect(202, "{\"notifications\":{},\"pending\":true}");
        }
    }

    private void assertRefused(int status, RawHttp.Response response) {
        assertEquals(status, response.status(), response.body());
        assertTrue(response.body().matches("\\{\"error\":\".+\"}"), response.body());
        assertTrue(gateway.log.commands.isEmpty());
    }
}
