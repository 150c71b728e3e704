package dev.laurel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Rejection;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the routes of a gateway leave in the audit log. */
@Timeout(60)
class AuditTest {

    private static final Author IDA = new Author(Author.Type.KEY, new UUID(1, 7).toString(), "Ida's key");
    private static final String SECRET = "s3cret-of-nobody";
    private static final UUID GEMS = new UUID(7, 5);
    private static final UUID HOOK = new UUID(8, 1);
    private static final UUID TEMPLATE = new UUID(9, 1);
    private static final UUID THING = new UUID(1, 1);
    private static final long REJECTION = 7;

    /**
     * Each route that changes something: a request, the operation, and the changed objects. In paths, {@code ~} is the id of the only
     * object that there is. A route that is missing here fails {@link #shouldKnowEachRouteThatChangesSomething}.
     * Events are last, since nothing replies to them.
     */
    private static final String ROUTES = """
        POST   /attributes                   | [{"name":"x"}]           | createAttributes      | attribute 1 laps
        PATCH  /attributes                   | [{"id":"x"}]             | updateAttributes      | attribute 1 laps
        DELETE /attributes?ids=1             |                          | deleteAttributes      | attribute 1 laps
        POST   /metrics                      | [{"name":"x"}]           | createMetrics         | metric 1 laps
        PATCH  /metrics                      | [{"id":"x"}]             | updateMetrics         | metric 1 laps
        DELETE /metrics?ids=1                |                          | deleteMetrics         | metric 1 laps
        POST   /achievements                 | [{"name":"x"}]           | createAchievements    | achievement 1 laps
        PATCH  /achievements                 | [{"id":"x"}]             | updateAchievements    | achievement 1 laps
        DELETE /achievements?ids=1           |                          | deleteAchievements    | achievement 1 laps
        POST   /points                       | [{"name":"x"}]           | createPointsSystems   | points system 1 laps
        PATCH  /points                       | [{"id":"x"}]             | updatePointsSystems   | points system 1 laps
        DELETE /points?ids=1                 |                          | deletePointsSystems   | points system 1 laps
        POST   /points/{systemId}/levels     | [{"name":"x"}]           | createLevels          | level 1 laps
        PATCH  /points/{systemId}/levels     | [{"id":"x"}]             | updateLevels          | level 1 laps
        DELETE /points/{systemId}/levels?ids=1 |                        | deleteLevels          | level 1 laps
        POST   /points/{systemId}/triggers   | [{"name":"x"}]           | createTriggers        | trigger 1 laps
        PATCH  /points/{systemId}/triggers   | [{"id":"x"}]             | updateTriggers        | trigger 1 laps
        DELETE /points/{systemId}/triggers?ids=1 |                      | deleteTriggers        | trigger 1 laps
        POST   /points/{systemId}/boosts     | [BOOST]                  | createBoosts          | user ida
        PATCH  /points/{systemId}/boosts     | [{"id":"THING"}]         | updateBoosts          | boost THING
        DELETE /points/{systemId}/boosts?ids=THING |                    | deleteBoosts          | boost THING
        POST   /points/boosts                | {"systemKey":"gems","boosts":[BOOST]} | createUserBoosts | user ida
        DELETE /points/boosts?ids=THING      |                          | deleteUserBoosts      | boost THING
        DELETE /points/boosts/{id}           |                          | deleteUserBoost       | boost THING
        POST   /leaderboards                 | [{"name":"x"}]           | createLeaderboards    | leaderboard 1 laps
        PATCH  /leaderboards                 | [{"id":"x"}]             | updateLeaderboards    | leaderboard 1 laps
        DELETE /leaderboards?ids=1           |                          | deleteLeaderboards    | leaderboard 1 laps
        POST   /streaks/freezes              | {"freezes":[USER]}       | grantFreezes          | user ida
        POST   /streaks/pauses               | {"pauses":[PAUSE]}       | createPauses          | user ida
        DELETE /streaks/pauses?ids=THING     |                          | deletePauses          | pause THING
        POST   /streaks/restore              | {"users":[{"id":"ida"}]} | restoreStreaks        | user ida
        POST   /streaks/reset                | {"users":[{"id":"ida"}]} | resetStreaks          | user ida
        PATCH  /streaks/settings             | {"enabled":true}         | updateStreakSettings  | streak settings
        PATCH  /settings                     | {"controlRatio":5}       | updateSettings        | settings
        POST   /notifications/templates      | [{"name":"x"}]           | createTemplates       | template 1 laps
        PATCH  /notifications/templates      | [{"id":"x"}]             | updateTemplates       | template 1 laps
        DELETE /notifications/templates?ids=1 |                         | deleteTemplates       | template 1 laps
        POST   /notifications/templates/{id}/test | USER                | testTemplate          | template TEMPLATE; user ida
        PATCH  /notifications/settings       | {"x":1}                  | updateNotificationSettings | notification settings
        PATCH  /notifications/channels       | {"email":{"smtpUrl":"SECRET"}} | updateChannels  | channels
        POST   /webhooks                     | [{"secret":"SECRET"}]    | createWebhooks        | webhook 1 laps
        PATCH  /webhooks                     | [{"id":"x"}]             | updateWebhooks        | webhook 1 laps
        DELETE /webhooks?ids=1               |                          | deleteWebhooks        | webhook 1 laps
        POST   /webhooks/{id}/rotate-secret  |                          | rotateWebhookSecret   | webhook HOOK
        POST   /webhooks/{id}/test           | {"event":"streak.lost"}  | testWebhook           | webhook HOOK hook-1; delivery *
        POST   /webhooks/{id}/deliveries/{deliveryId}/retry |           | retryWebhookDelivery  | webhook HOOK hook-1; delivery THING
        POST   /application-api-keys         | [USER]                   | createApplicationKeys | application key * ida
        DELETE /application-api-keys?ids=1   |                          | deleteApplicationKeys | application key 1 ida
        POST   /admin-api-keys               | [{"name":"CI"}]          | createAdminKeys       | admin key * CI
        PATCH  /admin-api-keys               | [{"id":"x"}]             | updateAdminKeys       | admin key 1 CI
        DELETE /admin-api-keys?ids=1         |                          | deleteAdminKeys       | admin key 1 CI
        POST   /admin-api-keys/{id}/rotate   |                          | rotateAdminKey        | admin key THING
        POST   /tenants                      | [{"customerId":"acme"}]  | createTenants         | tenant 1 acme
        PATCH  /tenants                      | [{"id":"x"}]             | updateTenants         | tenant 1 acme
        DELETE /tenants?ids=1                |                          | deleteTenants         | tenant 1 acme
        DELETE /users?ids=ida                |                          | eraseUsers            | user ida
        PUT    /ruleset                      | {}                       | replaceRuleset        | ruleset
        POST   /ruleset/rollback             | {"version":3}            | rollbackRuleset       | ruleset
        POST   /rejections/{id}/resend       | {"type":"event","metric":"laps-swum","value":1,"user":{"id":"ida"}} | resendRejection | rejection 7; user ida
        POST   /metrics/events               | EVENTS                   | recordEvents          |
        """;

    private record Route(String method, String path, String body, String operation, String objects) {

        static Route of(String line) {
            String[] cells = Arrays.stream(line.split("\\|", -1))
                    .map(String::strip)
                    .map(Route::filled)
                    .toArray(String[]::new);
            String[] request = cells[0].split(" +");
            return new Route(request[0], request[1], cells[1], cells[2], cells[3]);
        }

        private static String filled(String text) {
            return text.replace("EVENTS", "[{\"key\":\"laps-swum\",\"user\":{\"id\":\"ida\"},\"value\":1}]")
                    .replace("BOOST", "{\"userId\":\"ida\",\"name\":\"n\",\"start\":\"2026-03-04\",\"multiplier\":2}")
                    .replace("PAUSE", "{\"userId\":\"ida\",\"start\":\"2026-03-04\",\"end\":\"2026-03-05\"}")
                    .replace("USER", "{\"userId\":\"ida\"}")
                    .replace("THING", THING.toString())
                    .replace("TEMPLATE", TEMPLATE.toString())
                    .replace("HOOK", HOOK.toString())
                    .replace("SECRET", SECRET);
        }

        String template() {
            return method + " /admin/v1" + path.replaceAll("\\?.*", "");
        }

        String url() {
            String object = path.startsWith("/webhooks")
                    ? HOOK.toString()
                    : path.startsWith("/notifications")
                            ? TEMPLATE.toString()
                            : path.startsWith("/rejections") ? Long.toString(REJECTION) : THING.toString();
            return "/admin/v1"
                    + path.replace("{systemId}", GEMS.toString())
                            .replace("{deliveryId}", THING.toString())
                            .replace("{id}", object);
        }
    }

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(
            Duration.ofSeconds(2),
            (key, _) -> Grant.of(
                    new Principal.Admin(Actor.ofKey(new UUID(1, 7), "Ida's key", Role.of(key), null)),
                    "prefix",
                    TenantId.NONE));

    @BeforeEach
    void publishRules() {
        Ruleset gems = FixedRulesets.WITH_GEMS;
        Ruleset hooks = FixedRulesets.WITH_WEBHOOKS;
        gateway.rulesets.publish(new Ruleset(
                TenantId.NONE,
                3,
                gems.published(),
                10,
                gems.metrics(),
                gems.attributes(),
                List.of(),
                gems.streak(),
                gems.pointsSystems(),
                List.of(),
                gems.settings(),
                hooks.webhooks(),
                hooks.notifications(),
                List.of(),
                null,
                null));
        gateway.rejections.put(
                REJECTION,
                new Rejection("laurel.commands", 3, 8841, GatewayHttp.NOW, "ida", "{}", "type is required."));
        gateway.answerEditsAndCommands(AuditTest::replyTo, _ -> GatewayHttp.reply(201, "{\"ok\":true}"));
    }

    /** What the writer replies; its replies have no keys and secrets, which are here to be left out. */
    private static RequestResult.Replied replyTo(Edit edit) {
        List<Map<String, Object>> things = switch (edit) {
            case AccessEdit.CreateAdminKeys create ->
                create.items().stream()
                        .<Map<String, Object>>map(item -> Map.of("id", item.id().toString(), "name", "CI"))
                        .toList();
            default ->
                List.of(Map.of(
                        "id",
                        "1",
                        "key",
                        "laps",
                        "name",
                        "CI",
                        "userId",
                        "ida",
                        "customerId",
                        "acme",
                        "secret",
                        SECRET));
        };
        var body = Map.of(
                "id",
                edit instanceof AccessEdit.RotateAdminKey rotate ? rotate.id().toString() : "1",
                edit.getClass().getSimpleName().startsWith("Create")
                        ? "created"
                        : edit.getClass().getSimpleName().startsWith("Delete") ? "deleted" : "updated",
                things,
                "issues",
                List.of(),
                "secret",
                SECRET);
        return new RequestResult.Replied(
                200,
                Json.write(body),
                RequestResult.Parts.NONE,
                edit instanceof Edit.OfRuleset ? new AuditRecord.Versions(3, 4) : null);
    }

    private RawHttp.Response send(String key, Route route) {
        return gateway.client.send(route.method(), route.url(), route.body(), "X-API-KEY: " + key);
    }

    private static Stream<Route> routes() {
        return ROUTES.lines().map(Route::of);
    }

    private static String shown(AuditRecord.ChangedObject object, String wanted) {
        String id = wanted.contains(object.kind() + " *") ? "*" : object.id();
        return Stream.of(object.kind(), id, object.name())
                .flatMap(text -> Optional.ofNullable(text).stream())
                .collect(Collectors.joining(" "));
    }

    /** What is no GET and needs more than the role viewer changes something. */
    @Test
    void shouldKnowEachRouteThatChangesSomething() {
        Set<String> known = routes().map(Route::template).collect(Collectors.toCollection(TreeSet::new));

        assertEquals(
                gateway.routes().entrySet().stream()
                        .filter(route -> route.getKey().contains(" /admin/")
                                && !route.getKey().startsWith("GET ")
                                && route.getValue() != RequiredRole.VIEWER)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toCollection(TreeSet::new)),
                known);
    }

    @Test
    void shouldLeaveOneRecordOfEachChange() {
        routes().forEach(route -> {
            gateway.audited.clear();

            RawHttp.Response response = send("admin", route);

            assertTrue(response.status() < 300, route + ": " + response);
            assertEquals(1, gateway.audited.size(), route.toString());
            AuditRecord record = gateway.audited.getFirst();
            assertEquals(route.operation(), record.operation());
            assertEquals(AuditRecord.Outcome.ACCEPTED, record.outcome(), route.toString());
            assertEquals(
                    route.objects(),
                    record.objects().stream()
                            .map(object -> shown(object, route.objects()))
                            .collect(Collectors.joining("; ")),
                    route.toString());
            assertEquals(Math.max(1, record.objects().size()), record.count(), route.toString());
            assertEquals(IDA, record.author());
            assertEquals(response.headers().get("x-request-id"), record.requestId());
            boolean isOfInstance = gateway.routes().get(route.template()) == RequiredRole.ADMIN_OF_INSTANCE;
            assertEquals(isOfInstance ? null : TenantId.NONE, record.tenant(), route.toString());
        });
    }

    @Test
    void shouldNeverRecordKeysAndSecrets() {
        RawHttp.Response created =
                gateway.client.send("POST", "/admin/v1/admin-api-keys", "[{\"name\":\"CI\"}]", "X-API-KEY: admin");
        Object key = ((Map<?, ?>)
                        ((List<?>) ((Map<?, ?>) Json.readTree(created.body().getBytes(UTF_8))).get("created"))
                                .getFirst())
                .get("key");
        routes().forEach(route -> send("admin", route));

        String records = new String(Json.write(gateway.audited), UTF_8);
        assertTrue(gateway.audited.size() > 50, records);
        assertFalse(records.contains(SECRET), records);
        assertFalse(records.contains(key.toString()), records);
    }

    @Test
    void shouldRecordWhatTheRoleForbids() {
        routes().forEach(route -> {
            gateway.audited.clear();

            assertEquals(403, send("viewer", route).status());

            AuditRecord record = gateway.audited.getFirst();
            assertEquals(route.operation(), record.operation());
            assertEquals(AuditRecord.Outcome.REFUSED, record.outcome());
            assertTrue(String.valueOf(record.reason()).startsWith("This needs the role "), record.reason());
            assertEquals(List.of(), record.objects());
        });
    }

    /** The edit carries its author to the writer, and its reply the versions back. */
    @Test
    void shouldNameTheAuthorOfAVersion() {
        gateway.client.send("PUT", "/admin/v1/ruleset", "{}", "X-API-KEY: admin");

        assertEquals(List.of(Optional.of(IDA)), gateway.log.authors);
        assertEquals(new AuditRecord.Versions(3, 4), gateway.audited.getFirst().ruleset());
    }

    @Test
    void shouldSayWhatIsNotKnown() {
        gateway.log.outcome = CompletableFuture.completedFuture(Outcome.UNKNOWN);
        gateway.answerNothing();
        for (String request : List.of(
                "PUT /admin/v1/ruleset {}",
                "POST /admin/v1/streaks/reset {\"users\":[{\"id\":\"ida\"}]}",
                "POST /admin/v1/metrics/events [{\"key\":\"laps-swum\",\"user\":{\"id\":\"ida\"},\"value\":1}]",
                "POST /admin/v1/webhooks/" + HOOK + "/test {\"event\":\"streak.lost\"}",
                "POST /admin/v1/webhooks/" + HOOK + "/deliveries/" + THING + "/retry {}")) {
            gateway.audited.clear();
            String[] parts = request.split(" ", 3);

            assertTrue(
                    gateway.client
                                    .send(parts[0], parts[1], parts[2], "X-API-KEY: admin")
                                    .status()
                            < 300,
                    request);

            assertEquals(AuditRecord.Outcome.UNKNOWN, gateway.audited.getFirst().outcome(), request);
        }
    }

    @Test
    void shouldLeaveNoRecordOfRefusedRequests() {
        gateway.log.outcome = CompletableFuture.completedFuture(Outcome.NOT_STORED);
        gateway.answerNothing();

        assertEquals(
                503,
                gateway.client
                        .send("PUT", "/admin/v1/ruleset", "{}", "X-API-KEY: admin")
                        .status());
        assertEquals(
                400,
                gateway.client
                        .send("POST", "/admin/v1/metrics", "no", "X-API-KEY: admin")
                        .status());
        assertEquals(
                422,
                gateway.client
                        .send("PATCH", "/admin/v1/metrics", "[]", "X-API-KEY: admin")
                        .status());
        assertEquals(List.of(), gateway.audited);
    }
}
