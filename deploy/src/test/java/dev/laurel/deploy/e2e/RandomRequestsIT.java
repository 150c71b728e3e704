package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.openapi.OpenApiDocument;
import dev.laurel.deploy.openapi.Operation;
import dev.laurel.deploy.openapi.RandomRequests;
import dev.laurel.deploy.openapi.RandomRequests.Numbered;
import dev.laurel.deploy.openapi.RawConnection;
import dev.laurel.deploy.openapi.ResponseCheck;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Sends random requests: every response must be documented by OpenAPI, be JSON without internals and no 5xx, and
 * refused requests must change nothing. {@code -Dlaurel.fuzz.requests} sets the number (1,000; 10,000 with {@code
 * -Dlaurel.full=true}), {@code -Dlaurel.fuzz.seed}
 * repeats a run, {@code -Dlaurel.fuzz.only} selects operations by a pattern such as {@code POST /v1/.*}.
 */
@TestMethodOrder(OrderAnnotation.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class RandomRequestsIT {

    private static final long SEED = Long.getLong("laurel.fuzz.seed", System.nanoTime() & 0xFFFF_FFFFL);
    private static final int REQUESTS =
            Integer.getInteger("laurel.fuzz.requests", Boolean.getBoolean("laurel.full") ? 10_000 : 1_000);
    private static final String ONLY = System.getProperty("laurel.fuzz.only", ".*");
    /** Refused requests cost least. The others wait for the log, and edits wait for each other, so many run at once. */
    private static final int REFUSED = REQUESTS * 3 / 5;

    private static final int VIEWED = REQUESTS / 3;
    private static final int CONNECTIONS = 24;
    private static final int FAILURES_MAX = 20;

    private static final String RULESET = """
        {"metrics": {"laps": {}, "dives": {}},
         "attributes": {"user": {"plan": {}, "city": {}}, "event": {"pool": {}}},
         "achievements": {"hello": {"trigger": "api"}, "forty": {"trigger": "metric", "metric": "laps", "value": 40}},
         "points": {"gems": {"levels": {"otter": {"points": 10}}, "triggers":
           {"per-lap": {"type": "metric", "metric": "laps", "threshold": 1, "points": 2}}}},
         "leaderboards": {"all": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2026-01-01"},
           "cities": {"status": "active", "rankBy": "points", "pointsSystem": "gems", "start": "2026-01-01",
             "breakdownAttributes": ["city"]}},
         "streak": {"freezesEnabled": true, "personalizationEnabled": true}}
        """;

    private final ResponseCheck check = new ResponseCheck();

    @AutoClose
    private LaurelInstance instance;

    private LaurelClient laurel;
    private RandomRequests requests;
    private List<Operation> operations;

    @BeforeAll
    void start() throws InterruptedException {
        instance = LaurelInstance.start();
        laurel = instance.client();
        laurel.put("/admin/v1/ruleset", RULESET).expect(200);
        laurel.record("sentinel", "laps", "12");
        Set<String> mounted = instance.routes().keySet();
        operations = OpenApiDocument.all().stream()
                .flatMap(document -> document.operations().stream())
                .filter(operation ->
                        mounted.contains(operation.name()) && operation.name().matches(ONLY))
                .filter(operation -> !operation.id().equals("followEffects")) // Its answer has no end.
                .filter(operation -> !operation.id().equals("startReplay")) // It would run beside the other requests.
                .toList();
        System.out.println("random requests for " + operations.size() + " operations; " + replay());
        requests = new RandomRequests(SEED, instance.adminKey(), known(), operations);
    }

    private Map<String, List<String>> known() {
        JsonNode ruleset = laurel.get("/admin/v1/ruleset").expect(200).json();
        var known = new TreeMap<String, List<String>>();
        known.put("metrics.key", List.of("laps", "dives", "nothing"));
        known.put("achievements.key", List.of("hello", "forty", "nothing"));
        known.put("points.key", List.of("gems", "nothing"));
        known.put("leaderboards.key", List.of("all", "cities", "nothing"));
        known.put("attribute", List.of("plan", "city", "pool"));
        known.put("tz", List.of("Europe/Helsinki", "UTC", "Mars/Olympus"));
        known.put("defaultTimeZone", List.of("UTC", "Mars/Olympus"));
        known.put("systemKey", List.of("gems"));
        known.put("systemId", ids(ruleset, "points"));
        known.put("metricId", ids(ruleset, "metrics"));
        known.put("pointsSystemId", ids(ruleset, "points"));
        known.put("achievementId", ids(ruleset, "achievements"));
        known.put("attributeId", ids(ruleset.get("attributes"), "user"));
        known.put("year", List.of("2025", "2026", "0"));
        known.put("multiTenancyEnabled", List.of("no"));
        known.put("tier1", List.of("none"));
        known.put("tier2", List.of("none"));
        return known;
    }

    private static List<String> ids(JsonNode of, String kind) {
        return of.get(kind)
                .valueStream()
                .map(object -> object.get("id").stringValue())
                .toList();
    }

    /** Runs first, because the other tests change what this one reads, including tenancy. */
    @Test
    @Order(1)
    void shouldRefuseInvalidRequestsAndStoreNothing() throws Exception {
        String before = everything();
        Collection<String> failures = sendAll(
                REFUSED,
                requests::refused,
                (_, answer) -> answer.status() >= 400 && answer.status() < 500 ? null : "should have been refused");

        assertEquals(List.of(), List.copyOf(failures), this::replay);
        assertEquals(before, everything(), this::replay);
        assertFalse(laurel.user(RandomRequests.userOf(0)).exists());
    }

    /**
     * With the key, with a session, and with the cookie alone, as a page of another site could send it. Shows also that some of the
     * requests are answered, so that not all of them are malformed.
     */
    @Test
    @Order(2)
    void shouldLetAViewerChangeNothing() throws Exception {
        JsonResponse made = laurel.post("/admin/v1/admin-api-keys", "[{\"name\": \"Viewer\", \"role\": \"viewer\"}]")
                .expect(201);
        String viewer = made.string("/created/0/key");
        JsonResponse session = laurel.withKey(null)
                .post("/admin/v1/session", "{\"key\": \"" + viewer + "\"}")
                .expect(200);
        String cookie = "Cookie: " + session.header("Set-Cookie").replaceFirst(";.*", "");
        var withKey = new RandomRequests(SEED, viewer, known(), operations);
        List<RandomRequests> visitors = List.of(
                withKey,
                withKey.with(List.of(cookie, "X-CSRF-Token: " + session.string("/csrfToken"))),
                withKey.with(List.of(cookie)));
        // What changes nothing, and what needs no key: signing in and out.
        Set<String> ofViewers = operations.stream()
                .filter(operation ->
                        operation.json().path("x-role").asString("viewer").equals("viewer"))
                .map(Operation::name)
                .collect(Collectors.toSet());
        String before = everything();
        var statuses = new ConcurrentHashMap<Integer, LongAdder>();
        Collection<String> failures = sendAll(
                VIEWED,
                number -> {
                    RandomRequests visitor = visitors.get((int) (number % visitors.size()));
                    long of = 2L * REQUESTS + number;
                    return number % 4 == 0 ? visitor.anyMethod(of) : visitor.anything(of);
                },
                (sent, answer) -> {
                    statuses.computeIfAbsent(answer.status(), _ -> new LongAdder())
                            .increment();
                    String method = sent.request().method();
                    boolean isChange = !method.matches("GET|HEAD")
                            && !ofViewers.contains(
                                    method + " " + sent.operation().path());
                    return answer.status() >= 500
                            ? "a fault"
                            : isChange && answer.status() < 400 ? "a change by a viewer" : null;
                });

        assertEquals(List.of(), List.copyOf(failures), this::replay);
        assertEquals(before, everything(), this::replay);
        assertTrue(
                statuses.get(200).sum() > VIEWED / 20 && statuses.get(403).sum() > VIEWED / 10,
                () -> "only " + statuses);
        var outcomes = new TreeMap<String, Integer>();
        laurel.get("/admin/v1/audit?limit=100&author=" + made.string("/created/0/id"))
                .expect(200)
                .json()
                .forEach(record -> outcomes.merge(record.get("outcome").stringValue(), 1, Integer::sum));
        assertEquals(Set.of("refused"), outcomes.keySet());
    }

    @Test
    @Order(3)
    void shouldAnswerRandomRequestsAsDocumented() throws Exception {
        var refused = new ConcurrentLinkedQueue<Long>();
        var accepted = new LongAdder();
        Collection<String> failures =
                sendAll(REQUESTS - REFUSED, number -> requests.anything(REQUESTS + number), (sent, answer) -> {
                    if (answer.status() >= 500) {
                        return "a fault";
                    }
                    if (answer.status() >= 400) {
                        refused.add(sent.number());
                    } else {
                        accepted.increment();
                    }
                    return null;
                });

        assertEquals(List.of(), List.copyOf(failures), this::replay);
        // A request may have enabled tenants, after which requests without a tenant are refused.
        JsonResponse tenants = laurel.get("/admin/v1/tenants?limit=100");
        if (tenants.status() == 200 && !tenants.json().isEmpty()) {
            laurel.delete("/admin/v1/tenants?ids="
                            + tenants.json()
                                    .valueStream()
                                    .map(tenant -> tenant.get("id").stringValue())
                                    .collect(Collectors.joining(",")))
                    .expect(200);
        }
        laurel.patch("/admin/v1/settings", "{\"multiTenancyEnabled\": false}").expect(200);
        for (long number : refused) {
            assertFalse(
                    laurel.user(RandomRequests.userOf(number)).exists(),
                    () -> requests.anything(number) + " was refused, and made a user; " + replay());
        }
        // The test is meaningful only if some requests are accepted.
        assertTrue(accepted.sum() > REQUESTS / 10, () -> "only " + accepted + " were accepted");
    }

    /** Returns a problem of the response that the documents do not exclude; null: none. */
    private interface Judge {
        String problem(Numbered sent, ResponseCheck.Answer answer);
    }

    private Collection<String> sendAll(int count, LongFunction<Numbered> make, Judge judge) throws Exception {
        var address = URI.create(instance.url());
        var next = new AtomicLong();
        var failures = new ConcurrentLinkedQueue<String>();
        long startedNs = System.nanoTime();
        Concurrently.run(IntStream.range(0, CONNECTIONS)
                .<Callable<Void>>mapToObj(_ -> () -> {
                    try (var connection =
                            new RawConnection(new InetSocketAddress(address.getHost(), address.getPort()))) {
                        for (long number = next.getAndIncrement();
                                number < count && failures.size() < FAILURES_MAX;
                                number = next.getAndIncrement()) {
                            send(connection, make.apply(number), judge, failures);
                        }
                    }
                    return null;
                })
                .toList());
        double seconds = (System.nanoTime() - startedNs) / 1e9;
        System.out.printf(
                "%,d random requests took %.1f s, %.0f a second; %s%n", count, seconds, count / seconds, replay());
        return failures;
    }

    private void send(RawConnection connection, Numbered sent, Judge judge, Collection<String> failures) {
        ResponseCheck.Answer answer;
        try {
            answer = connection.send(sent.request());
        } catch (IOException e) {
            failures.add(sent + ": " + e);
            return;
        }
        var problems = new ArrayList<>(check.problemsOf(answer));
        String problem = judge.problem(sent, answer);
        if (problem != null) {
            problems.add(problem);
        }
        if (!problems.isEmpty()) {
            failures.add(sent.number() + " " + sent.request() + "\n  → " + answer + "\n  " + problems);
        }
    }

    /** Returns all reads of an operator that requests could have changed. */
    private String everything() {
        var all = new ArrayList<String>();
        for (String path : List.of(
                "/admin/v1/ruleset",
                "/admin/v1/settings",
                "/admin/v1/streaks/settings",
                "/admin/v1/users?limit=100",
                "/admin/v1/admin-api-keys",
                "/admin/v1/application-api-keys",
                "/admin/v1/webhooks",
                "/admin/v1/notifications/templates",
                "/admin/v1/notifications/channels",
                "/admin/v1/notifications/settings",
                "/admin/v1/ruleset/history?limit=100",
                "/admin/v1/audit?limit=100&outcome=accepted",
                "/admin/v1/audit?limit=100&outcome=unknown",
                "/admin/v1/users/sentinel/export")) {
            JsonResponse answer = laurel.get(path);
            all.add(answer.text() + answer.header("X-Laurel-Ruleset-Version"));
        }
        all.add(laurel.user("sentinel").profile().toString());
        // The last use of a key is recorded once a minute, and an export has its own time.
        return String.join("\n", all).replaceAll("\"(lastUsed|exported)\":(null|\"[^\"]*\")", "");
    }

    private String replay() {
        return "repeat with -Dlaurel.fuzz.seed=" + SEED + " -Dlaurel.fuzz.requests=" + REQUESTS;
    }
}
