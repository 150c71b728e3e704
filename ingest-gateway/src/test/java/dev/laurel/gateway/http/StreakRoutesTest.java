package dev.laurel.gateway.http;

import static dev.laurel.gateway.http.GatewayHttp.reply;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.platform.access.ApiKeys;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.schemas.command.Command.DeleteOwnedPause;
import dev.laurel.schemas.command.Command.GrantFreeze;
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.command.Command.ResetStreak;
import dev.laurel.schemas.command.Command.UserCommand;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class StreakRoutesTest {

    private static final String FREEZES = "/admin/v1/streaks/freezes";
    private static final String PAUSES = "/admin/v1/streaks/pauses";
    private static final String RESET = "/admin/v1/streaks/reset";
    private static final String RESTORE = "/admin/v1/streaks/restore";

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofMillis(2000));

    @BeforeEach
    void publishRules() {
        gateway.rulesets.publish(FixedRulesets.WITH_GEMS);
    }

    @Test
    void shouldGrantFreezesAndWarnAboutUsersAtTheLimit() {
        gateway.answerBy(command -> ((UserCommand) command).user().id().value().equals("rich")
                ? reply(422, "{\"error\":\"Would exceed maximum freeze limit\"}")
                : reply(200, "{}"));

        gateway.client
                .post(FREEZES, "{\"freezes\":[{\"userId\":\"ida\"},{\"userId\":\"rich\"},{}]}")
                .expect(
                        201,
                        "{\"issues\":[{\"severity\":\"warning\",\"message\":\"Would exceed maximum freeze limit\","
                                + "\"index\":1,\"userId\":\"rich\",\"level\":\"warning\","
                                + "\"reason\":\"Would exceed maximum freeze limit\"},{\"severity\":\"error\","
                                + "\"message\":\"userId is required\",\"index\":2,\"level\":\"error\","
                                + "\"reason\":\"userId is required\"}]}");
        assertEquals(
                2,
                gateway.log.commands.stream()
                        .filter(GrantFreeze.class::isInstance)
                        .count());
    }

    @Test
    void shouldAnswer200IfNoFreezeWasGranted() {
        gateway.answerWith(404, "{\"error\":\"User does not exist\"}");

        var response = gateway.client
                .post(FREEZES, "{\"freezes\":[{\"userId\":\"ida\"}]}")
                .expect(200);
        assertTrue(response.body().contains("\"message\":\"User does not exist\",\"index\":0,\"userId\":\"ida\""));
    }

    @Test
    void shouldRefuseFreezesWhileTheyAreDisabled() {
        gateway.rulesets.publish(FixedRulesets.SWIMMING);

        gateway.client.post(FREEZES, "{\"freezes\":[{\"userId\":\"ida\"}]}").expect(422);
        assertTrue(gateway.log.commands.isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|400",
                "{}|400",
                "{\"freezes\":{}}|400",
                "`{`|400",
                "{\"freezes\":[]}|422",
                "{\"freezes\":null}|400"
            })
    void shouldRefuseBodiesWithoutAList(String body, int status) {
        for (String path : List.of(FREEZES, PAUSES, RESTORE)) {
            String name = path.equals(FREEZES) ? "freezes" : path.equals(PAUSES) ? "pauses" : "users";

            assertEquals(
                    status,
                    gateway.client.post(path, body.replace("freezes", name)).status(),
                    path);
        }
    }

    @Test
    void shouldRefuseMoreThanAHundredItems() {
        String items = IntStream.range(0, 101)
                .mapToObj(i -> "{\"id\":\"u" + i + "\"}")
                .collect(Collectors.joining(",", "{\"users\":[", "]}"));

        assertEquals(422, gateway.client.post(RESTORE, items).status());
        assertTrue(gateway.log.commands.isEmpty());
    }

    @Test
    void shouldSendTheItemsOfAUserInOrder() {
        gateway.answerWith(200, "{\"ok\":true}");
        String items = IntStream.range(0, 99)
                .mapToObj(i -> "{\"userId\":\"u" + i % 3 + "\",\"start\":\"2026-05-01\",\"end\":\""
                        + LocalDate.of(2026, 5, 1).plusDays(i) + "\"}")
                .collect(Collectors.joining(",", "{\"pauses\":[", "]}"));

        assertEquals(201, gateway.client.post(PAUSES, items).status());
        for (String user : List.of("u0", "u1", "u2")) {
            List<LocalDate> ends = gateway.log.commands.stream()
                    .map(PlanPause.class::cast)
                    .filter(plan -> plan.user().id().value().equals(user))
                    .map(PlanPause::end)
                    .toList();
            assertEquals(33, ends.size());
            assertEquals(ends.stream().sorted().toList(), ends);
        }
    }

    @Test
    void shouldListPausesAndIssuesInTheOrderOfTheItems() {
        gateway.answerBy(command -> reply(
                201, "{\"userId\":\"" + ((UserCommand) command).user().id().value() + "\"}"));

        gateway.client
                .post(PAUSES, """
                    {"pauses":[{"userId":"b","start":"2026-05-01","end":"2026-05-02"},
                     {"userId":"a","start":"2026-05-02","end":"2026-05-01"},
                     {"userId":"a","start":"2026-05-02"},
                     7,
                     {"userId":"a","start":"2026-05-01","end":"2026-05-02","pauseId":"x","type":"erase-user"}]}\
                    """)
                .expect(
                        201,
                        "{\"created\":[{\"userId\":\"b\"},{\"userId\":\"a\"}],\"issues\":[{\"severity\":\"error\",\"message\":\"end"
                                + " must not be before"
                                + " start.\",\"index\":1,\"userId\":\"a\"},{\"severity\":\"error\",\"message\":\"end is"
                                + " required and must be a date, such as"
                                + " 2026-03-04.\",\"index\":2,\"userId\":\"a\"},{\"severity\":\"error\",\"message\":\"The"
                                + " item must be a JSON"
                                + " object.\",\"index\":3},{\"severity\":\"warning\",\"message\":\"Unknown field pauseId"
                                + " is ignored.\",\"index\":4},{\"severity\":\"warning\",\"message\":\"Unknown field type"
                                + " is ignored.\",\"index\":4}]}");
    }

    @Test
    void shouldDeletePausesById() {
        UUID known = UUID.randomUUID();
        UUID unknown = UUID.randomUUID();
        gateway.answerBy(command -> ((DeleteOwnedPause) command).id().equals(known)
                ? reply(200, "{}")
                : reply(404, "{\"error\":\"Pause not found by ID\"}"));

        gateway.client
                .send("DELETE", PAUSES + "?ids=x," + unknown + "," + known, "")
                .expect(
                        200,
                        "{\"deleted\":[{\"id\":\"" + known + "\"}],\"issues\":[{\"severity\":\"error\","
                                + "\"message\":\"id must be a valid UUID\",\"id\":\"x\"},{\"severity\":\"error\","
                                + "\"message\":\"Pause not found by ID\",\"id\":\"" + unknown + "\"}]}");
    }

    @Test
    void shouldRefuseToDeletePausesWithoutATenant() {
        ApiKeys ofNone =
                (_, _) -> new Grant(Principal.Admin.UNLIMITED, "prefix", null, "The header Tenant-ID is missing");
        try (var ofSeveral = new GatewayHttp(Duration.ofMillis(2000), ofNone)) {
            ofSeveral
                    .client
                    .send("DELETE", PAUSES + "?ids=" + UUID.randomUUID() + "," + UUID.randomUUID(), "")
                    .expect(422, "{\"error\":\"The header Tenant-ID is missing\"}");
            assertEquals(List.of(), ofSeveral.log.commands);
        }
    }

    @Test
    void shouldRestoreStreaksAndWarnAboutUsersWithoutALostStreak() {
        gateway.answerBy(command -> ((UserCommand) command).user().id().value().equals("new")
                ? reply(422, "{\"error\":\"No streak to restore\"}")
                : reply(200, "{}"));

        var response = gateway.client
                .post(RESTORE, "{\"users\":[{\"id\":\"new\"},{\"id\":\"ida\"}]}")
                .expect(201);
        assertTrue(response.body().startsWith("{\"restoredUsers\":[\"ida\"],\"issues\":[{\"severity\":\"warning\""));
    }

    @Test
    void shouldAlwaysAnswer200ToResets() {
        gateway.answerBy(command -> switch (((ResetStreak) command).user().id().value()) {
            case "new" -> reply(404, "{\"error\":\"User does not exist\"}");
            case "lost" -> reply(422, "{\"error\":\"No streak to reset\"}");
            default -> reply(200, "{}");
        });

        gateway.client
                .post(RESET, "{\"users\":[{\"id\":\"new\"},{\"id\":\"ida\"},{\"id\":\"lost\"}]}")
                .expect(
                        200,
                        "{\"resetUsers\":[\"ida\"],\"issues\":[{\"severity\":\"error\",\"message\":\"User does not"
                                + " exist\",\"index\":0,\"userId\":\"new\"},{\"severity\":\"warning\",\"message\":\"No"
                                + " streak to reset\",\"index\":2,\"userId\":\"lost\"}]}");
        assertEquals(
                200,
                gateway.client.post(RESET, "{\"users\":[{\"id\":\"lost\"}]}").status());
        assertEquals(400, gateway.client.post(RESET, "[]").status());
        assertEquals(400, gateway.client.post(RESET, "{\"users\":5}").status());
        assertEquals(422, gateway.client.post(RESET, "{\"users\":[]}").status());
    }

    /** After a 5xx, clients repeat the whole request. */
    @Test
    void shouldAnswer503OnlyIfNothingWasStored() {
        gateway.log.isStalled = true;
        assertEquals(
                503,
                gateway.client
                        .post(RESTORE, "{\"users\":[{\"id\":\"ida\"},{\"id\":\"bo\"}]}")
                        .status());

        gateway.log.isStalled = false;
        gateway.answerBy(command -> {
            gateway.log.isStalled = true;
            return reply(200, "{}");
        });
        var response = gateway.client
                .post(RESTORE, "{\"users\":[{\"id\":\"ida\"},{\"id\":\"ida\"}]}")
                .expect(201);
        assertTrue(response.body().contains("Nothing was stored; try again."), response.body());
    }
}
