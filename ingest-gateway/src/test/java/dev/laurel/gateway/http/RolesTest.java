package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What admin keys with limits may write. Keys are the words of roles; with {@code +} they are bound to a tenant. */
@Timeout(120)
class RolesTest {

    private static final long SEED = Long.getLong("laurel.fuzz.seed", System.nanoTime() & 0xFFFF_FFFFL);
    private static final int REQUESTS = 1_500;
    private static final UUID GEMS = new UUID(7, 5);
    private static final UUID SHARED = new UUID(7, 6);
    private static final String BOOSTS = "/admin/v1/points/" + GEMS + "/boosts";
    private static final String OF_IDA =
            "{\"userId\":\"ida\",\"name\":\"n\",\"start\":\"2026-03-04\",\"multiplier\":2}";
    private static final String FOR_ALL = "{\"name\":\"n\",\"start\":\"2026-03-04\",\"multiplier\":2}";
    private static final String NO_BOOST =
            "{\"error\":\"A boost for all users needs the role editor: the key has the role" + " support.\"}";

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(
            Duration.ofSeconds(2),
            (key, _) -> Grant.of(
                    new Principal.Admin(Actor.ofKey(
                            new UUID(0, 1), "key", Role.of(key.replace("+", "")), key.endsWith("+") ? "acme" : null)),
                    "prefix",
                    TenantId.NONE));

    @BeforeEach
    void publishRules() {
        gateway.rulesets.publish(FixedRulesets.WITH_WEBHOOKS);
    }

    private RawHttp.Response send(String key, String method, String path, String body, String... headers) {
        var all = new ArrayList<>(List.of(headers));
        all.add("X-API-KEY: " + key);
        return gateway.client.send(method, path, body, all.toArray(String[]::new));
    }

    private int written() {
        return gateway.log.commands.size()
                + gateway.log.edits.size()
                + gateway.log.outbox.size()
                + gateway.log.ticks.size();
    }

    private static String pathOf(String template) {
        return template.replace("{systemId}", GEMS.toString())
                .replace("{key}", "laps-swum")
                .replaceAll("\\{\\w+}", SHARED.toString());
    }

    private static boolean isAllowed(RequiredRole access, Role role, boolean isBound) {
        return switch (access) {
            case VIEWER -> true;
            case SUPPORT -> role != Role.VIEWER;
            case EDITOR -> role == Role.EDITOR || role == Role.ADMIN;
            case ADMIN -> role == Role.ADMIN;
            case VIEWER_OF_INSTANCE -> !isBound;
            case EDITOR_OF_INSTANCE -> role.permits(Role.EDITOR) && !isBound;
            case ADMIN_OF_INSTANCE -> role == Role.ADMIN && !isBound;
            case PUBLIC, PEER -> throw new IllegalArgumentException(access.name());
        };
    }

    @ParameterizedTest
    @EnumSource
    void shouldPermitEachRoleWhatItsRoutesNeed(Role role) {
        int[] seen = {0};
        gateway.routes().forEach((route, access) -> {
            if (access == RequiredRole.PUBLIC) {
                return;
            }
            for (boolean isBound : new boolean[] {false, true}) {
                int before = written();
                String[] parts = route.split(" ");
                String body = "[{\"id\":\"" + SHARED + "\",\"userId\":\"ida\"}]";
                RawHttp.Response response = send(
                        role.word() + (isBound ? "+" : ""),
                        parts[0],
                        pathOf(parts[1]) + (parts[0].equals("DELETE") ? "?ids=" + new UUID(1, 1) : ""),
                        body);

                seen[0]++;
                boolean isAllowed = isAllowed(access, role, isBound);
                assertEquals(!isAllowed, response.status() == 403, role + " " + route + ": " + response);
                assertTrue(response.status() != 401 && response.status() != 405, route + ": " + response);
                assertTrue(isAllowed || written() == before, role + " wrote by " + route);
            }
        });
        assertTrue(seen[0] > 100, "only " + seen[0]);
    }

    /** Shows that the same requests write with another key. */
    @Test
    void shouldLetAViewerWriteNothing() {
        sendAll("viewer");
        assertEquals(0, written(), this::shown);
        sendAll("viewer+");
        assertEquals(0, written(), this::shown);

        sendAll("admin");
        assertTrue(written() > REQUESTS / 20, "only " + written() + " of an admin");
    }

    private String shown() {
        return gateway.log.commands + " " + gateway.log.edits + " " + gateway.log.outbox
                + "; repeat with -Dlaurel.fuzz.seed="
                + SEED;
    }

    private void sendAll(String key) {
        var random = new SplittableRandom(SEED);
        List<String> routes = gateway.routes().keySet().stream().toList();
        for (int i = 0; i < REQUESTS; i++) {
            String[] route = pick(routes, random).split(" ");
            String method = random.nextInt(10) == 0
                    ? pick(List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"), random)
                    : route[0];
            String path = random.nextInt(3) == 0
                    ? pathOf(route[1])
                    : route[1].replaceAll("\\{systemId}", GEMS.toString())
                            .replaceAll(
                                    "\\{\\w+}",
                                    pick(
                                            List.of(
                                                    "ida",
                                                    "laps-swum",
                                                    new UUID(8, 1).toString(),
                                                    new UUID(9, 1).toString()),
                                            random));
            send(
                    key,
                    method,
                    path + pick(List.of("", "", "/", "?ids=" + SHARED, "?ids=ida,bo", "?base=1", "?x=1"), random),
                    bodyOf(random),
                    pick(
                            List.of(
                                    "Content-Type: application/json",
                                    "X-HTTP-Method-Override: DELETE",
                                    "Tenant-ID: other",
                                    "Idempotency-Key: k",
                                    "X-Laurel-Peer: no",
                                    "If-Match: *"),
                            random));
        }
    }

    /** An object or an array of objects, each with some fields that writes have. */
    private static String bodyOf(RandomGenerator random) {
        var fields = new ArrayList<String>();
        for (String field : List.of(
                "\"id\":\"ida\"",
                "\"userId\":\"ida\"",
                "\"user\":{\"id\":\"ida\"}",
                "\"value\":1",
                "\"key\":\"laps-swum\"",
                "\"name\":\"Laps\"",
                "\"systemKey\":\"gems\"",
                "\"freezes\":[{\"userId\":\"ida\"}]",
                "\"users\":[{\"id\":\"ida\"}]",
                "\"boosts\":[" + OF_IDA + "]",
                "\"pauses\":[{\"userId\":\"ida\",\"start\":\"2026-03-04\",\"end\":\"2026-03-05\"}]",
                "\"event\":\"streak.lost\"",
                "\"version\":1",
                "\"start\":\"2026-03-04\"",
                "\"multiplier\":2",
                "\"role\":\"admin\"",
                "\"multiTenancyEnabled\":true")) {
            if (random.nextBoolean()) {
                fields.add(field);
            }
        }
        String object = random.nextInt(8) == 0 ? "{}" : "{" + String.join(",", fields) + "}";
        return random.nextBoolean() ? "[" + object + "]" : object;
    }

    private static <T> T pick(List<T> all, RandomGenerator random) {
        return all.get(random.nextInt(all.size()));
    }

    @Test
    void shouldLetSupportBoostSingleUsersOnly() {
        gateway.rulesets.publish(FixedRulesets.WITH_GEMS);
        assertEquals(201, send("support", "POST", BOOSTS, "[" + OF_IDA + "]").status());
        assertEquals(1, written());

        for (RawHttp.Response refused : List.of(
                send("support", "POST", BOOSTS, "[" + FOR_ALL + "]"),
                send("support", "POST", BOOSTS, "[" + OF_IDA + "," + FOR_ALL + "]"),
                send("support", "PATCH", BOOSTS, "[{\"id\":\"" + new UUID(1, 1) + "\"},{\"id\":\"" + SHARED + "\"}]"),
                send("support", "DELETE", BOOSTS + "?ids=" + new UUID(1, 1) + "," + SHARED, ""),
                send("support", "DELETE", "/admin/v1/points/boosts?ids=" + SHARED, ""),
                send("support", "DELETE", "/admin/v1/points/boosts/" + SHARED, ""))) {
            assertEquals(403, refused.status(), refused.body());
            assertEquals(NO_BOOST, refused.body());
        }
        assertEquals(1, written(), "nothing of the refused requests is carried out");
        assertEquals(201, send("editor", "POST", BOOSTS, "[" + FOR_ALL + "]").status());
        assertEquals(
                200,
                send("support", "DELETE", BOOSTS + "?ids=" + new UUID(1, 1), "").status());
    }

    /** Settings of the account need the role admin, whichever way they are changed. */
    @Test
    void shouldLetAnEditorReplaceTheRulesButNotTheSettings() {
        gateway.answerWith(200, "{\"version\":2,\"changed\":true,\"issues\":[]}");
        String changed = "{\"settings\":{\"controlRatio\":50}}";

        send("editor", "PUT", "/admin/v1/ruleset", changed)
                .expect(403, "{\"error\":\"A change of settings needs the role admin: the key has the role editor.\"}");
        assertEquals(
                403,
                send("editor", "PATCH", "/admin/v1/settings", "{\"controlRatio\":50}")
                        .status());
        assertEquals(0, written());

        assertEquals(200, send("editor", "PUT", "/admin/v1/ruleset", "{}").status());
        assertEquals(
                FixedRulesets.WITH_WEBHOOKS.version(),
                ((Edit.Replace) gateway.log.edits.getFirst()).baseVersion(),
                "the settings are compared with those of this version");
        int written = written();
        assertEquals(
                422, send("editor", "PUT", "/admin/v1/ruleset?base=99", "{}").status(), "nobody knows its settings");
        assertEquals(written, written());
        assertEquals(
                200, send("editor", "PUT", "/admin/v1/ruleset?base=1", "{}").status());
        assertEquals(1, ((Edit.Replace) gateway.log.edits.getLast()).baseVersion(), "the writer compares it");
        assertEquals(200, send("admin", "PUT", "/admin/v1/ruleset", changed).status());
        assertEquals(null, ((Edit.Replace) gateway.log.edits.getLast()).baseVersion());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"multiTenancyEnabled\":false}",
                "{\"multiTenancyEnabled\":\"x\"}",
                "{\"multiTenancyEnabled\":true,\"firstTenant\":{\"customerId\":\"x\"}}",
                "{\"controlRatio\":5,\"firstTenant\":5}"
            })
    void shouldLetABoundKeyNotChangeTheInstance(String body) {
        RawHttp.Response refused =
                send("admin+", "PATCH", "/admin/v1/settings", body).expect(403);
        assertTrue(
                refused.body().contains(" concerns all tenants: it needs a key that is bound to none."),
                refused.body());
        assertEquals(0, written());
    }

    /** Such a key works only while multi-tenancy is on, so the response to a GET can be sent back. */
    @Test
    void shouldAcceptWhatABoundKeyReads() {
        gateway.answerWith(200, "{}");

        assertEquals(
                200,
                send("admin+", "PATCH", "/admin/v1/settings", "{\"controlRatio\":5,\"multiTenancyEnabled\":true}")
                        .status());
        assertEquals(Map.of("controlRatio", 5), ((Edit.Patch) gateway.log.edits.getFirst()).fields());
    }
}
