package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Tests access control: created and revoked keys, keys of one user, and the isolation of tenants. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RequiredRoleStoriesIT {

    private static final String ADMIN_KEYS = "/admin/v1/admin-api-keys";
    private static final String APPLICATION_KEYS = "/admin/v1/application-api-keys";
    private static final String TENANTS = "/admin/v1/tenants";

    /** The documented bound for every gateway and node; several classes of tests run at a time by default. */
    private static final Duration EVERYWHERE = Duration.ofSeconds(Boolean.getBoolean("laurel.full") ? 1 : 10);

    private static final String NOBODY = "00000000-0000-4000-8000-000000000000";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Creates an admin key; returns its id and the key. */
    private static JsonNode adminKey(LaurelInstance instance, String name) {
        JsonResponse answer = instance.client()
                .post(ADMIN_KEYS, "[{\"name\": \"" + name + "\"}]")
                .expect(201);
        JsonShape.assertObject(
                answer.at("/created/0"),
                "id uuid",
                "name str",
                "prefix str",
                "role str",
                "tenant str~",
                "status str",
                "created dt",
                "lastUsed dt~",
                "key str");
        return answer.at("/created/0");
    }

    private static void expectKeyEverywhere(String key, int status, LaurelClient here, LaurelClient there) {
        assertEquals(status, use(here.withKey(key)), "where it was answered, at once");
        Awaitility.await()
                .atMost(EVERYWHERE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> use(there.withKey(key)) == status);
    }

    /** Returns the status of a call that every gateway serves. */
    private static int use(LaurelClient client) {
        return client.put("/v1/users/access-1", "{}").status();
    }

    @Test
    void shouldRefuseRevokedKeysEverywhere(LaurelInstance instance) throws Exception {
        try (var other = ExtraGateway.start(instance, GatewayConfig.Limits.DEFAULT)) {
            LaurelClient here = instance.client();
            LaurelClient there = other.client();
            JsonNode made = adminKey(instance, "CI");
            String id = made.get("id").stringValue();
            String key = made.get("key").stringValue();
            expectKeyEverywhere(key, 200, here, there);

            here.patch(ADMIN_KEYS, "[{\"id\": \"" + id + "\", \"status\": \"inactive\"}]")
                    .expect(200);
            expectKeyEverywhere(key, 401, here, there);

            there.patch(ADMIN_KEYS, "[{\"id\": \"" + id + "\", \"status\": \"active\"}]")
                    .expect(200);
            expectKeyEverywhere(key, 200, there, here);

            String rotated =
                    here.post(ADMIN_KEYS + "/" + id + "/rotate", "").expect(200).string("/key");
            expectKeyEverywhere(key, 401, here, there);
            expectKeyEverywhere(rotated, 200, here, there);

            here.send("DELETE", ADMIN_KEYS + "?ids=" + id, null).expect(200);
            expectKeyEverywhere(rotated, 401, here, there);

            JsonResponse app =
                    here.post(APPLICATION_KEYS, "[{\"userId\": \"access-1\"}]").expect(201);
            expectKeyEverywhere(app.string("/created/0/key"), 200, here, there);
            there.send("DELETE", APPLICATION_KEYS + "?ids=" + app.string("/created/0/id"), null)
                    .expect(200);
            expectKeyEverywhere(app.string("/created/0/key"), 401, there, here);
        }
    }

    private static JsonNode listed(LaurelInstance instance, String id) {
        return instance.client()
                .get(ADMIN_KEYS + "?limit=100")
                .expect(200)
                .json()
                .valueStream()
                .filter(key -> key.get("id").stringValue().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Method; path below the mount with {@code @} for the user; body with {@code @} for the user. */
    private static final List<List<String>> USER_ROUTES = List.of(
            List.of("GET", "/users/@", ""),
            List.of("PUT", "/users/@", "{}"),
            List.of("PATCH", "/users/@", "{}"),
            List.of("POST", "/users", "{\"id\": \"@\"}"),
            List.of("GET", "/users/@/preferences", ""),
            List.of("PATCH", "/users/@/preferences", "{}"),
            List.of("GET", "/users/@/metrics", ""),
            List.of("GET", "/users/@/metrics/laps-swum", ""),
            List.of(
                    "GET",
                    "/users/@/metrics/laps-swum/event-summary?aggregation=daily&startDate=2026-03-01&endDate=2026-03-02",
                    ""),
            List.of("GET", "/users/@/achievements", ""),
            List.of("GET", "/users/@/streak", ""),
            List.of("GET", "/users/@/points/gems", ""),
            List.of("GET", "/users/@/points/gems/boosts", ""),
            List.of(
                    "GET",
                    "/users/@/points/gems/event-summary?aggregation=daily&startDate=2026-03-01&endDate=2026-03-02",
                    ""),
            List.of("GET", "/users/@/leaderboards/none", ""),
            List.of("GET", "/leaderboards/none?userId=@", ""),
            List.of("POST", "/metrics/laps-swum/event", "{\"user\": {\"id\": \"@\"}, \"value\": 1}"),
            List.of("POST", "/metrics/unknown/event", "{\"user\": {\"id\": \"@\"}, \"value\": 1}"),
            List.of("POST", "/achievements/none/complete", "{\"user\": {\"id\": \"@\"}}"));

    @Test
    void shouldLetAnApplicationKeyReachItsOwnUserOnly(LaurelInstance instance) {
        JsonResponse made = instance.client()
                .post(APPLICATION_KEYS, "[{\"userId\": \"app/ida\"}, {\"userId\": 5}]")
                .expect(201);
        JsonShape.assertObject(made.at("/created/0"), "id uuid", "userId str", "prefix str", "role str", "key str");
        assertTrue(made.string("/created/0/key").matches("app_[0-9A-Za-z]{8}\\.[0-9A-Za-z]{43,}"));
        assertEquals(1, made.at("/issues/0/index").intValue());
        instance.client().record("app-other", "laps-swum", "7");
        LaurelClient ida = instance.client().withKey(made.string("/created/0/key"));
        ida.put("/v1/users/app%2Fida", "{\"name\": \"Ida\"}").expect(200);

        for (String mount : List.of("/v1", "/api")) {
            for (List<String> route : USER_ROUTES) {
                call(ida, mount, route, "app-other").expectError(403);
                call(ida, mount, route, "app-nobody").expectError(403);
                int own = call(ida, mount, route, "app/ida").status();
                assertTrue(own != 401 && own != 403, own + " to " + route);
            }
        }

        ida.get("/v1/points/gems").expect(200);
        ida.get("/v1/leaderboards").expect(200);
        for (String path : List.of(
                "/admin/v1/metrics",
                "/admin/v1/ruleset",
                ADMIN_KEYS,
                APPLICATION_KEYS,
                "/admin/v1/webhooks/" + NOBODY + "/deliveries",
                "/admin/v1/none")) {
            ida.get(path).expectError(401);
        }
        for (String path : List.of(
                "/webhooks/" + NOBODY + "/test",
                "/webhooks/" + NOBODY + "/deliveries/" + NOBODY + "/retry",
                "/notifications/templates/" + NOBODY + "/test")) {
            ida.post("/admin/v1" + path, "{}").expectError(401);
        }
        assertEquals(
                "7", instance.client().user("app-other").total("laps-swum").toPlainString(), "nothing was changed");
        String reading = instance.client()
                .post(APPLICATION_KEYS, "[{\"userId\": \"app/ida\", \"role\": \"viewer\"}]")
                .expect(201)
                .string("/created/0/key");
        for (List<String> route : USER_ROUTES) {
            JsonResponse own = call(instance.client().withKey(reading), "/v1", route, "app/ida");
            assertEquals(!route.getFirst().equals("GET"), own.status() == 403, own + " to " + route);
        }
        String id = made.string("/created/0/id");
        assertEquals(
                id,
                instance.client()
                        .get(APPLICATION_KEYS + "?userId=app%2Fida")
                        .expect(200)
                        .string("/0/id"));
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> !instance.client()
                        .get(APPLICATION_KEYS + "?userId=app%2Fida")
                        .at("/0/lastUsed")
                        .isNull());
        instance.client().send("DELETE", APPLICATION_KEYS + "?ids=" + id, null).expect(200);
        ida.get("/v1/users/app%2Fida").expectError(401);
    }

    @Test
    void shouldListApplicationKeysOfAllUsersUntilTheseAreErased(LaurelInstance instance) {
        LaurelClient admin = instance.client();
        Instant at = Instant.now().plus(Duration.ofDays(30)).truncatedTo(ChronoUnit.DAYS);
        String expires = at.toString().replace("Z", ".250Z");
        var keys = new LinkedHashMap<String, String>();
        for (int i = 0; i < 5; i++) {
            JsonResponse made = admin.post(
                            APPLICATION_KEYS, "[{\"userId\": \"paged-" + i + "\", \"expires\": \"" + expires + "\"}]")
                    .expect(201);
            assertEquals(expires, made.string("/created/0/expires"));
            keys.put(made.string("/created/0/id"), made.string("/created/0/key"));
        }

        var listed = new ArrayList<String>();
        String after = "";
        while (after != null) {
            JsonResponse page = admin.get(APPLICATION_KEYS + "?limit=2" + after).expect(200);
            page.json()
                    .valueStream()
                    .filter(key -> keys.containsKey(key.get("id").stringValue()))
                    .forEach(key -> {
                        JsonShape.assertObject(
                                key,
                                "id uuid",
                                "userId str",
                                "prefix str",
                                "role str",
                                "created dt",
                                "expires dt",
                                "lastUsed dt~");
                        listed.add(key.get("id").stringValue());
                    });
            String next = page.header("X-Laurel-Next");
            after = next == null ? null : "&after=" + next;
        }
        assertEquals(List.copyOf(keys.keySet()), listed);
        admin.get(APPLICATION_KEYS + "?after=x").expectError(422);

        keys.values().forEach(key -> admin.withKey(key).get("/v1/points/gems").expect(200));
        admin.put("/v1/users/paged-0", "{}").expect(200);
        assertEquals(
                5,
                admin.delete("/admin/v1/users?ids=paged-0,paged-1,paged-2,paged-3,paged-4")
                        .expect(200)
                        .at("/deleted")
                        .size(),
                "those of whom there are only keys, too");
        keys.values().forEach(key -> admin.withKey(key).get("/v1/points/gems").expectError(401));
        assertEquals("[]", admin.get(APPLICATION_KEYS + "?userId=paged-3").text());
    }

    private static JsonResponse call(LaurelClient client, String mount, List<String> route, String user) {
        String path = mount + route.get(1).replace("@", LaurelClient.encoded(user));
        return client.send(
                route.get(0), path, route.get(2).isEmpty() ? null : route.get(2).replace("@", user));
    }

    // Tenants.

    private static final String RULES = """
        {"metrics": {"laps": {}}, "points": {"gems": {"triggers": {"lap":
           {"type": "metric", "metric": "laps", "threshold": 1, "points": 1}}}},
         "leaderboards": {"pool": {"rankBy": "metric", "metric": "laps", "status": "active", "start": "2026-01-01"}}}
        """;

    /** Only with a tenant for what is there already. */
    private static void switchOn(LaurelClient admin) {
        admin.patch("/admin/v1/settings", "{\"multiTenancyEnabled\": true}").expectError(422);
        admin.get(TENANTS).expectError(422);
        admin.patch(
                        "/admin/v1/settings",
                        "{\"multiTenancyEnabled\": true, \"firstTenant\": {\"customerId\": \"first\", \"name\":"
                                + " \"First\"}}")
                .expect(200);
    }

    private static void archiveAll(LaurelClient admin) {
        String ids = admin.get(TENANTS + "?limit=100")
                .expect(200)
                .json()
                .valueStream()
                .map(tenant -> tenant.get("id").stringValue())
                .collect(Collectors.joining(","));
        admin.delete(TENANTS + "?ids=" + ids).expect(200);
    }

    private static JsonResponse as(String tenant, LaurelClient client, String method, String path, String body) {
        return client.send(method, path, body, "Tenant-ID", tenant);
    }

    private static void record(LaurelClient client, String tenant, String user, int value) {
        as(
                        tenant,
                        client,
                        "POST",
                        "/v1/metrics/laps/event",
                        "{\"user\": {\"id\": \"" + user + "\"}, \"value\": " + value + "}")
                .expect(201);
    }

    @Test
    void shouldKeepTenantsApart(LaurelInstance instance) {
        LaurelClient admin = instance.client();
        createTopicOfPool(instance);
        admin.get(TENANTS).expectError(422);
        admin.event("laps-swum").of("settler").value("3").send().expect(201);
        switchOn(admin);
        try {
            assertEquals(
                    3,
                    as("first", admin, "GET", "/v1/users/settler/metrics/laps-swum", null)
                            .at("/current")
                            .intValue());
            as("first", admin, "POST", "/v1/metrics/laps-swum/event", "{\"user\": {\"id\": \"settler\"}, \"value\": 4}")
                    .expect(201);
            JsonResponse made = admin.post(
                            TENANTS,
                            "[{\"customerId\": \"acme/1\", \"name\": \"Acme\"}, {\"customerId\": \"pool\", \"name\":"
                                    + " \"Pool\"}]")
                    .expect(201);
            admin.get("/v1/points/gems").expectError(422);
            admin.send("GET", "/v1/points/gems", null, "Tenant-ID", "").expectError(422);
            as("nobody", admin, "GET", "/v1/users/ida", null).expectError(422);
            as("acme/1", admin, "PUT", "/admin/v1/ruleset", RULES).expect(200);
            as("pool", admin, "POST", "/v1/metrics/laps/event", "{\"user\": {\"id\": \"ida\"}, \"value\": 1}")
                    .expectError(404);
            as("pool", admin, "PUT", "/admin/v1/ruleset", RULES).expect(200);

            record(admin, "acme/1", "ida", 5);
            record(admin, "pool", "ida", 2);
            record(admin, "pool", "bo", 9);

            assertEquals(
                    5,
                    as("acme/1", admin, "GET", "/v1/users/ida/metrics/laps", null)
                            .at("/current")
                            .intValue());
            assertEquals(
                    2,
                    as("pool", admin, "GET", "/v1/users/ida/points/gems", null)
                            .at("/total")
                            .intValue());
            as("acme/1", admin, "GET", "/v1/users/bo", null).expectError(404);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> usersWithGems("acme/1", admin) == 1
                            && usersWithGems("pool", admin) == 2
                            && rankings("pool", admin).equals("bo ida")
                            && rankings("acme/1", admin).equals("ida"));

            shouldKeepDirectProducersInTheirTenant(instance);
            shouldMarkTheLogOnlyWhereTheirUsersAre(instance);
            shouldKeepApplicationKeysInTheirTenant(admin);
            shouldKeepWebhooksInTheirTenant(admin);
            LaurelClient bound = shouldKeepBoundKeysInTheirTenant(admin);
            String acme = made.string("/created/0/id");
            admin.send("DELETE", TENANTS + "?ids=" + acme, null).expect(200);
            as("acme/1", admin, "GET", "/v1/users/ida", null).expectError(422);
            bound.get("/v1/users/ida").expectError(403);
            assertEquals("archived", admin.get(TENANTS + "/" + acme).expect(200).string("/status"));
            as("pool", admin, "GET", "/v1/users/ida", null).expect(200);
        } finally {
            JsonNode ofInstance = admin.get("/admin/v1/settings").expect(200).json();
            assertEquals(
                    List.of("branding", "experimentation", "aggregationPeriod", "multiTenancyEnabled"),
                    List.copyOf(ofInstance.propertyNames()));
            assertEquals("", ofInstance.at("/branding/appName").stringValue());
            assertEquals(
                    "[{\"name\":\"Production\",\"key\":\"production\",\"priority\":1}]",
                    admin.get("/admin/v1/environments").expect(200).text());
            admin.patch("/admin/v1/settings", "{\"multiTenancyEnabled\": false}")
                    .expectError(422);
            archiveAll(admin);
            admin.patch("/admin/v1/settings", "{\"multiTenancyEnabled\": false}")
                    .expect(200);
        }
        admin.get(TENANTS).expectError(422);
        assertEquals(
                1,
                admin.post(ADMIN_KEYS, "[{\"name\": \"Acme\", \"tenant\": \"acme/1\"}]")
                        .expect(200)
                        .at("/issues")
                        .size());
        assertEquals(new BigDecimal("7"), admin.user("settler").total("laps-swum"));
        admin.get("/v1/users/ida").expectError(404);
        as("pool", admin, "GET", "/v1/users/bo", null).expectError(404);
    }

    private static void createTopicOfPool(LaurelInstance instance) {
        CommandRun created = CommandRun.of(
                "topics", "create", "--partitions", "2", "--direct", "pool", "--kafka", instance.bootstrapServers());

        assertEquals("created laurel.direct.pool\n1 topics created\n", created.out(), created.err());
    }

    /** The key of a record in the topic of a tenant names that tenant, or none. */
    private static void shouldKeepDirectProducersInTheirTenant(LaurelInstance instance) {
        LaurelClient admin = instance.client();
        try (var log = new DirectProducer(instance.bootstrapServers())) {
            for (String key : List.of("acme%2F1/ida", "ida", "pool/ida")) {
                log.send(new ProducerRecord<>(
                        "laurel.direct.pool",
                        key.getBytes(UTF_8),
                        DirectProducer.event("ida", "laps", "20").getBytes(UTF_8)));
            }
            log.send(new ProducerRecord<>(
                    "laurel.direct",
                    "settler".getBytes(UTF_8),
                    DirectProducer.event("settler", "dives", "1").getBytes(UTF_8)));
        }
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> as("pool", admin, "GET", "/v1/users/ida/metrics/laps", null)
                                .at("/current")
                                .intValue()
                        == 42);
        assertEquals(
                5,
                as("acme/1", admin, "GET", "/v1/users/ida/metrics/laps", null)
                        .at("/current")
                        .intValue());
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> as("first", admin, "GET", "/v1/users/settler/metrics/dives", null)
                                .at("/current")
                                .intValue()
                        == 1);
        JsonNode rejected =
                admin.get("/admin/v1/rejections?tenant=pool").expect(200).at("/0");
        assertEquals("pool/acme%252F1%2Fida", rejected.get("key").stringValue());
        assertEquals(
                "the key names a user of 'acme/1', in the topic of 'pool'",
                rejected.get("reason").stringValue());
        assertEquals("laurel.direct.pool", rejected.at("/source/topic").stringValue());
        assertEquals(
                "[]",
                admin.get("/admin/v1/rejections?tenant=acme%2F1").expect(200).text());
        assertTrue(new TopicReader(instance.bootstrapServers())
                .readAll("laurel.commands").stream()
                        .filter(record -> record.key() != null && new String(record.key(), UTF_8).startsWith("pool/"))
                        .allMatch(record -> record.headers().lastHeader("laurel-ruleset") != null));
    }

    /** An edit goes to the partition of the only user and to the one that is assigned to the tenant, and is in force at once. */
    private static void shouldMarkTheLogOnlyWhereTheirUsersAre(LaurelInstance instance) {
        var acme = new TenantId("acme/1");
        var layout = new LogLayout(LaurelInstance.PARTITIONS);
        Set<Integer> needed = Stream.of(acme.bytes(), new UserKey(acme, new UserId("ida")).bytes())
                .map(layout::partitionOf)
                .collect(Collectors.toSet());
        var edits = new AtomicInteger();
        // The writer knows the user a moment after it was created.
        Awaitility.await().atMost(PATIENCE).until(() -> {
            String metric = "marked-" + edits.incrementAndGet();
            as(
                            "acme/1",
                            instance.client(),
                            "POST",
                            "/admin/v1/metrics",
                            "[{\"name\": \"" + metric + "\", \"key\": \"" + metric + "\"}]")
                    .expect(201);
            as(
                            "acme/1",
                            instance.client(),
                            "POST",
                            "/v1/metrics/" + metric + "/event",
                            "{\"user\": {\"id\": \"ida\"}, \"value\": 1}")
                    .expect(201);
            return newestMarkers(instance, acme).equals(needed);
        });
    }

    /** The partitions with a marker of the tenant's newest version. */
    private static Set<Integer> newestMarkers(LaurelInstance instance, TenantId tenant) throws BadInputException {
        var partitions = new TreeMap<Long, Set<Integer>>();
        for (var record : new TopicReader(instance.bootstrapServers()).readAll("laurel.commands")) {
            if (record.key() == null
                    && new String(record.value(), UTF_8).contains("ruleset-published")
                    && CommandJson.read(record.value()) instanceof RulesetPublished(TenantId of, long version)
                    && of.equals(tenant)) {
                partitions.computeIfAbsent(version, _ -> new HashSet<>()).add(record.partition());
            }
        }
        return partitions.lastEntry().getValue();
    }

    private static void shouldKeepApplicationKeysInTheirTenant(LaurelClient admin) {
        String body = "[{\"userId\": \"ida\"}]";
        JsonResponse made = as("acme/1", admin, "POST", APPLICATION_KEYS, body).expect(201);
        LaurelClient ida = admin.withKey(made.string("/created/0/key"));
        assertEquals("[]", as("pool", admin, "GET", APPLICATION_KEYS, null).text());

        as("acme/1", ida, "GET", "/v1/users/ida", null).expect(200);
        as("pool", ida, "GET", "/v1/users/ida", null).expectError(401);
        as("pool", ida, "GET", "/v1/points/gems", null).expectError(401);
        ida.get("/v1/users/ida").expectError(422);
        String id = made.string("/created/0/id");
        assertEquals(
                0,
                as("pool", admin, "DELETE", APPLICATION_KEYS + "?ids=" + id, null)
                        .at("/deleted")
                        .size());
        as("acme/1", ida, "GET", "/v1/users/ida", null).expect(200);
    }

    private static LaurelClient shouldKeepBoundKeysInTheirTenant(LaurelClient admin) {
        LaurelClient bound = admin.withKey(admin.post(ADMIN_KEYS, "[{\"name\": \"Acme\", \"tenant\": \"acme/1\"}]")
                .expect(201)
                .string("/created/0/key"));

        assertEquals(
                5,
                bound.get("/v1/users/ida/metrics/laps")
                        .expect(200)
                        .at("/current")
                        .intValue());
        assertEquals(
                5,
                as("acme/1", bound, "GET", "/v1/users/ida/metrics/laps", null)
                        .at("/current")
                        .intValue());
        String pool =
                as("pool", bound, "GET", "/v1/users/ida", null).expect(403).text();
        assertEquals(
                pool,
                as("nobody", bound, "GET", "/v1/users/ida", null).expect(403).text());
        as("pool", bound, "PUT", "/admin/v1/ruleset", "{}").expectError(403);
        for (String path : List.of(ADMIN_KEYS, TENANTS)) {
            bound.get(path).expectError(403);
            bound.delete(path + "?ids=" + NOBODY).expectError(403);
        }
        bound.get("/admin/v1/audit?tenant=pool").expectError(403);
        JsonResponse own = bound.get("/admin/v1/audit").expect(200);
        assertTrue(own.json().size() > 1, own::text);
        assertEquals(
                Set.of("acme/1"),
                own.json()
                        .valueStream()
                        .map(record -> record.get("tenant").stringValue())
                        .collect(Collectors.toSet()));
        assertEquals(
                own.text(),
                admin.get("/admin/v1/audit?tenant=acme%2F1").expect(200).text());
        bound.patch("/admin/v1/settings", "{\"multiTenancyEnabled\": false}").expectError(403);
        bound.patch(
                        "/admin/v1/settings",
                        bound.get("/admin/v1/settings").expect(200).text())
                .expect(200);
        return bound;
    }

    private static void shouldKeepWebhooksInTheirTenant(LaurelClient admin) {
        String hook = "/admin/v1/webhooks/"
                + as(
                                "acme/1",
                                admin,
                                "POST",
                                "/admin/v1/webhooks",
                                "[{\"name\": \"CRM\", \"url\": \"http://127.0.0.1:1/\", \"events\":"
                                        + " [\"streak.lost\"]}]")
                        .expect(201)
                        .string("/created/0/id");
        String test = "{\"event\": \"streak.lost\"}";
        String delivery =
                as("acme/1", admin, "POST", hook + "/test", test).expect(202).string("/deliveryId");
        String retry = hook + "/deliveries/" + delivery + "/retry";
        as("acme/1", admin, "POST", retry, "").expect(202);
        assertEquals(
                delivery,
                as("acme/1", admin, "GET", hook + "/deliveries", null)
                        .expect(200)
                        .string("/0/id"));

        as("pool", admin, "POST", hook + "/test", test).expectError(404);
        as("pool", admin, "POST", retry, "").expectError(404);
        as("pool", admin, "GET", hook + "/deliveries", null).expectError(404);
        as("pool", admin, "GET", hook + "/secret", null).expectError(404);
        as("pool", admin, "POST", hook + "/rotate-secret", "").expectError(404);
        admin.post(hook + "/test", test).expectError(422);
    }

    /** Returns all users of a tenant. */
    private static int usersWithGems(String tenant, LaurelClient admin) {
        int users = 0;
        // 503 while the statistics of the tenant are built for the first read.
        JsonResponse summary = Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(
                        () -> as(tenant, admin, "GET", "/v1/points/gems/summary", null),
                        answer -> answer.status() != 503);
        for (JsonNode range : summary.expect(200).json()) {
            users += range.get("users").intValue();
        }
        return users;
    }

    private static String rankings(String tenant, LaurelClient admin) {
        return String.join(
                " ",
                as(tenant, admin, "GET", "/v1/leaderboards/pool", null)
                        .expect(200)
                        .at("/rankings")
                        .valueStream()
                        .map(entry -> entry.get("userId").stringValue())
                        .toList());
    }
}
