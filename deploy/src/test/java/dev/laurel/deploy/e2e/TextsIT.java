package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.microsoft.playwright.Page;
import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.e2e.ConsoleBrowser.View;
import dev.laurel.deploy.e2e.ConsoleBrowser.Visit;
import dev.laurel.deploy.e2e.SentTexts.Faults;
import dev.laurel.deploy.e2e.SentTexts.Swimmer;
import dev.laurel.deploy.e2e.SentTexts.Way;
import dev.laurel.deploy.openapi.ResponseCheck;
import dev.laurel.processors.intake.DirectIntake;
import dev.laurel.schemas.input.UnicodeText;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.io.StringReader;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Sends random texts as ids, names, values of attributes, keys and names of tenants through every way in, and reads them by every
 * way out: what went in comes out, or is refused with a reason before anything is stored. {@code -Dlaurel.texts} sets the number
 * of texts, each of which is an id, a name, a value and a key; {@code -Dlaurel.texts.seed} repeats a run; with {@code
 * -Dlaurel.texts.minutes} further seeds follow until the time is over, 10 minutes with {@code -Dlaurel.full=true}.
 */
@ParameterizedClass(name = "seed {0}")
@MethodSource("seeds")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class TextsIT {

    private static final boolean IS_FULL = Boolean.getBoolean("laurel.full");
    private static final int TEXTS = Integer.getInteger("laurel.texts", IS_FULL ? 10_000 : 2_000);
    private static final long SEED = Long.getLong("laurel.texts.seed", System.nanoTime() & 0xFFFF_FFFFL);
    private static final int MINUTES = Integer.getInteger("laurel.texts.minutes", IS_FULL ? 10 : 0);

    private static final int EMAILS = 200;
    private static final int NAMES = 400;
    private static final int TENANTS = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-fA-F]{4})");

    private static final String TEMPLATE =
            "\"type\": \"reactivation\", \"channel\": \"email\", \"status\": \"inactive\", \"subject\":"
                    + " \"({{user.name}})\"";
    private static final String RULESET = """
        {"metrics": {%s},
         "attributes": {"user": {"note": {}, "city": {}, "plan": {"analytics": true}}, "event": {"pool": {}}},
         "achievements": {"first": {"trigger": "metric", "metric": "m0", "value": 1}},
         "points": {"gems": {"triggers": {"each": {"type": "metric", "metric": "m1", "threshold": 1, "points": 1}}}},
         "leaderboards": {
           "cities": {"status": "active", "rankBy": "metric", "metric": "m2", "start": "2026-01-01",
             "breakdownAttributes": ["city"]},
           "third": {"status": "active", "rankBy": "metric", "metric": "m3", "start": "2026-01-01"},
           "fourth": {"status": "active", "rankBy": "metric", "metric": "m4", "start": "2026-01-01"}},
         "webhooks": {"first": {"url": "%s", "events": ["achievement.completed"]}},
         "notifications": {"channels": {"email": {"from": "club@example.net", "fromName": "The club"}},
           "templates": {
             "plain": {%s, "body": "id ({{user.id}}) note ({{user.attributes.note}}) end"},
             "html": {%s, "body": "<p title='{{user.id}}'>id ({{user.id}}) note ({{user.attributes.note}}) end</p>"}}}}
        """;

    @TempDir
    private static Path folder;

    @Parameter
    long seed;

    private SentTexts texts;
    private Path scratch;
    private LaurelInstance laurel;
    private LaurelClient client;
    private WebhookReceiver hooks;
    private GreenMail mail;
    private long startedNs;
    private String firstDay;

    static Stream<Long> seeds() {
        long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        return Stream.concat(
                Stream.of(SEED), Stream.iterate(SEED + 1, _ -> System.nanoTime() - endNs < 0, seed -> seed + 1));
    }

    @BeforeParameterizedClassInvocation
    void send() throws Exception {
        startedNs = System.nanoTime();
        firstDay = Instant.now().toString().substring(0, 10);
        scratch = Files.createDirectory(folder.resolve(Long.toString(seed)));
        hooks = new WebhookReceiver();
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        laurel = LaurelInstance.start(scratch.resolve("data"));
        client = laurel.client();
        String metrics = IntStream.range(0, SentTexts.METRICS)
                .mapToObj("\"m%d\": {}"::formatted)
                .collect(Collectors.joining(", "));
        client.put("/admin/v1/ruleset", RULESET.formatted(metrics, hooks.url(), TEMPLATE, TEMPLATE))
                .expect(200);
        client.patch(
                        "/admin/v1/notifications/channels",
                        "{\"email\": {\"smtpUrl\": \"smtp://127.0.0.1:"
                                + mail.getSmtp().getPort() + "\"}}")
                .expect(200);
        texts = new SentTexts(seed, TEXTS, laurel, scratch);
        said("started");
        for (Way way : Way.values()) {
            texts.send(way, texts.some(one -> one.way() == way), false);
            said("first by " + way);
        }
        texts.awaitProcessed();
        said("processed");
        for (Way way : Way.values()) {
            texts.send(way, texts.some(one -> one.hasEvents() && one.way().next() == way), true);
        }
        texts.sendTwins();
        texts.awaitProcessed();
        said("sent again");
    }

    @AfterParameterizedClassInvocation
    void stop() {
        laurel.close();
        mail.stop();
        hooks.close();
        said("ended");
    }

    private void said(String step) {
        System.out.printf("texts, seed %d: %s after %.1f s%n", seed, step, (System.nanoTime() - startedNs) / 1e9);
    }

    @Test
    @Order(1)
    void shouldListUsersInOrder() {
        var faults = new Faults(seed);
        List<String> expected = texts.swimmers.stream()
                .filter(Swimmer::isAccepted)
                .map(Swimmer::id)
                .sorted(Comparator.comparing(
                        id -> id.replace("%", "%25").replace("/", "%2F").getBytes(UTF_8), Arrays::compareUnsigned))
                .toList();
        var found = new ArrayList<String>();
        String cursor = "";
        while (cursor != null) {
            JsonResponse page =
                    client.get("/admin/v1/users?sort=id&limit=100" + cursor).expect(200);
            page.json().forEach(user -> found.add(user.get("id").asString()));
            String next = page.header("X-Laurel-Next");
            cursor = next == null ? null : "&cursor=" + LaurelClient.encoded(next);
        }
        var missing = new HashSet<>(expected);
        found.forEach(missing::remove);
        missing.forEach(id -> faults.add("accepted and not stored", id, "no such user"));
        var more = new HashSet<>(found);
        expected.forEach(more::remove);
        more.forEach(id -> faults.add("refused or changed, and stored", id, "is a user"));
        if (missing.isEmpty() && more.isEmpty() && !expected.equals(found)) {
            int at = IntStream.range(0, found.size())
                    .filter(i -> !expected.get(i).equals(found.get(i)))
                    .findFirst()
                    .orElseThrow();
            faults.add(
                    "order",
                    expected.get(at),
                    "is not at " + at + ", where " + RandomTexts.shown(found.get(at)) + " is");
        }
        faults.expectNone();
    }

    @Test
    @Order(2)
    void shouldAnswerUsersAsTheyWereSent() throws Exception {
        var faults = new Faults(seed);
        texts.inParallel(texts.swimmers, (connection, one) -> {
            ResponseCheck.Answer answer =
                    texts.send(connection, "GET", "/v1/users/" + SentTexts.encoded(one.id()), null);
            if (!one.isAccepted()) {
                if (answer.status() < 400 || answer.status() >= 500) {
                    faults.add("a refused user", one.id(), answer.toString());
                }
                return;
            }
            if (answer.status() != 200) {
                faults.add("a user by path", one.id(), answer.toString());
                return;
            }
            expectUser(faults, "a user", one, SentTexts.json(answer));
        });
        texts.inParallel(texts.some(one -> one.hasEvents() && one.number() % 20 == 0), (connection, one) -> {
            ResponseCheck.Answer wrapped =
                    texts.send(connection, "GET", "/v1/users/" + SentTexts.encoded(one.id()) + "/wrapped", null);
            JsonNode byPool =
                    SentTexts.json(wrapped).at("/activity/entireYear/metrics/" + one.metric() + "/byAttribute/pool");
            if (!byPool.has(one.note())) {
                faults.add("a value of events", one.note(), byPool.toString());
            }
            ResponseCheck.Answer export =
                    texts.send(connection, "GET", "/admin/v1/users/" + SentTexts.encoded(one.id()) + "/export", null);
            JsonNode user = SentTexts.json(export).has("user")
                    ? SentTexts.json(export).get("user")
                    : SentTexts.json(export).path("profile");
            faults.expectSame("an export", one.id(), user.path("id").asString(null));
        });
        faults.expectNone();
    }

    private static void expectUser(Faults faults, String way, Swimmer one, JsonNode user) {
        faults.expectSame(way, one.id(), user.path("id").asString(null));
        faults.expectSame("the name of " + way, one.name(), user.path("name").asString(null));
        var attributes = new TreeMap<String, String>();
        user.path("attributes")
                .properties()
                .forEach(
                        entry -> attributes.put(entry.getKey(), entry.getValue().asString()));
        if (!attributes.equals(one.attributes())) {
            faults.add("attributes of " + way, one.note(), attributes.toString());
        }
    }

    @Test
    @Order(3)
    void shouldFindTextsOfQueries() throws Exception {
        var faults = new Faults(seed);
        List<Swimmer> withEvents = texts.some(Swimmer::hasEvents);
        List<List<Swimmer>> parts = parts(withEvents.subList(0, Math.min(withEvents.size(), 3000)), 7);
        texts.inParallel(parts, (connection, part) -> {
            int form = part.getFirst().number() % 3;
            String query = form == 0
                    ? "userIds="
                            + part.stream()
                                    .map(one -> SentTexts.encoded(one.id()))
                                    .collect(Collectors.joining(","))
                    : part.stream()
                            .map(one -> (form == 1 ? "userIds=" : "userIds[]=") + SentTexts.encoded(one.id()))
                            .collect(Collectors.joining("&"));
            ResponseCheck.Answer answer = texts.send(connection, "GET", "/v1/streaks?" + query, null);
            Set<String> found = SentTexts.json(answer)
                    .valueStream()
                    .map(entry -> entry.path("userId").asString(""))
                    .collect(Collectors.toSet());
            part.stream()
                    .filter(one -> !found.contains(one.id()))
                    .forEach(one -> faults.add("userIds", one.id(), "form " + form + " " + answer.status()));
        });
        texts.inParallel(texts.some(one -> one.isAccepted() && one.number() % 10 == 1), (connection, one) -> {
            ResponseCheck.Answer answer =
                    texts.send(connection, "GET", "/v1/streaks?userIds=" + SentTexts.encoded(one.id()), null);
            faults.expectSame(
                    "a single one in userIds",
                    one.id(),
                    SentTexts.json(answer).path(0).path("userId").asString(null));
            ResponseCheck.Answer search = texts.send(
                    connection,
                    "GET",
                    "/admin/v1/users?sort=match&limit=100&search=" + SentTexts.encoded(one.id()),
                    null);
            if (search.status() != 200
                    || SentTexts.json(search)
                            .valueStream()
                            .noneMatch(user -> user.get("id").asString().equals(one.id()))) {
                faults.add("a search by id", one.id(), search.toString());
            }
        });
        texts.inParallel(texts.some(one -> one.hasEvents() && one.city() != null), (connection, one) -> {
            String value = one.city().replace("\\", "\\\\").replace(",", "\\,");
            ResponseCheck.Answer answer = texts.send(
                    connection,
                    "GET",
                    "/v1/leaderboards/cities?limit=100&userAttributes=city:" + SentTexts.encoded(value),
                    null);
            if (answer.status() != 200
                    || SentTexts.json(answer)
                            .get("rankings")
                            .valueStream()
                            .noneMatch(place -> place.get("userId").asString().equals(one.id())
                                    && one.name().equals(place.get("userName").asString(null)))) {
                faults.add("userAttributes", one.city(), answer.toString());
            }
        });
        faults.expectNone();
    }

    /** docs/analytics.md §2, docs/admin-api.md B9. */
    @Test
    @Order(4)
    void shouldShowTextsInTablesAndTerminals() throws Exception {
        var faults = new Faults(seed);
        for (int i = 0; i < SentTexts.METRICS; i++) {
            String metric = "m" + i;
            String[] stats = {
                "report", "top-users", "metric=" + metric, "--url", laurel.url(), "--key", laurel.adminKey()
            };
            JsonNode series = JsonResponse.parse(run(with(stats, "--json"))).at("/series/0");
            List<Swimmer> top = top(metric);
            assertEquals(top.size(), series.get("id").size());
            for (int place = 0; place < top.size(); place++) {
                faults.expectSame(
                        "JSON of top-users",
                        top.get(place).id(),
                        series.get("id").get(place).asString());
                faults.expectSame(
                        "JSON of top-users",
                        top.get(place).name(),
                        series.get("name").get(place).asString(null));
            }
            try (var csv = CSVFormat.RFC4180
                    .builder()
                    .setHeader()
                    .setSkipHeaderRecord(true)
                    .get()
                    .parse(new StringReader(run(with(stats, "--csv"))))) {
                List<CSVRecord> rows = csv.getRecords();
                assertEquals(top.size(), rows.size());
                for (int place = 0; place < top.size(); place++) {
                    expectCell(faults, top.get(place).id(), rows.get(place).get("id"));
                    expectCell(faults, top.get(place).name(), rows.get(place).get("name"));
                }
            }
            String table = run(stats);
            faults.expectVisible("the table of top-users", table);
            List<String> lines = table.lines().skip(2).toList();
            if (lines.size() != top.size()) {
                faults.add("the table of top-users", metric, "has " + lines.size() + " lines");
            } else {
                for (int place = 0; place < top.size(); place++) {
                    expectPart(faults, "a line of top-users", top.get(place).id(), lines.get(place));
                    expectPart(faults, "a line of top-users", top.get(place).name(), lines.get(place));
                }
            }
        }
        expectSegments(faults);
        expectAudited(faults);
        faults.expectNone();
    }

    /** Later users have higher values. */
    private List<Swimmer> top(String metric) {
        return texts.swimmers.reversed().stream()
                .filter(one -> one.hasEvents() && one.metric().equals(metric))
                .limit(100)
                .toList();
    }

    private void expectSegments(Faults faults) {
        Set<String> plans = texts.swimmers.stream()
                .filter(one -> one.isAccepted() && one.hasEvents() && one.plan() != null)
                .map(Swimmer::plan)
                .collect(Collectors.toSet());
        String[] stats = {
            "report",
            "active-users",
            "segmentBy=plan",
            "from=" + firstDay,
            "--url",
            laurel.url(),
            "--key",
            laurel.adminKey()
        };
        JsonNode series = JsonResponse.parse(run(with(stats, "--json"))).get("series");
        Set<String> found = series.valueStream()
                .map(one -> one.at("/segment/plan").asString(""))
                .collect(Collectors.toSet());
        plans.stream()
                .filter(plan -> !found.contains(apartFrom("(other)", plan)))
                .forEach(plan -> faults.add("a segment", plan, found.toString()));
        String csv = run(with(stats, "--csv"));
        try (var rows = CSVFormat.RFC4180
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get()
                .parse(new StringReader(csv))) {
            Set<String> cells = rows.stream().map(row -> row.get("plan")).collect(Collectors.toSet());
            plans.stream()
                    .filter(plan -> !cells.contains(asCell(apartFrom("(other)", plan))))
                    .forEach(plan -> faults.add("a segment in CSV", plan, cells.toString()));
        } catch (IOException e) {
            throw new AssertionError(csv, e);
        }
        String table = run(stats);
        faults.expectVisible("the table of active-users", table);
        String titles = withoutEscapes(table.lines()
                .filter(line -> line.startsWith("active-users"))
                .collect(Collectors.joining("\n", "", "\n")));
        plans.forEach(plan -> expectWithin(
                faults,
                "a title of active-users",
                "plan " + apartFrom("(none)", apartFrom("(other)", plan)) + "\n",
                titles));
    }

    /** docs/analytics.md §1. */
    private static String apartFrom(String group, String value) {
        return value.matches("\\\\*" + Pattern.quote(group)) ? "\\" + value : value;
    }

    private void expectAudited(Faults faults) throws Exception {
        List<Swimmer> owners = texts.some(one -> one.isAccepted() && one.number() % 20 == 3);
        owners = owners.subList(0, owners.size() / 3 * 3);
        // The table names the first three objects of a record.
        List<List<Swimmer>> parts = parts(owners, 3);
        texts.inParallel(parts, (connection, part) -> {
            ResponseCheck.Answer answer = texts.send(
                    connection,
                    "POST",
                    "/admin/v1/application-api-keys",
                    part.stream()
                            .map(one -> "{\"role\":\"viewer\",\"userId\":" + RandomTexts.json(one.id()) + "}")
                            .collect(Collectors.joining(",", "[", "]")));
            if (answer.status() != 201) {
                faults.add("users of keys", part.getFirst().id(), answer.toString());
            }
        });
        String[] audit = {
            "report",
            "audit",
            "object=application key",
            "limit=10000",
            "--url",
            laurel.url(),
            "--key",
            laurel.adminKey()
        };
        List<String> named = run(with(audit, "--json"))
                .lines()
                .map(JsonResponse::parse)
                .flatMap(record -> record.get("objects").valueStream())
                .map(object -> object.get("name").asString(""))
                .toList();
        String csv = withoutEscapes(run(with(audit, "--csv")));
        String table = run(audit);
        String shown = withoutEscapes(table);
        faults.expectVisible("the table of audit", table);
        if (table.lines().count() != parts.size() + 1) {
            faults.add("the table of audit", "", "has " + table.lines().count() + " lines");
        }
        for (Swimmer one : owners) {
            if (!named.contains(one.id())) {
                faults.add("JSON of audit", one.id(), "is missing");
            }
            expectWithin(faults, "CSV of audit", one.id().replace("\"", "\"\""), csv);
            expectWithin(faults, "the table of audit", one.id(), shown);
        }
        for (Swimmer one :
                owners.subList(0, Math.min(100, owners.size()))) { // One after another: few such reads may run at once.
            if (client.get("/admin/v1/audit?limit=100&object=" + SentTexts.encoded(one.id()))
                    .expect(200)
                    .json()
                    .isEmpty()) {
                faults.add("a search in the audit log", one.id(), "finds nothing");
            }
        }
    }

    private static List<List<Swimmer>> parts(List<Swimmer> some, int size) {
        return IntStream.range(0, (some.size() + size - 1) / size)
                .mapToObj(i -> some.subList(i * size, Math.min(some.size(), (i + 1) * size)))
                .toList();
    }

    private static String run(String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertEquals(0, run.exitCode(), run.err());
        return run.out();
    }

    private static String[] with(String[] arguments, String... more) {
        return Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new);
    }

    /** docs/analytics.md §3. */
    private static String asCell(String text) {
        return text.matches("(?s)'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20].*") ? "'" + text : text;
    }

    private static void expectCell(Faults faults, String text, String cell) {
        faults.expectSame("a cell of CSV", asCell(text), cell);
    }

    private static void expectPart(Faults faults, String way, String text, String of) {
        expectWithin(faults, way, text, withoutEscapes(of));
    }

    /** @param of without escapes */
    private static void expectWithin(Faults faults, String way, String text, String of) {
        if (!of.contains(withoutEscapes(text))) {
            faults.add(way, text, RandomTexts.shown(of));
        }
    }

    private static String withoutEscapes(String text) {
        return ESCAPE.matcher(text)
                .replaceAll(escape ->
                        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 16))));
    }

    @Test
    @Order(5)
    void shouldCopyTextsIntoDatabases() throws Exception {
        var faults = new Faults(seed);
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setDataDirectory(scratch.resolve("postgres"))
                .start()) {
            for (String target : List.of(
                    "duckdb:" + scratch.resolve("laurel.duckdb"), postgres.getJdbcUrl("postgres", "postgres"))) {
                CommandRun run = CommandRun.of("sync", "--to", target, "--kafka", laurel.bootstrapServers(), "--once");
                assertEquals(0, run.exitCode(), run.err());
                String name = target.substring(0, target.indexOf(':'));
                expectRows(faults, name, target.startsWith("jdbc:") ? target : "jdbc:" + target);
            }
        }
        faults.expectNone();
    }

    private void expectRows(Faults faults, String database, String url) throws SQLException {
        Map<String, Swimmer> left =
                texts.swimmers.stream().filter(Swimmer::isAccepted).collect(Collectors.toMap(Swimmer::id, one -> one));
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            try (var row = statement.executeQuery("SELECT user_id, name, attributes FROM laurel.users")) {
                while (row.next()) {
                    Swimmer one = left.remove(row.getString(1));
                    if (one == null) {
                        faults.add("a user in " + database, row.getString(1), "is none");
                        continue;
                    }
                    faults.expectSame("a name in " + database, one.name().replace('\0', '\ufffd'), row.getString(2));
                    var attributes = new TreeMap<String, String>();
                    JsonResponse.parse(row.getString(3))
                            .properties()
                            .forEach(entry -> attributes.put(
                                    entry.getKey(), entry.getValue().asString()));
                    if (!attributes
                            .toString()
                            .equals(one.attributes().toString().replace('\0', '\ufffd'))) {
                        faults.add("attributes in " + database, one.note(), attributes.toString());
                    }
                }
            }
            left.values().forEach(one -> faults.add("a user in " + database, one.id(), "is missing"));
            Map<String, Swimmer> counted = texts.swimmers.stream()
                    .filter(Swimmer::hasEvents)
                    .collect(Collectors.toMap(Swimmer::id, one -> one));
            try (var row =
                    statement.executeQuery("SELECT user_id, sum(value) FROM laurel.metric_totals GROUP BY user_id")) {
                while (row.next()) {
                    Swimmer one = counted.remove(row.getString(1));
                    double expected = one == null ? 0 : one.value() + (SentTexts.isKey(one.twin()) ? 0.5 : 0);
                    if (row.getDouble(2) != expected) {
                        faults.add(
                                "keys of events by " + (one == null ? "nothing" : one.way()),
                                one == null ? row.getString(1) : one.key(),
                                "count " + row.getDouble(2) + " instead of " + expected
                                        + (one == null ? "" : ", beside " + RandomTexts.shown(one.twin())));
                    }
                }
            }
            counted.values().forEach(one -> faults.add("an event in " + database, one.id(), "is missing"));
            Map<String, Swimmer> ranked = texts.swimmers.stream()
                    .filter(one -> one.hasEvents() && one.city() != null)
                    .collect(Collectors.toMap(Swimmer::id, one -> one));
            try (var row = statement.executeQuery(
                    "SELECT user_id, group_values FROM laurel.leaderboard_rankings WHERE leaderboard = 'cities'")) {
                while (row.next()) {
                    Swimmer one = ranked.remove(row.getString(1));
                    faults.expectSame(
                            "a group in " + database,
                            one == null ? "none" : one.city(),
                            JsonResponse.parse(row.getString(2)).path(0).asString(null));
                }
            }
            ranked.values().forEach(one -> faults.add("a rank in " + database, one.id(), "is missing"));
        }
    }

    @Test
    @Order(6)
    void shouldSendTextsToWebhooks() throws Exception {
        var faults = new Faults(seed);
        Map<String, Swimmer> expected = texts
                .some(one -> one.hasEvents() && one.metric().equals("m0"))
                .stream()
                .collect(Collectors.toMap(Swimmer::id, one -> one));
        for (int count = expected.size(); count > 0; count--) {
            JsonNode user = hooks.next().json().get("user");
            Swimmer one = expected.remove(user.get("id").asString());
            if (one == null) {
                faults.add("a webhook", user.get("id").asString(), "is about nobody");
            } else {
                expectUser(faults, "a webhook", one, user);
            }
        }
        faults.expectNone();
    }

    @Test
    @Order(7)
    void shouldSendTextsByEmail() throws Exception {
        var faults = new Faults(seed);
        Map<String, String> templates = client.get("/admin/v1/notifications/templates")
                .expect(200)
                .json()
                .valueStream()
                .collect(Collectors.toMap(
                        one -> one.get("body").asString().startsWith("<") ? "html" : "plain",
                        one -> one.get("id").asString()));
        Map<String, Swimmer> expected = texts.some(one -> one.isAccepted() && one.number() % 5 == 4).stream()
                .limit(EMAILS)
                .collect(Collectors.toMap(one -> "u" + one.number() + "@example.net", one -> one));
        texts.inParallel(List.copyOf(expected.values()), (connection, one) -> {
            String template = templates.get(one.number() % 2 == 0 ? "html" : "plain");
            ResponseCheck.Answer answer = texts.send(
                    connection,
                    "POST",
                    "/admin/v1/notifications/templates/" + template + "/test",
                    "{\"userId\":" + RandomTexts.json(one.id()) + "}");
            if (answer.status() != 202) {
                faults.add("a test message", one.id(), answer.toString());
            }
        });
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertEquals(expected.size(), mail.getReceivedMessages().length));
        for (MimeMessage message : mail.getReceivedMessages()) {
            Swimmer one = expected.remove(message.getAllRecipients()[0].toString());
            if (one == null) {
                faults.add("an email", message.getAllRecipients()[0].toString(), "is for nobody");
                continue;
            }
            String subject = ("(" + inTemplates(one.name()) + ")")
                    .replaceAll("[\\p{Cntrl}\u0080-\u009f\\s\u2028\u2029]+", " ")
                    .strip();
            faults.expectSame(
                    "a subject",
                    subject.length() <= 255 ? subject : UnicodeText.cut(subject, 254) + "…",
                    message.getSubject());
            var parts = (MimeMultipart) message.getContent();
            String sent = "id (" + inTemplates(one.id()) + ") note (" + inTemplates(one.note()) + ") end";
            String plain = (String) parts.getBodyPart(0).getContent();
            if (one.number() % 2 == 0) { // Its text is that of the HTML, as a browser shows it.
                expectLines(faults, "the text of an email", inBrowsers(sent), inBrowsers(plain));
            } else {
                expectLines(faults, "the text of an email", sent, plain);
            }
            String html = (String) parts.getBodyPart(1).getContent();
            String shown = html.replaceAll("<[^>]*>", "")
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&quot;", "\"")
                    .replace("&#39;", "'")
                    .replace("&amp;", "&");
            expectLines(faults, "the HTML of an email", sent.replaceAll("\\s", ""), shown.replaceAll("\\s", ""));
            if (html.contains("<script") || html.contains("<img src=x")) {
                faults.add("the HTML of an email", one.id(), html);
            }
        }
        expected.values().forEach(one -> faults.add("an email", one.id(), "is missing"));
        faults.expectNone();
    }

    /** docs/admin-api.md B4 "Texts". */
    private static String inTemplates(String value) {
        return value.replaceAll("\\r(?=\n)|[\\p{Cntrl}&&[^\n\t]]", "");
    }

    private static String inBrowsers(String text) {
        return text.replaceAll("[\\s\u00a0]+", " ");
    }

    /** Lines of emails end as those of emails do. */
    private static void expectLines(Faults faults, String way, String text, String of) {
        if (!lines(of).contains(lines(text))) {
            faults.add(way, text, RandomTexts.shown(of));
        }
    }

    private static String lines(String text) {
        return text.replaceAll("\r\n|\r", "\n");
    }

    @Test
    @Order(8)
    void shouldShowTextsInElements() {
        var faults = new Faults(seed);
        try (ConsoleBrowser browser = ConsoleBrowser.start();
                Visit visit = browser.visit(laurel.url(), View.DESKTOP)) {
            Page page = visit.page();
            page.navigate("/elements/");
            List<Swimmer> owners = texts
                    .some(one -> one.hasEvents() && one.metric().equals("m1"))
                    .stream()
                    .limit(100)
                    .toList();
            JsonResponse keys = client.post(
                            "/admin/v1/application-api-keys",
                            "["
                                    + owners.stream()
                                            .map(one -> "{\"role\":\"viewer\",\"userId\":" + RandomTexts.json(one.id())
                                                    + "}")
                                            .collect(Collectors.joining(","))
                                    + "]")
                    .expect(201);
            var elements = new ArrayList<Map<String, String>>();
            for (int i = 0; i < owners.size(); i++) {
                elements.add(Map.of(
                        "element",
                        "laurel-points",
                        "system",
                        "gems",
                        "user",
                        owners.get(i).id(),
                        "api-key",
                        keys.string("/created/" + i + "/key")));
            }
            Map<String, String> anyone =
                    Map.of("user", owners.getFirst().id(), "api-key", keys.string("/created/0/key"));
            Stream.of("third", "fourth")
                    .forEach(board -> elements.add(
                            and(anyone, "element", "laurel-leaderboard", "board", board, "places", "100")));
            List<Swimmer> cities = texts.some(one -> one.hasEvents() && one.city() != null).stream()
                    .limit(100)
                    .toList();
            cities.forEach(one -> elements.add(and(
                    anyone,
                    "element",
                    "laurel-leaderboard",
                    "board",
                    "cities",
                    "user-attributes",
                    "city:" + one.city().replace("\\", "\\\\").replace(",", "\\,"))));
            var shown = (List<?>) page.evaluate("""
                async all => {
                  const made = all.map(({element, ...attributes}) => {
                    const one = document.createElement(element);
                    Object.entries(attributes).forEach(([name, value]) => one.setAttribute(name, value));
                    return one;
                  });
                  const answered = made.map(one => new Promise(resolve => ['laurel-load', 'laurel-error'].forEach(type =>
                    one.addEventListener(type, event => resolve(type + ' ' + (event.detail.message ?? event.detail.total))))));
                  document.body.replaceChildren(...made);
                  const events = await Promise.all(answered);
                  await Promise.all(made.map(one => one.updateComplete));
                  return made.map((one, i) => [events[i], ...[...one.shadowRoot.querySelectorAll('tbody th')].map(cell =>
                    [...cell.childNodes].filter(node => node.nodeType === 3).map(node => node.data).join(''))]);
                }\
                """, elements);
            for (int i = 0; i < owners.size(); i++) {
                faults.expectSame(
                        "the points of an element of "
                                + RandomTexts.shown(owners.get(i).id()),
                        "laurel-load " + owners.get(i).value(),
                        ((List<?>) shown.get(i)).getFirst().toString());
            }
            for (int i = 0; i < 2; i++) {
                List<String> names =
                        top("m" + (i + 3)).stream().map(Swimmer::name).toList();
                List<?> found = (List<?>) shown.get(owners.size() + i);
                for (int place = 0; place < names.size(); place++) {
                    faults.expectSame("a name in an element", names.get(place), String.valueOf(found.get(place + 1)));
                }
            }
            for (int i = 0; i < cities.size(); i++) {
                List<?> found = (List<?>) shown.get(owners.size() + 2 + i);
                if (!found.contains(cities.get(i).name())) {
                    faults.add("a group in an element", cities.get(i).city(), found.toString());
                }
            }
            assertEquals("undefined", page.evaluate("typeof attacked"));
        }
        faults.expectNone();
    }

    private static Map<String, String> and(Map<String, String> some, String... more) {
        var all = new HashMap<>(some);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    /** Names of objects: in bodies, in the document, in YAML and back. */
    @Test
    @Order(9)
    void shouldKeepNamesInTheRules() throws Exception {
        var faults = new Faults(seed);
        List<String> names =
                texts.swimmers.stream().map(Swimmer::name).limit(NAMES).toList();
        var expected = new TreeMap<String, String>();
        for (int from = 0; from < names.size(); from += 50) {
            int first = from;
            JsonResponse answer = client.post(
                            "/admin/v1/metrics",
                            IntStream.range(from, from + 50)
                                    .mapToObj(i -> "{\"key\":\"named-" + i + "\",\"name\":"
                                            + RandomTexts.json(names.get(i)) + "}")
                                    .collect(Collectors.joining(",", "[", "]")))
                    .expect(201);
            answer.at("/created").forEach(metric -> {
                String name =
                        names.get(Integer.parseInt(metric.get("key").asString().substring(6)));
                faults.expectSame(
                        "the name of a created object", name, metric.get("name").asString());
                expected.put(metric.get("key").asString(), name);
            });
            answer.at("/issues").forEach(issue -> {
                String name = names.get(first + issue.get("index").asInt());
                if (SentTexts.isText(name, 255)
                        || issue.get("message").asString().isBlank()) {
                    faults.add("the name of an object", name, issue.toString());
                }
            });
        }
        client.get("/admin/v1/ruleset").expect(200).at("/metrics").properties().stream()
                .filter(metric -> expected.containsKey(metric.getKey()))
                .forEach(metric -> faults.expectSame(
                        "a name in the ruleset",
                        expected.get(metric.getKey()),
                        metric.getValue().get("name").asString()));
        Path yaml = scratch.resolve("laurel.yaml");
        String[] connection = {"--url", laurel.url(), "--key", laurel.adminKey()};
        run(with(new String[] {"ruleset", "export", "-o", yaml.toString()}, connection));
        CommandRun same = CommandRun.of(with(new String[] {"ruleset", "diff", yaml.toString()}, connection));
        if (!same.out().startsWith("no changes")) {
            faults.add("names in YAML", "", same.toString());
        }
        Files.writeString(yaml, Files.readString(yaml).replace("  named-", "  again-"));
        String changes = run(with(new String[] {"ruleset", "diff", yaml.toString()}, connection));
        faults.expectVisible("differences of rules", changes);
        faults.expectNone();
    }

    @Test
    @Order(11)
    void shouldEraseWhomIdsName() throws Exception {
        var faults = new Faults(seed);
        List<Swimmer> erased = texts.some(one -> one.isAccepted() && one.number() % 40 == 5);
        List<List<Swimmer>> parts = parts(erased, 3);
        texts.inParallel(parts, (connection, part) -> {
            String separator = part.getFirst().number() % 2 == 0 ? "," : "&ids=";
            ResponseCheck.Answer answer = texts.send(
                    connection,
                    "DELETE",
                    "/admin/v1/users?ids="
                            + part.stream()
                                    .map(one -> SentTexts.encoded(one.id()))
                                    .collect(Collectors.joining(separator)),
                    null);
            List<String> deleted = SentTexts.json(answer)
                    .path("deleted")
                    .valueStream()
                    .map(one -> one.get("id").asString())
                    .toList();
            for (Swimmer one : part) {
                if (!deleted.contains(one.id())
                        || texts.send(connection, "GET", "/v1/users/" + SentTexts.encoded(one.id()), null)
                                        .status()
                                != 404) {
                    faults.add("an id to erase", one.id(), answer.toString());
                }
            }
        });
        faults.expectNone();
    }

    @Test
    @Order(12)
    void shouldTellTenantsApart() throws Exception {
        var faults = new Faults(seed);
        List<String> names =
                texts.swimmers.stream().map(Swimmer::id).limit(TENANTS).toList();
        client.patch(
                        "/admin/v1/settings",
                        "{\"multiTenancyEnabled\":true,\"firstTenant\":{\"customerId\":\"the first\"}}")
                .expect(200);
        var created = new ArrayList<String>();
        for (int from = 0; from < names.size(); from += 50) {
            List<String> part = names.subList(from, Math.min(from + 50, names.size()));
            JsonResponse answer = client.post(
                            "/admin/v1/tenants",
                            part.stream()
                                    .map(name -> "{\"customerId\":" + RandomTexts.json(name) + ",\"name\":"
                                            + RandomTexts.json(name) + "}")
                                    .collect(Collectors.joining(",", "[", "]")))
                    .expect(201);
            answer.at("/issues").forEach(issue -> {
                String name = part.get(issue.get("index").asInt());
                if (isTenant(name) || issue.get("message").asString().isBlank()) {
                    faults.add("a tenant", name, issue.toString());
                }
            });
            answer.at("/created").forEach(tenant -> {
                created.add(tenant.get("customerId").asString());
                if (!isTenant(created.getLast())) {
                    faults.add("a tenant", created.getLast(), "is created");
                }
                faults.expectSame(
                        "the name of a tenant",
                        tenant.get("customerId").asString(),
                        tenant.get("name").asString());
            });
        }
        created.stream()
                .filter(name -> !names.contains(name))
                .forEach(name -> faults.add("a tenant", name, "was not sent"));
        var listed = new HashSet<String>();
        for (int skip = 0; skip <= created.size(); skip += 100) {
            client.get("/admin/v1/tenants?limit=100&skip=" + skip)
                    .expect(200)
                    .json()
                    .forEach(tenant -> listed.add(tenant.get("customerId").asString()));
        }
        created.stream()
                .filter(name -> !listed.contains(name))
                .forEach(name -> faults.add("tenants", name, "is missing"));
        texts.inParallel(created, (connection, name) -> {
            List<String> headers = SentTexts.headersOf("Tenant-ID", name);
            ResponseCheck.Answer made = texts.send(
                    connection, "PUT", "/v1/users/one", "{\"name\":" + RandomTexts.json(name) + "}", headers.getLast());
            if (made.status() != 200) {
                faults.add("a name of a tenant in a header", name, headers.getLast() + " " + made);
            }
            if (texts.send(
                                    connection,
                                    "POST",
                                    "/admin/v1/application-api-keys",
                                    "[{\"userId\":\"one\"}]",
                                    headers.getFirst())
                            .status()
                    != 201) {
                faults.add("a tenant of the admin API", name, headers.getFirst());
            }
        });
        try (var producer = new DirectProducer(laurel.bootstrapServers())) {
            for (String name : created) {
                producer.produceAside(
                        name.replace("%", "%25").replace("/", "%2F") + "/two",
                        Instant.now(),
                        "{\"type\":\"identify\",\"user\":{\"id\":\"two\",\"name\":" + RandomTexts.json(name) + "}}");
            }
            producer.flush();
        }
        new LogCheck(laurel.bootstrapServers(), DirectProducer.DIRECT).awaitProcessed(DirectIntake.GROUP);
        texts.awaitProcessed();
        texts.inParallel(created, (connection, name) -> {
            for (String header : SentTexts.headersOf("Tenant-ID", name)) {
                for (String user : List.of("one", "two")) {
                    ResponseCheck.Answer answer = texts.send(connection, "GET", "/v1/users/" + user, null, header);
                    if (answer.status() != 200
                            || !name.equals(SentTexts.json(answer).path("name").asString(null))) {
                        faults.add("a user of a tenant", name, header + " " + answer);
                    }
                }
            }
        });
        expectTenantsShown(faults, created);
        faults.expectNone();
    }

    /** docs/admin-api.md A8. */
    private static boolean isTenant(String name) {
        IntPredicate isSpace = point -> Character.isWhitespace(point) || Character.isSpaceChar(point);
        return SentTexts.isText(name, 255)
                && name.codePoints().noneMatch(Character::isISOControl)
                && !isSpace.test(name.codePointAt(0))
                && !isSpace.test(name.codePointBefore(name.length()))
                && !name.matches("(?is)utf-8''.*");
    }

    private void expectTenantsShown(Faults faults, List<String> created) throws Exception {
        String[] audit = {
            "report",
            "audit",
            "operation=createApplicationKeys",
            "limit=10000",
            "--url",
            laurel.url(),
            "--key",
            laurel.adminKey()
        };
        var json = new HashSet<String>();
        run(with(audit, "--json"))
                .lines()
                .forEach(line -> json.add(JsonResponse.parse(line).get("tenant").asString("")));
        var cells = new HashSet<String>();
        try (var csv = CSVFormat.RFC4180
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get()
                .parse(new StringReader(run(with(audit, "--csv"))))) {
            csv.forEach(row -> cells.add(row.get("tenant")));
        }
        String table = run(audit);
        faults.expectVisible("tenants in a table", table);
        Path database = Files.createDirectory(scratch.resolve("tenants")).resolve("laurel.duckdb");
        CommandRun run =
                CommandRun.of("sync", "--to", "duckdb:" + database, "--kafka", laurel.bootstrapServers(), "--once");
        assertEquals(0, run.exitCode(), run.err());
        var rows = new HashSet<String>();
        try (var connection = DriverManager.getConnection("jdbc:duckdb:" + database);
                var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT tenant, name FROM laurel.users WHERE user_id IN ('one', 'two')")) {
            while (row.next()) {
                faults.expectSame("a tenant in a database", row.getString(2), row.getString(1));
                rows.add(row.getString(1));
            }
        }
        for (String name : created) {
            if (!json.contains(name) || !cells.contains(asCell(name)) || !rows.contains(name)) {
                faults.add(
                        "a tenant of records",
                        name,
                        json.contains(name) + " " + cells.contains(asCell(name)) + " " + rows.contains(name));
            }
            expectPart(faults, "a tenant in a table", name, table);
        }
        for (String name : created.stream().limit(10).toList()) {
            String header = SentTexts.headersOf("Tenant-ID", name).getFirst().substring("Tenant-ID: ".length());
            String webhook = client.send(
                            "POST",
                            "/admin/v1/webhooks",
                            "[{\"name\":\"of\",\"url\":\"" + hooks.url() + "\",\"events\":[\"streak.lost\"]}]",
                            "Tenant-ID",
                            header)
                    .expect(201)
                    .string("/created/0/id");
            client.send(
                            "POST",
                            "/admin/v1/webhooks/" + webhook + "/test",
                            "{\"event\":\"streak.lost\"}",
                            "Tenant-ID",
                            header)
                    .expect(202);
            String sent = hooks.next().header("Tenant-ID");
            faults.expectSame(
                    "the tenant of a webhook",
                    name,
                    sent.startsWith("UTF-8''")
                            ? URLDecoder.decode(sent.substring(7).replace("+", "%2B"), UTF_8)
                            : sent);
        }
    }

    /** Also what the answers to the other tests were. */
    @Test
    @Order(13)
    void shouldHaveRefusedWithReasons() {
        texts.faults.expectNone();
    }
}
