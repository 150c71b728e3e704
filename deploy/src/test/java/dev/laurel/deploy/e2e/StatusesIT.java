package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.deploy.openapi.OpenApiDocument;
import dev.laurel.deploy.openapi.Operation;
import dev.laurel.deploy.openapi.Operation.Response;
import dev.laurel.deploy.openapi.PublicShapes;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Compares the running program with the OpenAPI documents: its routes, and every documented status of every operation,
 * produced by a request. Clients of the public contract decode the answers, and objects of every shape that they know.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class StatusesIT {

    /** Needs an instance that is not ready: {@link GatewayStoriesIT} and {@link SlowLeaderboardsIT} have one. */
    private static final String SETTINGS = "/admin/v1/settings";

    private static final int BUSY = 503;

    /** Needs a lost streak, and therefore days that pass; or a finished replay. */
    private static final Set<String> WITH_TIME = Set.of(
            "POST /admin/v1/streaks/restore 201",
            "POST /admin/v1/replays/{id}/promote 200",
            "GET /admin/v1/replays/{id}/report 200");

    /** Needs a rank of an earlier day; {@link LeaderboardStoriesIT} shows some. */
    private static final Set<String> SHAPES_WITH_TIME = Set.of("RankOfDay");

    /** Routes that exist only with virtual time; {@link VirtualTimeIT} calls them. */
    private static final Set<String> WITH_TEST_CLOCK = Set.of("GET /admin/v1/test-clock", "POST /admin/v1/test-clock");

    private static final String NOBODY = "00000000-0000-4000-8000-000000000000";
    private static final int TRIES_MAX = 50;
    private static final int AT_ONCE = 4;
    private static final String WRONG_FIELDS = """
        {"user": 5, "tz": 5, "notifications": 5, "freezes": [], "pauses": [], "users": [], "boosts": [],
         "systemKey": "gems", "enabled": 5, "controlRatio": "x", "recapPeriod": 5, "email": 5, "metrics": 5}\
        """;

    private static final String RULESET = """
        {"metrics": {"laps": {}}, "attributes": {"user": {"city": {}}, "event": {"pool": {}}},
         "achievements": {"hello": {"trigger": "api", "badgeUrl": "https://pool.example/hello.png"},
           "turku": {"trigger": "metric", "metric": "laps", "value": 1, "userAttributes": {"city": "Turku"}}},
         "points": {"gems": {"levels": {"otter": {"points": 10}},
           "triggers": {"lap": {"type": "metric", "metric": "laps", "threshold": 1, "points": 1}}}},
         "leaderboards": {"all": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2026-01-01"}},
         "streak": {"freezesEnabled": true, "metrics": {"laps": 0.5}}}
        """;

    /** Bodies and queries with which operations succeed; with {@code '} for {@code "}. */
    private static final Map<String, String> QUERIES = Map.of(
            "summarizeUserMetric",
            "aggregation=daily&startDate=2026-03-01&endDate=2026-03-02",
            "summarizeUserPoints",
            "aggregation=daily&startDate=2026-03-01&endDate=2026-03-02",
            "listStreaks",
            "userIds=ida",
            "compareRulesets",
            "from=1",
            "eraseUsers",
            "ids=nobody",
            "getLeaderboard",
            "userId=ida");

    private static final Map<String, String> BODIES = new HashMap<>(Map.of(
            "recordEvent",
            "{'user': {'id': 'ida'}, 'value': 1}",
            "completeAchievement",
            "{'user': {'id': 'ida'}}",
            "createUser",
            "{'id': 'ida'}",
            "identifyUser",
            "{'name': 'Ida'}",
            "updateUser",
            "{'name': 'Ida'}",
            "updatePreferences",
            "{}",
            "recordEvents",
            "[{'key': 'laps', 'user': {'id': 'ida'}, 'value': 1}]",
            "grantFreezes",
            "{'freezes': [{'userId': 'ida'}]}",
            "restoreStreaks",
            "{'users': [{'id': 'nobody'}]}",
            "rollbackRuleset",
            "{'version': 1}"));
    private static final Map<String, String> NEW_ITEMS = new HashMap<>(Map.of(
            "Attribute",
            "{'name': 'Club', 'key': 'club', 'type': 'user'}",
            "Metric",
            "{'name': 'Dives', 'key': 'dives'}",
            "Achievement",
            "{'name': 'Bye', 'key': 'bye', 'trigger': 'api'}",
            "PointsSystem",
            "{'name': 'Shells', 'key': 'shells'}",
            "Level",
            "{'name': 'Seal', 'key': 'seal', 'points': 20}",
            "Boost",
            "{'name': 'May', 'start': '2030-05-01', 'multiplier': 2}",
            "Trigger",
            "{'type': 'user_creation', 'points': 5}",
            "Leaderboard",
            "{'name': 'New', 'key': 'new', 'rankBy': 'streak'}",
            "Webhook",
            "{'name': 'Hook', 'url': 'http://127.0.0.1:1/hook', 'events': ['streak.lost']}",
            "Template",
            "{'type': 'recap', 'channel': 'email', 'name': 'Recap', 'subject': 'Your week', 'body': 'Hello'}"));

    static {
        NEW_ITEMS.put("ApplicationKey", "{'userId': 'other'}");
        NEW_ITEMS.put("AdminKey", "{'name': 'CI'}");
        NEW_ITEMS.put("Tenant", "{'customerId': 'acme', 'name': 'Acme'}");
        BODIES.put("createPauses", "{'pauses': [{'userId': 'ida', 'start': '2030-05-01', 'end': '2030-05-02'}]}");
        BODIES.put("resetStreaks", "{'users': [{'id': 'nobody'}]}");
        BODIES.put(
                "createUserBoosts",
                "{'systemKey': 'gems', 'boosts': [{'userId': 'ida', 'name': 'May', "
                        + "'start': '2030-05-01', 'multiplier': 2}]}");
        BODIES.put("testWebhook", "{'event': 'streak.lost'}");
        BODIES.put("testTemplate", "{'userId': 'ida'}");
        BODIES.put("replaceRuleset", RULESET);
        BODIES.put("tryRuleset", RULESET);
        BODIES.put("resendRejection", "{'type': 'event', 'metric': 'laps', 'value': 1, 'user': {'id': 'ida'}}");
        BODIES.put("startReplay", "{'ruleset': " + RULESET + "}");
    }

    /** Requests without an effect, for operations that have a status of their own for it. */
    private static final Map<String, String> FRUITLESS = Map.of(
            "createUserBoosts",
            "{'systemKey': 'gems', 'boosts': [{}]}",
            "grantFreezes",
            "{'freezes': [{'userId': 'nobody'}]}",
            "createPauses",
            "{'pauses': [{'userId': 'nobody', 'start': '2030-05-01', 'end': '2030-05-02'}]}");

    private final Set<String> reached = new TreeSet<>();
    private final Set<String> decodedOperations = new TreeSet<>();
    private final Set<String> decodedShapes = new TreeSet<>();
    private final Map<String, String> ids = new HashMap<>();

    @AutoClose
    private LaurelInstance instance;

    private LaurelClient laurel;
    private List<Operation> operations;
    private boolean hasTenants;

    @BeforeAll
    void start() throws InterruptedException {
        instance = LaurelInstance.start();
        laurel = instance.client();
        Set<String> mounted = instance.routes().keySet();
        operations = OpenApiDocument.all().stream()
                .flatMap(document -> document.operations().stream())
                .filter(operation -> mounted.contains(operation.name()) && isOfJson(operation))
                .toList();
    }

    @Test
    void shouldDocumentEveryRouteAndMountEveryDocumentedOne() {
        Set<String> documented = OpenApiDocument.all().stream()
                .flatMap(document -> document.operations().stream())
                .map(Operation::name)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> mounted = new TreeSet<>(instance.routes().keySet());

        var undocumented = new TreeSet<>(mounted);
        undocumented.removeAll(documented);
        // The files of pages are no part of the API.
        undocumented.removeIf(route -> route.matches("GET /(console|elements).*"));
        var missing = new TreeSet<>(documented);
        missing.removeAll(mounted);
        missing.removeAll(WITH_TEST_CLOCK);
        assertEquals(Set.of(), undocumented, "mounted, but in no document");
        assertEquals(Set.of(), missing, "documented, but not mounted");
    }

    @Test
    void shouldReachEveryDocumentedStatus() throws InterruptedException {
        prepare();
        succeed();
        missTheKey();
        nameNothing();
        sendNonsense();
        beSomebodyElse();
        switchKeysOff();
        lackTheRole();
        hurry();
        forgetTheTenant();
        nameAnotherTenant();
        manageTenants();

        var missing = new TreeSet<String>();
        for (Operation operation : operations) {
            for (Response response : operation.responses()) {
                if (response.status() != BUSY && !isOnlyPending(response)) {
                    missing.add(operation.name() + " " + response.status());
                }
            }
        }
        missing.removeAll(reached);
        missing.removeAll(WITH_TIME);
        assertEquals(Set.of(), missing, "documented, but not reached");

        Set<String> known = operations.stream()
                .filter(operation -> !PublicShapes.V1_26.isOurs(operation))
                .map(Operation::name)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(known, decodedOperations, "operations whose answers clients of the public contract decode");
        Set<String> without = PublicShapes.V1_26.names();
        without.removeAll(decodedShapes);
        without.removeAll(SHAPES_WITH_TIME);
        assertEquals(Set.of(), without, "no answer had an object of these shapes");
    }

    /**
     * The others are open to anyone: DocumentRoutesTest covers those that answer with files, SessionRoutesTest and OidcRoutesTest sign-in
     * and sign-out.
     */
    private static boolean isOfJson(Operation operation) {
        boolean isSignIn = operation.isOpen() && operation.path().startsWith("/admin/v1/session");
        return !isSignIn
                && operation.responses().stream()
                        .allMatch(response -> response.mediaType().equals("application/json"));
    }

    /** Needs a slow writer: {@link GatewayStoriesIT}. */
    private static boolean isOnlyPending(Response response) {
        String json = response.json().get("content").get("application/json") == null
                ? ""
                : response.json()
                        .get("content")
                        .get("application/json")
                        .get("schema")
                        .toString();
        return response.status() == 202 && json.contains("Pending") && !json.contains("oneOf");
    }

    private void prepare() {
        laurel.put("/admin/v1/ruleset", RULESET).expect(200);
        laurel.event("laps")
                .of("ida")
                .with("email", "\"ida@example.net\"")
                .with("attributes", "{\"city\": \"Turku\"}")
                .attribute("pool", "big")
                .value("12")
                .send()
                .expect(201);
        JsonNode ruleset = laurel.get("/admin/v1/ruleset").expect(200).json();
        ids.put("systemId", ruleset.at("/points/gems/id").stringValue());
        try (var log = new DirectProducer(instance.bootstrapServers())) {
            log.send("ida", Instant.now(), "{}");
        }
        ids.put(
                "rejectionId",
                Awaitility.await()
                        .atMost(Duration.ofMinutes(1))
                        .until(
                                () -> laurel.get("/admin/v1/rejections")
                                        .expect(200)
                                        .json(),
                                found -> !found.isEmpty())
                        .get(0)
                        .get("id")
                        .stringValue());
    }

    /** Calls each operation with valid input; created objects provide the ids for others. */
    private void succeed() {
        for (Operation operation : operations) {
            String kind = operation.id().replaceFirst("^create(.*)s$", "$1");
            if (NEW_ITEMS.containsKey(kind)) {
                ask(operation, "", "[{}]", 200);
                JsonResponse created = ask(operation, "", "[" + quoted(NEW_ITEMS.get(kind)) + "]", 0);
                ids.put(operation.path(), created.json().at("/created/0/id").asString(NOBODY));
            } else if (FRUITLESS.containsKey(operation.id())) {
                ask(operation, "", FRUITLESS.get(operation.id()), 200);
            }
            if (operation.id().equals("recordEvent") || operation.id().equals("completeAchievement")) {
                sendTwice(operation);
            }
        }
        for (Operation operation : operations) {
            if (operation.response(200) != null || operation.response(201) != null || operation.response(202) != null) {
                JsonResponse answer = ask(operation, queryOf(operation), bodyOf(operation), 0);
                String created = answer.json().at("/created/0/id").asString(NOBODY);
                if (!created.equals(NOBODY)) {
                    ids.putIfAbsent(operation.path(), created);
                }
                if (operation.id().equals("startReplay")) {
                    ids.put(operation.path(), answer.string("/id"));
                }
                if (answer.json().has("deliveryId")) {
                    ids.put("deliveryId", answer.string("/deliveryId"));
                }
            }
        }
    }

    private void sendTwice(Operation operation) {
        String body = quoted(BODIES.get(operation.id())
                .replace("ida", "twice" + operation.path().length()));
        for (int time = 0; time < 2; time++) {
            note(operation, laurel.send("POST", pathOf(operation), body, "Idempotency-Key", "twice"));
        }
    }

    private void missTheKey() {
        LaurelClient anyone = laurel.withKey(null);
        operations.forEach(operation -> ask(
                anyone,
                operation,
                pathOf(operation),
                queryOf(operation),
                bodyOf(operation),
                operation.isOpen() ? 0 : 401));
    }

    /** Names objects that do not exist in paths and bodies. */
    private void nameNothing() {
        for (Operation operation : operations) {
            if (operation.response(404) == null) {
                continue;
            }
            String path = operation
                    .path()
                    .replace("{systemId}", NOBODY)
                    .replace("{key}", "nothing")
                    .replace("{deliveryId}", NOBODY)
                    .replace("{name}", "nothing")
                    .replace("{report}", "nothing")
                    .replace("{version}", "999999")
                    .replace("{id}", isUuid(operation, "id") ? NOBODY : "nobody");
            String body = switch (operation.id()) {
                case "recordEvents" -> "[{'key': 'nothing', 'user': {'id': 'ida'}, 'value': 1}]";
                case "rollbackRuleset" -> "{'version': 999999}";
                case "createUserBoosts" -> "{'systemKey': 'nothing', 'boosts': [{'userId': 'ida'}]}";
                default -> bodyOf(operation);
            };
            ask(laurel, operation, path, queryOf(operation).replace("from=1", "from=999999"), body, 404);
        }
    }

    private void sendNonsense() {
        for (Operation operation : operations) {
            if (operation.response(415) != null) {
                JsonResponse encoded =
                        laurel.send(operation.method(), pathOf(operation), "{}", "Content-Encoding", "gzip");
                assertEquals(415, note(operation, encoded).status(), () -> operation + ": " + encoded.text());
            }
            if (operation.hasBody()) {
                ask(operation, queryOf(operation), "{", 400);
                boolean isBatch = operation.id().equals("recordEvents");
                ask(operation, queryOf(operation), " ".repeat((isBatch ? 10 : 1) * 1024 * 1024 + 1), 413);
                boolean isArray = operation
                        .document()
                        .at(operation.bodySchema())
                        .path("type")
                        .asString("")
                        .equals("array");
                ask(operation, queryOf(operation), isArray ? "[]" : WRONG_FIELDS, 422);
            } else if (operation.path().contains("{id}") && isUuid(operation, "id")) {
                ask(
                        laurel,
                        operation,
                        pathOf(operation)
                                .replaceFirst(
                                        "/[^/]*(/secret|/rotate.*|/export|/deliveries|/retry|/preview|/ruleset|/report)?$",
                                        "/x$1"),
                        "",
                        null,
                        422);
            } else if (operation.response(422) != null) {
                // Every operation with one of these must be refused; the rest is tested without a tenant.
                ask(
                        operation,
                        "limit=0&awards=0&historyPeriods=-1&numEvents=-1&year=0&userAttributes=x&from=x",
                        null,
                        0);
            }
        }
    }

    private void beSomebodyElse() {
        String key = laurel.post("/admin/v1/application-api-keys", "[{\"userId\": \"other\"}]")
                .expect(201)
                .string("/created/0/key");
        for (Operation operation : operations) {
            if (operation.document() == OpenApiDocument.APPLICATION && isRefusedAs(operation, "OtherUser")) {
                ask(laurel.withKey(key), operation, pathOf(operation), queryOf(operation), bodyOf(operation), 403);
            }
        }
    }

    private void switchKeysOff() {
        laurel.patch(SETTINGS, "{\"applicationKeysEnabled\": false}").expect(200);
        for (Operation operation : operations) {
            if (isRefusedAs(operation, "KeysOff")) {
                ask(operation, queryOf(operation), bodyOf(operation), 403);
            }
        }
        laurel.patch(SETTINGS, "{\"applicationKeysEnabled\": true}").expect(200);
    }

    private static boolean isRefusedAs(Operation operation, String response) {
        return operation.json().at("/responses/403/$ref").asString("").contains(response);
    }

    private String key(String limits) {
        return laurel.post("/admin/v1/admin-api-keys", "[{\"name\": \"Few\", " + limits + "}]")
                .expect(201)
                .string("/created/0/key");
    }

    private void lackTheRole() {
        LaurelClient viewer = laurel.withKey(key("\"role\": \"viewer\""));
        for (Operation operation : operations) {
            if (!operation.isOpen()
                    && !operation.json().get("x-role").stringValue().equals("viewer")) {
                ask(viewer, operation, pathOf(operation), queryOf(operation), bodyOf(operation), 403);
            }
        }
    }

    /** With a key that is bound to a tenant. */
    private void nameAnotherTenant() {
        LaurelClient bound = laurel.withKey(key("\"tenant\": \"first\""));
        for (Operation operation : operations) {
            if (!operation.isOpen()) {
                JsonResponse answer = bound.send(
                        operation.method(), pathWithQuery(operation), quoted(bodyOf(operation)), "Tenant-ID", "nobody");
                assertEquals(403, answer.status(), operation::name);
                note(operation, answer);
            }
        }
    }

    /** Exceeds a limit of one request per second at each operation. No body is JSON, since a new ruleset would end the limits. */
    private void hurry() throws InterruptedException {
        laurel.patch(SETTINGS, "{\"rateLimits\": {\"tier1\": 1, \"tier2\": 1}}").expect(200);
        for (Operation operation : operations) {
            if (operation.response(429) != null) {
                // At a time, since one after the other may be slower than the limit.
                for (int i = 0; i < TRIES_MAX; i++) {
                    List<JsonResponse> answers = Concurrently.run(Collections.nCopies(
                            AT_ONCE,
                            () -> laurel.send(
                                    operation.method(), pathWithQuery(operation), operation.hasBody() ? "{" : null)));
                    answers.forEach(answer -> note(operation, answer));
                    if (answers.stream().anyMatch(answer -> answer.status() == 429)) {
                        break;
                    }
                }
            }
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> laurel.patch(SETTINGS, "{\"rateLimits\": null}").status() == 200);
    }

    private String pathWithQuery(Operation operation) {
        String query = queryOf(operation);
        return pathOf(operation) + (query.isEmpty() ? "" : "?" + query);
    }

    private void forgetTheTenant() {
        laurel.patch(SETTINGS, "{\"multiTenancyEnabled\": true}").expectError(422);
        laurel.patch(SETTINGS, "{\"multiTenancyEnabled\": true, \"firstTenant\": {\"customerId\": \"first\"}}")
                .expect(200);
        for (Operation operation : operations) {
            // Without a tenant, these show objects of the whole instance.
            boolean isForAll = operation.path().equals(SETTINGS);
            if (!isForAll && operation.hasParameter("header", "Tenant-ID")) {
                ask(operation, queryOf(operation), bodyOf(operation), 422);
            }
        }
    }

    private static boolean isOfTenants(Operation operation) {
        return operation.path().startsWith("/admin/v1/tenants");
    }

    /** Requests that succeed only with tenants. */
    private void manageTenants() {
        hasTenants = true;
        List<Operation> all = operations;
        operations = all.stream().filter(StatusesIT::isOfTenants).toList();
        succeed();
        nameNothing();
        sendNonsense();
        operations = all;
    }

    private JsonResponse ask(Operation operation, String query, String body, int expected) {
        return ask(laurel, operation, pathOf(operation), query, body, expected);
    }

    /** @param expected 0 for any */
    private JsonResponse ask(
            LaurelClient client, Operation operation, String path, String query, String body, int expected) {
        JsonResponse answer =
                client.send(operation.method(), path + (query.isEmpty() ? "" : "?" + query), quoted(body));
        if (expected > 0 && (hasTenants || !isOfTenants(operation))) {
            assertEquals(expected, answer.status(), () -> operation + " " + query + ": " + answer.text());
        }
        return note(operation, answer);
    }

    private JsonResponse note(Operation operation, JsonResponse answer) {
        reached.add(operation.name() + " " + answer.status());
        if (answer.status() < 300 && !PublicShapes.V1_26.isOurs(operation)) {
            decodedOperations.add(operation.name());
            assertEquals(List.of(), PublicShapes.V1_26.problemsOf(operation, answer.json(), decodedShapes));
        }
        return answer;
    }

    private static String quoted(String json) {
        return json == null ? null : json.replace('\'', '"');
    }

    private String pathOf(Operation operation) {
        String path = operation
                .path()
                .replace("/rejections/{id}", "/rejections/" + ids.get("rejectionId"))
                .replace("{systemId}", ids.getOrDefault("systemId", NOBODY))
                .replace("{deliveryId}", ids.getOrDefault("deliveryId", NOBODY))
                .replace("{name}", "command.schema.json")
                .replace("{report}", "events")
                .replace("{version}", "1");
        if (path.contains("{key}")) {
            String kind = path.replaceFirst(".*/(\\w+)/\\{key}.*", "$1");
            path = path.replace(
                    "{key}",
                    Map.of("metrics", "laps", "achievements", "hello", "points", "gems", "leaderboards", "all")
                            .get(kind));
        }
        String collection = operation.path().replaceFirst("/\\{id}.*", "");
        return path.replace("{id}", isUuid(operation, "id") ? ids.getOrDefault(collection, NOBODY) : "ida");
    }

    private static boolean isUuid(Operation operation, String name) {
        return operation.parameters("path").stream()
                .anyMatch(parameter -> parameter.get("name").stringValue().equals(name)
                        && parameter.get("schema").path("format").asString("").equals("uuid"));
    }

    private static String queryOf(Operation operation) {
        boolean hasIds = operation.hasParameter("query", "ids");
        return QUERIES.getOrDefault(operation.id(), hasIds ? "ids=" + NOBODY : "");
    }

    private static String bodyOf(Operation operation) {
        if (!operation.hasBody()) {
            return null;
        }
        boolean isArray = operation
                .document()
                .at(operation.bodySchema())
                .path("type")
                .asString("")
                .equals("array");
        return BODIES.getOrDefault(operation.id(), isArray ? "[{}]" : "{}");
    }
}
