package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.schemas.command.Command.ChangeOwnedBoost;
import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.RevokeOwnedBoost;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BoostRoutesTest {

    private static final UUID GEMS = new UUID(7, 5);
    private static final UUID SHARED = new UUID(7, 6);
    private static final String PATH = "/admin/v1/points/" + GEMS + "/boosts";
    private static final String OF_IDA =
            "{\"userId\":\"ida\",\"name\":\"n\",\"start\":\"2026-03-04\",\"multiplier\":2}";

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofMillis(2000));

    @BeforeEach
    void publishRules() {
        gateway.rulesets.publish(FixedRulesets.WITH_GEMS);
    }

    /** Replies to edits with this body, and to commands with the user of the boost. */
    private void answerMixed(String edited) {
        gateway.answerEditsAndCommands(
                edit -> GatewayHttp.reply(200, edited), command -> GatewayHttp.reply(201, "{\"of\":\"ida\"}"));
    }

    @Test
    void shouldListSharedAndUsersBoostsInTheOrderOfTheItems() {
        answerMixed("{\"created\":[{\"id\":\"a\"},{\"id\":\"c\"}],\"issues\":[{\"index\":1,\"severity\":\"error\","
                + "\"message\":\"bad\"}]}");

        gateway.client
                .post(
                        PATH,
                        "[{\"name\":\"a\"}," + OF_IDA + ",{\"name\":\"b\"},{\"name\":\"c\"}," + "{\"userId\":\"ida\"}]")
                .expect(
                        201,
                        "{\"created\":[{\"id\":\"a\"},{\"of\":\"ida\"},{\"id\":\"c\"}],\"issues\":["
                                + "{\"severity\":\"error\",\"message\":\"bad\",\"index\":2},{\"severity\":\"error\",\"message\":\"start"
                                + " is required and must be a date, such as 2026-03-04.\",\"index\":4,"
                                + "\"userId\":\"ida\"}]}");
        var grant = (GrantBoost) gateway.log.commands.getFirst();
        assertEquals("gems", grant.system());
        assertEquals(Rounding.DOWN, grant.rounding());
        assertEquals(3, ((Edit.Create) gateway.log.edits.getFirst()).items().size());
    }

    @Test
    void shouldAnswerWithTheReplyToTheEditIfAllBoostsAreShared() {
        gateway.answerWith(201, "{\"created\":[],\"issues\":[]}");

        assertEquals(
                "{\"created\":[],\"issues\":[]}",
                gateway.client.post(PATH, "[{\"name\":\"a\"}]").body());
        assertTrue(gateway.log.commands.isEmpty());
    }

    @Test
    void shouldRefuseUnknownPointsSystems() {
        String other = PATH.replace(GEMS.toString(), new UUID(1, 1).toString());

        assertEquals(404, gateway.client.post(other, "[" + OF_IDA + "]").status());
        assertEquals(
                404,
                gateway.client
                        .send("PATCH", other, "[{\"id\":\"" + SHARED + "\"}]")
                        .status());
        assertEquals(
                404, gateway.client.send("DELETE", other + "?ids=" + SHARED, "").status());
        assertEquals(
                422,
                gateway.client
                        .post(PATH.replace(GEMS.toString(), "gems"), "[" + OF_IDA + "]")
                        .status());
    }

    @Test
    void shouldRefuseFiltersForTheBoostOfAUser() {
        var response = gateway.client
                .post(PATH, "[" + OF_IDA.replace("}", ",\"userAttributes\":[{}]}") + "]")
                .expect(200);
        assertTrue(response.body().contains("userAttributes cannot be given for a boost of a single user"));
    }

    @Test
    void shouldChangeSharedAndUsersBoosts() {
        UUID own = UUID.randomUUID();
        answerMixed("{\"updated\":[{\"id\":\"" + SHARED + "\"}],\"issues\":[]}");

        gateway.client
                .send(
                        "PATCH",
                        PATH,
                        "[{\"id\":\"" + own + "\",\"end\":null,\"name\":\"New\"}," + "{\"id\":7},{\"id\":\""
                                + SHARED.toString().toUpperCase(Locale.ROOT) + "\",\"name\":\"s\"}]")
                .expect(
                        200,
                        "{\"updated\":[{\"of\":\"ida\"},{\"id\":\"" + SHARED
                                + "\"}],\"issues\":[{\"severity\":\"error\","
                                + "\"message\":\"id must be a valid UUID\",\"index\":1}]}");
        var change = (ChangeOwnedBoost) gateway.log.commands.getFirst();
        assertEquals(own, change.id());
        assertEquals("New", change.change().name().appliedTo("old"));
        assertEquals(null, change.change().end().appliedTo(LocalDate.EPOCH));
        assertEquals(Rounding.UP, change.change().rounding().appliedTo(Rounding.UP));
    }

    @Test
    void shouldDeleteSharedAndUsersBoosts() {
        UUID own = UUID.randomUUID();
        answerMixed("{\"deleted\":[{\"id\":\"" + SHARED + "\"}],\"issues\":[]}");

        var response = gateway.client.send("DELETE", PATH + "?ids=" + own + "&ids=" + SHARED, "");

        assertEquals(
                "{\"deleted\":[{\"id\":\"" + own + "\"},{\"id\":\"" + SHARED + "\"}],\"issues\":[]}", response.body());
        assertEquals(List.of(new RevokeOwnedBoost(TenantId.NONE, own, "gems")), gateway.log.commands);
        assertEquals(List.of(new Edit.Delete(ObjectKind.BOOST, GEMS, List.of(SHARED.toString()))), gateway.log.edits);
    }

    @Test
    void shouldServeTheOldRoutes() {
        UUID own = UUID.randomUUID();
        answerMixed("{\"deleted\":[{\"id\":\"" + SHARED + "\"}],\"issues\":[]}");

        var created = gateway.client
                .post(
                        "/admin/v1/points/boosts",
                        "{\"systemKey\":\"gems\",\"boosts\":[" + OF_IDA
                                + ",{\"userId\":\"\"},{\"name\":\"n\",\"start\":\"2026-03-04\",\"multiplier\":2}]}")
                .expect(201);
        assertTrue(
                created.body().contains("\"index\":2,\"level\":\"error\",\"reason\":\"userId is required\""),
                created.body());
        assertTrue(gateway.log.edits.isEmpty(), "a shared boost was created");
        assertTrue(
                created.body().contains("\"level\":\"error\",\"reason\":\"userId must not be empty\""), created.body());
        assertEquals(
                404,
                gateway.client
                        .post("/admin/v1/points/boosts", "{\"systemKey\":\"coins\",\"boosts\":[" + OF_IDA + "]}")
                        .status());
        assertEquals(
                "{\"deleted\":[{\"id\":\"" + own + "\"}],\"issues\":[],\"archivedCount\":1}",
                gateway.client
                        .send("DELETE", "/admin/v1/points/boosts/" + own, "")
                        .body());
        assertEquals(
                "{\"deleted\":[{\"id\":\"" + SHARED + "\"},{\"id\":\"" + own + "\"}],\"issues\":[]}",
                gateway.client
                        .send("DELETE", "/admin/v1/points/boosts?ids=" + SHARED + "," + own, "")
                        .body());
        assertEquals(new RevokeOwnedBoost(TenantId.NONE, own, null), gateway.log.commands.getLast());
        gateway.answerWith(404, "{\"error\":\"Boost not found by ID\"}");
        assertEquals(
                404,
                gateway.client
                        .send("DELETE", "/admin/v1/points/boosts/" + own, "")
                        .status());
    }
}
