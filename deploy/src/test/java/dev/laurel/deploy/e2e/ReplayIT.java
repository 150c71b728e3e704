package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Replays the log of a running instance: under a draft, as a check of the state, and against a manipulated state. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class ReplayIT {

    private static final int USERS = 60;
    private static final int EVENTS = 300;
    private static final String USERS_CHANGELOG = LedgerConfig.APPLICATION_ID + "-users-changelog";

    @TempDir
    private Path dir;

    private final Map<String, Integer> laps = new TreeMap<>();
    private final List<Swim> swims = new ArrayList<>();

    /** @param before laps of the user until then */
    private record Swim(LocalDate day, int before, int laps) {

        /** Returns how many multiples of a number of laps were reached. */
        long reached(int multiple) {
            return (before + laps) / multiple - before / multiple;
        }

        boolean hasReached(int goal) {
            return before < goal && before + laps >= goal;
        }
    }

    @Test
    void shouldReportDifferencesOfADraftAndOfTheState() throws Exception {
        try (LaurelInstance laurel = LaurelInstance.start(dir.resolve("data"))) {
            laurel.client().put("/admin/v1/ruleset", SwimClub.RULESET).expect(200);
            swim(laurel);
            var check = new LogCheck(laurel.bootstrapServers());
            check.awaitProcessed(LedgerConfig.APPLICATION_ID);

            expectWhatIf(laurel);
            expectOtherCounts(laurel);
            expectShared(laurel);
            expectRefused(laurel);
            check.awaitProcessed(LedgerConfig.APPLICATION_ID);
            expectSound(laurel);

            spoil(laurel.bootstrapServers(), "swimmer-7", "swimmer-8");
            CommandRun spoilt = replay(laurel, "--from-scratch");
            assertEquals(1, spoilt.exitCode(), spoilt.out());
            assertTrue(spoilt.err().contains("the first one of user swimmer-7 in users"), spoilt.err());
            expectNothingLeft(laurel);
        }
    }

    /** An editor who is bound to a tenant tries rules for it, and learns nothing of the other tenant, which has more. */
    @Test
    void shouldTryRulesForOneOfTwoTenants() throws Exception {
        try (LaurelInstance laurel = LaurelInstance.start(dir.resolve("data"))) {
            laurel.client()
                    .patch("/admin/v1/settings", "{\"multiTenancyEnabled\": true}")
                    .expect(200);
            laurel.client().post("/admin/v1/tenants", """
                [{"customerId": "acme", "name": "Acme"}, {"customerId": "pool", "name": "Pool"}]\
                """).expect(201);
            String key = editorOf(laurel, "acme");
            LaurelClient acme = laurel.client().withKey(key);
            LaurelClient pool = laurel.client().withKey(editorOf(laurel, "pool"));
            String rules = """
                {"metrics": {"%1$s": {"name": "%1$s"}}, "points": {"gems": {"triggers":
                 {"each": {"type": "metric", "metric": "%1$s", "threshold": 1, "points": %2$d}}}}}\
                """;
            acme.put("/admin/v1/ruleset", rules.formatted("laps", 1)).expect(200);
            pool.put("/admin/v1/ruleset", rules.formatted("dives", 1)).expect(200);
            acme.record("ann", "laps", "3").expect(201);
            acme.record("ben", "laps", "4").expect(201);
            for (int i = 0; i < 30; i++) {
                pool.record("diver-" + i, "dives", "5").expect(201);
            }
            new LogCheck(laurel.bootstrapServers()).awaitProcessed(LedgerConfig.APPLICATION_ID);

            String path = "/admin/v1/replays/"
                    + acme.post(
                                    "/admin/v1/replays",
                                    "{\"name\": \"Double\", \"ruleset\": " + rules.formatted("laps", 2) + "}")
                            .expect(201)
                            .string("/id");
            expectHidden(pool, path);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> acme.get(path).string("/state"), "finished"::equals);

            JsonResponse replay = acme.get(path).expect(200);
            assertEquals(
                    "{\"users\":2,\"different\":2,\"onlyOtherRank\":0}",
                    replay.at("/result").toString());
            JsonNode report = acme.get(path + "/report").expect(200).json();
            assertEquals(
                    "{\"acme/gems\":{\"before\":7,\"after\":14,\"users\":2,\"changes\":[{\"from\":2,\"to\":4,"
                            + "\"users\":2}]}}",
                    report.at("/totals/points").toString());
            assertEquals(
                    "{\"acme\":{\"users\":2,\"different\":2,\"onlyOtherRank\":0}}",
                    report.at("/totals/tenants").toString());
            assertEquals(1, report.get("counts").size());
            assertEquals("acme", report.at("/counts/0/tenant").asString());
            report.at("/counts/0/series")
                    .valueStream()
                    .filter(one -> nameOf(one).equals("events laps events"))
                    .forEach(one -> assertEquals(2, one.at("/after/total").asInt()));
            assertFalse(report.has("records"));
            String csv = csv(acme.url() + path + "/report", key);
            assertTrue(csv.contains("ann") && csv.contains("gems"), csv);
            for (String shown : List.of(
                    report.toString(),
                    csv,
                    acme.get(path + "/ruleset").expect(200).text())) {
                assertFalse(Pattern.compile("pool|div(e|er)").matcher(shown).find(), shown);
            }
            expectHidden(pool, path);
            acme.post(path + "/promote", "{\"baseVersion\": 1}").expect(403);
            acme.delete(path).expect(200);
            acme.get(path).expect(404);
        }
    }

    private static String editorOf(LaurelInstance laurel, String tenant) {
        return laurel.client()
                .post(
                        "/admin/v1/admin-api-keys",
                        "[{\"name\": \"k\", \"role\": \"editor\", \"tenant\": \"" + tenant + "\"}]")
                .expect(201)
                .string("/created/0/key");
    }

    private static String csv(String url, String key) throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create(url))
                                    .header("X-API-KEY", key)
                                    .header("Accept", "text/csv")
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static void expectHidden(LaurelClient other, String path) {
        assertEquals("[]", other.get("/admin/v1/replays").expect(200).text());
        for (String below : List.of("", "/ruleset", "/report")) {
            other.get(path + below).expect(404);
        }
        other.delete(path).expect(404);
    }

    private void expectSound(LaurelInstance laurel) throws IOException {
        Path json = dir.resolve("sound.json");

        CommandRun sound = replay(laurel, "--from-scratch", "--json", json.toString());

        assertEquals(0, sound.exitCode(), sound.err());
        assertTrue(sound.out().contains("The running state is the fold of the log"), sound.out());
        JsonNode series = Json.read(Files.readAllBytes(json), JsonNode.class).at("/counts/0/series");
        assertTrue(sound.out().contains("All " + series.size() + " series of counts are equal, "), sound.out());
        for (JsonNode one : series) {
            assertTrue(one.get("equal").asBoolean(), one.toString());
            assertEquals(one.get("before"), one.get("after"));
        }
        assertEquals(EVENTS, total(series, "events", "laps-swum", "events", "before"));
        assertEquals(USERS, total(series, "active-users", "", "newUsers", "before"));
    }

    private static long total(JsonNode series, String report, String object, String column, String state) {
        return StreamSupport.stream(series.spliterator(), false)
                .filter(one -> one.get("report").asString().equals(report)
                        && one.get("object").asString().equals(object)
                        && one.get("column").asString().equals(column))
                .map(one -> one.at("/" + state + "/total").asLong())
                .findFirst()
                .orElseThrow();
    }

    /** The same laps on every run, with different users, over three days. */
    private void swim(LaurelInstance laurel) {
        Instant began = Instant.now().minus(Duration.ofDays(3));
        try (var producer = new DirectProducer(laurel.bootstrapServers())) {
            for (int event = 0; event < EVENTS; event++) {
                String user = "swimmer-" + event % USERS;
                int value = 1 + event * 7 % 13;
                Instant at = began.plus(Duration.ofMinutes(14L * event));
                producer.sendAside(user, at, DirectProducer.event(user, "laps-swum", Integer.toString(value)));
                swims.add(new Swim(LocalDate.ofInstant(at, ZoneOffset.UTC), laps.getOrDefault(user, 0), value));
                laps.merge(user, value, Integer::sum);
            }
            producer.flush();
        }
    }

    private void expectWhatIf(LaurelInstance laurel) throws IOException {
        Path draft = Files.writeString(
                dir.resolve("thirty.yaml"), SwimClub.RULESET.replace("\"value\": 40", "\"value\": 30"));
        Path json = dir.resolve("report.json");
        Path csv = dir.resolve("report.csv");

        CommandRun run =
                replay(laurel, "--ruleset", draft.toString(), "--json", json.toString(), "--csv", csv.toString());

        var concerned = new TreeSet<String>();
        laps.forEach((user, value) -> {
            if (value >= 30 && value < 40) {
                concerned.add(user);
            }
        });
        assertTrue(concerned.size() > 5 && concerned.size() < USERS - 5, "too few or too many: " + concerned);
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(
                run.out().startsWith(concerned.size() + " of 60 users would have something different.\n"), run.out());
        JsonNode report = Json.read(Files.readAllBytes(json), JsonNode.class);
        var told = new TreeSet<String>();
        for (JsonNode user : report.get("users")) {
            told.add(user.get("user").asString());
            assertEquals("forty-laps", user.get("differences").get(0).get("key").asString());
            assertEquals(1, user.get("differences").size(), user.toString());
        }
        assertEquals(concerned, told);
        assertEquals(
                concerned.size(),
                report.at("/totals/achievements/forty-laps/gained").asInt());
        assertEquals(0, report.get("notCompared").asInt());
        var lines = new TreeSet<String>();
        concerned.forEach(user -> lines.add(user + ",,achievement,forty-laps,0,1,,,"));
        assertEquals(lines, new TreeSet<>(Files.readAllLines(csv).subList(1, concerned.size() + 1)));
        assertEquals(
                completionLines(report.at("/counts/0/periods")),
                Files.readAllLines(csv).stream()
                        .filter(line -> line.startsWith(",,achievements.completions,"))
                        .toList());
    }

    private List<String> completionLines(JsonNode periods) {
        var before = perDay(swim -> swim.hasReached(40) ? 1 : 0);
        var after = perDay(swim -> swim.hasReached(30) ? 1 : 0);
        var lines = new ArrayList<String>();
        periods.forEach(period -> {
            LocalDate day = LocalDate.parse(period.asString());
            lines.add(",,achievements.completions,forty-laps," + before.getOrDefault(day, 0L) + ","
                    + after.getOrDefault(day, 0L) + ",,," + day);
        });
        return lines;
    }

    /** What each state counts, by a second computation from all events. */
    private void expectOtherCounts(LaurelInstance laurel) throws IOException {
        Path draft = Files.writeString(
                dir.resolve("generous.yaml"),
                SwimClub.RULESET
                        .replace("\"first-dive\":", """
                            "thirty-laps": {"trigger": "metric", "metric": "laps-swum", "value": 30},
                            "first-dive":\
                            """)
                        .replace("\"maxPoints\": 500,", "\"maxPoints\": 500, \"levels\": {\"fin\": {\"points\": 100}},")
                        .replace("\"points\": 20", "\"points\": 30"));
        Path json = dir.resolve("generous.json");

        CommandRun run = replay(laurel, "--ruleset", draft.toString(), "--json", json.toString());

        assertEquals(0, run.exitCode(), run.err());
        JsonNode counts = Json.read(Files.readAllBytes(json), JsonNode.class).at("/counts/0");
        long fins = laps.values().stream().filter(of -> of / 10 * 30 > 100).count();
        long thirties = laps.values().stream().filter(of -> of >= 30 && of < 40).count();
        long forties = laps.values().stream().filter(of -> of >= 40).count();
        assertTrue(fins > 5 && fins < USERS && thirties > 5, "too few or too many: " + fins + ", " + thirties);
        var expected = new TreeMap<String, String>();
        expected.put(
                "points gems awarded",
                perDay(swim -> 20 * swim.reached(10)) + " -> " + perDay(swim -> 30 * swim.reached(10)));
        expected.put("points gems usersByLevel (none)", USERS + " -> " + (USERS - fins));
        expected.put("points gems usersByLevel fin", "null -> " + fins);
        expected.put("achievements thirty-laps completions", "null -> " + perDay(swim -> swim.hasReached(30) ? 1 : 0));
        expected.put(
                "achievements laps-swum usersByHighest (none)",
                USERS - forties + " -> " + (USERS - thirties - forties));
        expected.put("achievements laps-swum usersByHighest thirty-laps", "null -> " + thirties);
        var different = new TreeMap<String, String>();
        counts.get("series").forEach(one -> {
            if (!one.get("equal").asBoolean()) {
                different.put(nameOf(one), state(counts, one.get("before")) + " -> " + state(counts, one.get("after")));
            }
        });
        assertEquals(expected, different);
        assertTrue(run.out().contains("points awarded of gems"), run.out());
        assertTrue(run.out().contains("   +50 %\n"), run.out());
        assertTrue(
                run.out().contains("\n6 of " + counts.get("series").size() + " series of counts differ, "), run.out());
    }

    /**
     * Two members of a run have the same report as the process that has replayed alone. With {@code laurel.slow}, the first one is a
     * process that is killed while it reads the log, so that the second one finishes what both have begun.
     */
    private void expectShared(LaurelInstance laurel) throws Exception {
        Path alone = dir.resolve("generous.json");
        Path shared = dir.resolve("shared.json");
        String[] options = {
            "--id",
            "night",
            "--ruleset",
            dir.resolve("generous.yaml").toString(),
            "--at",
            Json.read(Files.readAllBytes(alone), JsonNode.class).get("at").asString(),
            "--json",
            shared.toString()
        };
        CommandRun other = null;
        CommandRun member;
        if (Boolean.getBoolean("laurel.slow")) {
            try (var killed = new ReplayProcess(dir.resolve("killed"), laurel.bootstrapServers(), options)) {
                Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> isRead(laurel));
                killed.kill();
            }
            member = replay(laurel, options);
        } else {
            CompletableFuture<CommandRun> beside = CompletableFuture.supplyAsync(
                    () -> replay(laurel, options),
                    task -> Thread.ofPlatform().daemon().start(task));
            member = replay(laurel, options);
            other = beside.get(1, TimeUnit.MINUTES);
            assertEquals(0, other.exitCode(), other.err());
            assertEquals(member.out(), other.out());
        }

        assertEquals(0, member.exitCode(), member.err());
        assertTrue(member.out().contains("\n6 of "), member.out());
        assertEquals(untimed(alone), untimed(shared));
        CommandRun late = replay(laurel, options);
        assertEquals(0, late.exitCode(), late.err());
        assertEquals(member.out(), late.out());
        assertTrue(late.err().contains("the report is on "), late.err());
        CommandRun refused = replay(laurel, "--id", "night", "--from-scratch");
        assertEquals(1, refused.exitCode(), refused.out());
        assertTrue(
                refused.err().contains("--ruleset differs from what the replay 'night' was begun with"), refused.err());
        CommandRun clean = replay(laurel, "--clean", "--yes");
        assertTrue(clean.out().contains("1 topic\n  topic laurel.replay-run-g"), clean.out() + clean.err());
    }

    /** Returns whether a process reads the log for a report. */
    private static boolean isRead(LaurelInstance laurel) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", laurel.bootstrapServers()))) {
            return admin.listGroups().all().get().stream()
                    .anyMatch(group -> group.groupId().matches("laurel-ledger-g\\d{10}"));
        }
    }

    private static JsonNode untimed(Path report) throws IOException {
        var json = (ObjectNode) Json.read(Files.readAllBytes(report), JsonNode.class);
        json.remove("seconds");
        return json;
    }

    private static String nameOf(JsonNode series) {
        return series.get("report").asString() + " " + series.get("object").asString() + " "
                + series.get("column").asString()
                + (series.get("entry").isNull() ? "" : " " + series.get("entry").asString());
    }

    /** Returns the numbers of days that are not 0, or of present users. */
    private static String state(JsonNode counts, JsonNode figures) {
        if (figures.isNull()) {
            return "null";
        }
        if (figures.get("numbers").isEmpty()) {
            return figures.get("total").asString();
        }
        var days = new TreeMap<LocalDate, Long>();
        for (int i = 0; i < counts.get("periods").size(); i++) {
            long number = figures.get("numbers").get(i).asLong();
            if (number != 0) {
                days.put(LocalDate.parse(counts.get("periods").get(i).asString()), number);
            }
        }
        return days.toString();
    }

    /** Returns the sums of days that are not 0. */
    private SortedMap<LocalDate, Long> perDay(ToLongFunction<Swim> count) {
        var days = new TreeMap<LocalDate, Long>();
        swims.forEach(swim -> days.merge(swim.day(), count.applyAsLong(swim), Long::sum));
        days.values().removeIf(number -> number == 0);
        return days;
    }

    private void expectRefused(LaurelInstance laurel) throws IOException {
        Path broken = Files.writeString(
                dir.resolve("broken.yaml"),
                SwimClub.RULESET.replace("\"metric\": \"dives\", \"value\"", "\"metric\": \"divs\", \"value\""));

        CommandRun run = replay(laurel, "--ruleset", broken.toString());

        assertEquals(1, run.exitCode());
        assertEquals(CommandRun.of("ruleset", "validate", broken.toString()).err(), run.err());
    }

    private CommandRun replay(LaurelInstance laurel, String... options) {
        return CommandRun.of(Stream.concat(
                        Stream.of(
                                "replay",
                                "--kafka",
                                laurel.bootstrapServers(),
                                "--state-dir",
                                dir.resolve("work").toString()),
                        Stream.of(options))
                .toArray(String[]::new));
    }

    /** Copies the state of one user to another, bypassing the log. */
    private static void spoil(String bootstrapServers, String user, String giver) {
        var newest = new HashMap<String, ConsumerRecord<byte[], byte[]>>();
        new TopicReader(bootstrapServers)
                .readAll(USERS_CHANGELOG)
                .forEach(record -> newest.put(new String(record.key(), UTF_8), record));
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", bootstrapServers),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                    USERS_CHANGELOG,
                    newest.get(user).partition(),
                    newest.get(user).key(),
                    newest.get(giver).value()));
        }
    }

    private void expectNothingLeft(LaurelInstance laurel) throws Exception {
        try (Stream<Path> left = Files.list(dir.resolve("work"))) {
            assertEquals(List.of(), left.toList());
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", laurel.bootstrapServers()))) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() ->
                            admin.listTopics().names().get().stream().noneMatch(name -> name.matches(".*-g\\d+.*")));
            assertTrue(StreamSupport.stream(admin.listGroups().all().get().spliterator(), false)
                    .noneMatch(group -> group.groupId().matches(".*-g\\d+")));
        }
    }
}
