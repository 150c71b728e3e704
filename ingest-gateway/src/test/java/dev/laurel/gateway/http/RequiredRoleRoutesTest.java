package dev.laurel.gateway.http;

import static dev.laurel.gateway.http.GatewayHttp.reply;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.access.SignedKey;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.IssueKey;
import dev.laurel.schemas.command.Command.RevokeOwnedKey;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.UserResourceIds;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Signed application keys: issued, revoked, and revoked before their user is erased. */
@Timeout(60)
class RequiredRoleRoutesTest {

    private static final String PATH = "/admin/v1/application-api-keys";
    private static final UserKey IDA = UserKey.of("ida");
    private static final String NOT_FOUND = "{\"error\":\"Application key not found by ID\"}";

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofMillis(2000));

    private static JsonNode json(RawHttp.Response response) {
        return Json.read(response.body().getBytes(UTF_8), JsonNode.class);
    }

    private SignedKey key(UserKey owner) {
        return Objects.requireNonNull(SignedKey.of(
                owner,
                Role.SUPPORT,
                null,
                UserResourceIds.of(owner, UUID.randomUUID()),
                gateway.access.index().signers()));
    }

    private static String messages(JsonNode body) {
        return String.join(
                "|",
                body.get("issues")
                        .valueStream()
                        .map(issue -> issue.get("severity").stringValue() + " "
                                + issue.get("message").stringValue())
                        .toList());
    }

    @Test
    void shouldIssueKeysThatSayWhatTheyOpen() {
        gateway.answerWith(200, "{}");
        Instant expires = Instant.now().plus(Duration.ofDays(9)).truncatedTo(ChronoUnit.MILLIS);

        RawHttp.Response response = gateway.client
                .post(
                        PATH,
                        "[{\"userId\":\"ida\"},{\"userId\":\"\"},5,"
                                + "{\"userId\":\"bo\",\"role\":\"viewer\",\"expires\":\"" + expires
                                + "\"},{\"userId\":\"x\",\"role\":\"admin\"}]")
                .expect(201);
        JsonNode body = json(response);
        assertEquals(
                List.of("id", "userId", "prefix", "role", "key"),
                List.copyOf(body.at("/created/0").propertyNames()));
        assertEquals(2, body.get("created").size());
        assertEquals(
                "error userId must not be empty|error The item must be a JSON object."
                        + "|error role is 'admin', must be one of viewer, support",
                messages(body));
        assertEquals(
                "1 2 4",
                String.join(
                        " ",
                        body.get("issues")
                                .valueStream()
                                .map(issue -> issue.get("index").asString())
                                .toList()));
        for (JsonNode made : body.get("created")) {
            SignedKey key = gateway.access.index().signedKey(made.get("key").stringValue(), Instant.now());
            boolean isIda = made.get("userId").stringValue().equals("ida");
            assertEquals(UserKey.of(isIda ? "ida" : "bo"), key.owner());
            assertEquals(isIda ? Role.SUPPORT : Role.VIEWER, key.role());
            assertEquals(isIda ? null : expires, key.expires());
            assertEquals(made.get("id").stringValue(), key.id().toString());
            assertTrue(UserResourceIds.isOf(key.owner(), key.id()));
            String secret = made.get("key").stringValue().substring(13);
            gateway.log.commands.forEach(
                    command -> assertFalse(new String(CommandJson.write(command), UTF_8).contains(secret)));
        }
        assertEquals(
                2,
                gateway.log.commands.stream().filter(IssueKey.class::isInstance).count());
        assertEquals(List.of(), gateway.log.edits);
        assertEquals(
                List.of("bo", "ida"),
                gateway.audited.getFirst().objects().stream()
                        .map(object -> object.name())
                        .sorted()
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"2026-03-04\"", "\"2020-03-04T00:00:00Z\"", "\"2200-03-04T00:00:00Z\"", "7"})
    void shouldRefuseAnExpiryThatIsNoTimeAhead(String expires) {
        JsonNode body = json(gateway.client.post(PATH, "[{\"userId\":\"ida\",\"expires\":" + expires + "}]"));

        assertTrue(messages(body).startsWith("error expires must be "), body::toString);
        assertEquals(List.of(), gateway.log.commands);
    }

    @Test
    void shouldShowNoKeyThatTheLogRefused() {
        gateway.answerWith(422, "{\"error\":\"The user has 100 application keys already.\"}");

        RawHttp.Response response =
                gateway.client.post(PATH, "[{\"userId\":\"ida\"}]").expect(200);
        assertFalse(response.body().contains("app_"), response::body);
        assertEquals("error The user has 100 application keys already.", messages(json(response)));
        gateway.log.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);
        gateway.answerNothing();
        assertEquals(503, gateway.client.post(PATH, "[{\"userId\":\"ida\"}]").status());
    }

    @Test
    void shouldIssueNoKeysBeforeThereIsASigner() {
        gateway.access.index().put("secret/application-keys/1/", null);

        assertEquals(503, gateway.client.post(PATH, "[{\"userId\":\"ida\"}]").status());
        assertEquals(List.of(), gateway.log.commands);
    }

    private static RequestResult.Replied deleted(Edit edit, String... known) {
        List<String> ids = ((AccessEdit.DeleteApplicationKeys) edit).ids();
        return reply(
                200,
                new String(
                        Json.write(Map.of(
                                "deleted",
                                        ids.stream()
                                                .filter(List.of(known)::contains)
                                                .map(id -> Map.of("id", id))
                                                .toList(),
                                "issues",
                                        ids.stream()
                                                .filter(id -> !List.of(known).contains(id))
                                                .map(id -> Map.of(
                                                        "id",
                                                        id,
                                                        "severity",
                                                        "error",
                                                        "message",
                                                        "Application key not found by ID"))
                                                .toList())),
                        UTF_8));
    }

    @Test
    void shouldRevokeAKeyEverywhereBeforeItLeavesTheList() {
        SignedKey key = key(IDA);
        var stored = UUID.randomUUID().toString();
        var order = new ArrayList<String>();
        gateway.answerEditsAndCommands(
                edit -> {
                    order.add("edit");
                    return deleted(edit, key.id().toString(), stored);
                },
                command -> {
                    order.add(((RevokeOwnedKey) command).id().toString());
                    return reply(200, "{}");
                });

        JsonNode body = json(gateway.client.send("DELETE", PATH + "?ids=" + key.id() + ",x," + stored, ""));

        assertEquals(List.of("edit", key.id().toString()), order);
        assertEquals(
                List.of(key.id().toString(), stored),
                body.get("deleted")
                        .valueStream()
                        .map(one -> one.get("id").stringValue())
                        .toList());
        assertEquals("error Application key not found by ID", messages(body));
        assertEquals(2, gateway.audited.getFirst().objects().size());
    }

    @Test
    void shouldSayThatARevokedKeyMayStillBeListed() {
        SignedKey key = key(IDA);
        gateway.answerEditsAndCommands(edit -> deleted(edit, key.id().toString()), _ -> reply(404, NOT_FOUND));
        JsonNode gone = json(gateway.client.send("DELETE", PATH + "?ids=" + key.id(), ""));
        assertEquals("error Application key not found by ID", messages(gone), "it was deleted before");

        gateway.answerEditsAndCommands(
                edit -> {
                    gateway.log.isStalled = true;
                    return deleted(edit, key.id().toString());
                },
                _ -> reply(503, NOT_FOUND));
        RawHttp.Response response = gateway.client.send("DELETE", PATH + "?ids=" + key.id(), "");
        assertEquals(200, response.status(), response::body);
        assertTrue(messages(json(response)).startsWith("warning The key is revoked"), response::body);
    }

    @Test
    void shouldRevokeTheKeysOfAUserBeforeTheErasure() {
        SignedKey first = key(IDA);
        SignedKey second = key(IDA);
        var left = new ArrayList<>(List.of(first.id(), second.id()));
        gateway.answerEditsAndCommands(
                edit -> {
                    ((AccessEdit.DeleteApplicationKeys) edit).ids().forEach(id -> left.remove(UUID.fromString(id)));
                    return deleted(edit, first.id().toString(), second.id().toString());
                },
                command -> left.isEmpty() && ((EraseUser) command).revokedKeys().size() == 2
                        ? reply(200, "{}")
                        : reply(422, "{\"error\":\"keys\",\"keys\":[\"" + first.id() + "\",\"" + second.id() + "\"]}"));

        RawHttp.Response response = gateway.client.send("DELETE", "/admin/v1/users?ids=ida", "");

        assertEquals("{\"deleted\":[{\"id\":\"ida\"}],\"issues\":[]}", response.body());
        assertEquals(
                List.of(0, 2),
                gateway.log.commands.stream()
                        .map(command -> ((EraseUser) command).revokedKeys().size())
                        .toList());
        assertEquals(1, gateway.log.edits.size());
    }

    @Test
    void shouldNotEraseAUserWhoseKeysCannotBeRevoked() {
        SignedKey key = key(IDA);
        gateway.answerEditsAndCommands(
                _ -> reply(503, "{\"error\":\"no\"}"),
                _ -> reply(422, "{\"error\":\"keys\",\"keys\":[\"" + key.id() + "\"]}"));

        JsonNode body = json(gateway.client.send("DELETE", "/admin/v1/users?ids=ida", ""));

        assertEquals("error no", messages(body));
        assertEquals(1, gateway.log.commands.size());
        assertNotNull(gateway.access
                .index()
                .signedKey(key.text(gateway.access.index().signers()).text(), Instant.now()));
        Command sent = gateway.log.commands.getFirst();
        assertNull(((EraseUser) sent).revokedKeys().stream().findFirst().orElse(null));
    }
}
