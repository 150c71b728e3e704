package dev.laurel.gateway.http;

import static dev.laurel.gateway.http.GatewayHttp.reply;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AdminUserRoutesTest {

    private static final String PATH = "/admin/v1/users";

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofMillis(2000));

    @Test
    void shouldEraseUsersAndReportUnknownOnes() {
        gateway.answerBy(command -> ((UserCommand) command).user().id().value().equals("bo")
                ? reply(404, "{\"error\":\"User does not exist\"}")
                : reply(200, "{}"));

        gateway.client
                .send("DELETE", PATH + "?ids=ida&ids=bo&ids=" + "x".repeat(256), "")
                .expect(
                        200,
                        "{\"deleted\":[{\"id\":\"ida\"}],\"issues\":[{\"severity\":\"error\",\"message\":\"User does"
                                + " not exist\",\"id\":\"bo\",\"userId\":\"bo\"},{\"severity\":\"error\",\"message\":\"User"
                                + " does not exist\",\"id\":\"" + "x".repeat(256) + "\",\"userId\":\""
                                + "x".repeat(256) + "\"}]}");
    }

    private UUID key(String tenant, String user) {
        var id = UUID.randomUUID();
        var key = new ApplicationKey(
                id, new TenantId(tenant), new UserId(user), "app_" + id, "hash", Instant.EPOCH, Role.SUPPORT);
        gateway.access.index().put(key.recordKey(), key);
        return id;
    }

    @Test
    void shouldDeleteKeysBeforeErasingTheirUsers() {
        UUID first = key(TenantId.NONE.value(), "ida");
        UUID second = key(TenantId.NONE.value(), "ida");
        key(TenantId.NONE.value(), "bo");
        key("other", "ida");
        gateway.answerEditsAndCommands(
                edit -> {
                    assertTrue(gateway.log.commands.isEmpty());
                    return reply(200, "{\"deleted\":[],\"issues\":[]}");
                },
                _ -> reply(200, "{}"));

        assertEquals(
                200, gateway.client.send("DELETE", PATH + "?ids=ida&ids=cy", "").status());

        assertEquals(1, gateway.log.edits.size());
        var edit = (AccessEdit.DeleteApplicationKeys) gateway.log.edits.getFirst();
        assertEquals(Set.of(first.toString(), second.toString()), Set.copyOf(edit.ids()));
        assertEquals(2, gateway.log.commands.size());
    }

    @Test
    void shouldNotEraseUsersWhoseKeysCannotBeDeleted() {
        key(TenantId.NONE.value(), "ida");
        gateway.log.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);
        gateway.answerNothing();

        assertEquals(503, gateway.client.send("DELETE", PATH + "?ids=ida", "").status());
        assertEquals(List.of(), gateway.log.commands);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?ids=a%2Cb,c%2Fd", "?ids=a%2Cb&ids=c%2Fd", "?ids[]=a%2Cb&ids[]=c%2Fd"})
    void shouldTreatAnEncodedCommaAsPartOfTheId(String query) {
        gateway.client.send("DELETE", PATH + query, "");

        assertEquals(
                List.of("a,b", "c/d"),
                gateway.log.users.stream()
                        .map(UserKey::user)
                        .map(Object::toString)
                        .sorted()
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?ids=", "?other=1"})
    void shouldRequireIds(String query) {
        assertEquals(422, gateway.client.send("DELETE", PATH + query, "").status());
    }

    @Test
    void shouldRefuseIdsThatAreNotUtf8() {
        assertEquals(422, gateway.client.send("DELETE", PATH + "?ids=a%FFb", "").status());
        assertTrue(gateway.log.commands.isEmpty());
    }
}
