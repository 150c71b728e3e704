package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.MarkdownFile;
import dev.laurel.processors.runtime.LedgerConfig;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests that the tables of a database have what the API answers, for users with events of all kinds, late ones among them, other rules in
 * between, and erasures, while the sync is killed; and that nothing of erased users is left. With {@code -Dlaurel.full=true} there are
 * 10,000 users.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class SyncIT {

    private static final boolean IS_FULL = Boolean.getBoolean("laurel.full");
    private static final int USERS = Integer.getInteger("laurel.sync.users", IS_FULL ? 10_000 : 30);
    private static final int COMMANDS = Integer.getInteger("laurel.sync.commands", IS_FULL ? 200_000 : 600);
    private static final Duration PERIOD = Duration.ofDays(60);
    private static final Duration PATIENCE = Duration.ofMinutes(IS_FULL ? 5 : 1);

    /** Each user's rows of a view as lines, in order. */
    private static final Map<String, String> VIEWS = Map.of(
            "metrics",
            "SELECT user_id, metric, day, value, events FROM laurel.metric_totals ORDER BY metric, day",
            "points",
            "SELECT user_id, points_system, sum(points) FROM laurel.points_totals GROUP BY user_id, points_system",
            "awards",
            "SELECT user_id, points_system, points, total, trigger_type FROM laurel.points_awards"
                    + " ORDER BY points_system, sequence",
            "achievements",
            "SELECT user_id, achievement, completed_at FROM laurel.achievement_completions",
            "freezes",
            "SELECT user_id, first_day FROM laurel.streak_freezes",
            "streak",
            "SELECT user_id, streak_length, streak_freezes FROM laurel.users",
            "rankings",
            "SELECT user_id, leaderboard, run, rank, value FROM laurel.leaderboard_rankings");

    private static final List<String> TABLES =
            List.of("users", "days", "completions", "awards", "periods", "participants");

    @TempDir
    private Path scratch;

    @AutoClose
    private EmbeddedPostgres postgres;

    private String url;

    @BeforeEach
    void startPostgres() throws Exception {
        postgres = EmbeddedPostgres.builder()
                .setDataDirectory(scratch.resolve("postgres"))
                .start();
        url = postgres.getJdbcUrl("postgres", "postgres");
    }

    @Test
    void shouldHaveWhatTheApiAnswers() throws Exception {
        try (var laurel = LaurelInstance.start(scratch.resolve("data"))) {
            LaurelClient client = laurel.client();
            var anything = new RandomCommands(20261127, USERS, Instant.now().minus(PERIOD), PERIOD.dividedBy(COMMANDS));
            client.put("/admin/v1/ruleset", RandomCommands.RULESET).expect(200);
            send(laurel, anything, 0, COMMANDS / 2);
            killWhileLoading(laurel);
            followWhile(laurel, () -> {
                send(laurel, anything, COMMANDS / 2, COMMANDS);
                awaitSame(laurel);
                assertAllViewsHaveRows();
                client.put("/admin/v1/ruleset", RandomCommands.NEXT_RULESET).expect(200);
                awaitSame(laurel);
                return null;
            });
            stopWhileFollowing(laurel);
            String erased = someUser();
            client.send("DELETE", "/admin/v1/users?ids=" + erased, null).expect(200);
            client.record("user-1", "laps", "5.5");
            awaitQuiet(laurel);
            String[] targets = {url, "duckdb:" + scratch.resolve("laurel.duckdb")};
            for (String target : targets) {
                long startedNs = System.nanoTime();
                var run = CommandRun.of(
                        "sync", "--to", target, "--kafka", laurel.bootstrapServers(), "--once", "--reload");
                double seconds = (System.nanoTime() - startedNs) / 1e9;
                assertEquals(0, run.exitCode(), run.err());
                String jdbc = target.startsWith("jdbc:") ? target : "jdbc:" + target;
                Map<String, Map<String, List<String>>> rows = rows(jdbc);
                assertEquals(Map.of(), differences(client, rows), target);
                assertErased(client, jdbc, erased);
                runDocumentedQueries(jdbc);
                var again = CommandRun.of("sync", "--to", target, "--kafka", laurel.bootstrapServers(), "--once");
                assertEquals(run.out(), again.out(), again.err());
                System.out.printf(
                        "%s in %.1f s: %s%n", target, seconds, run.out().replaceAll("\\s+", " "));
            }
            assertBeginsAnew(laurel, "UPDATE laurel.sync_state SET generation = 99");
            client.record("user-1", "laps", "1");
            awaitQuiet(laurel);
            assertBeginsAnew(laurel, "UPDATE laurel.sync_state SET confirmed_ms = confirmed_ms - 46800000");
            assertErrors(laurel);
        }
    }

    private static void send(LaurelInstance laurel, RandomCommands anything, int from, int to) {
        try (var producer = new DirectProducer(laurel.bootstrapServers())) {
            for (int number = from; number < to; number++) {
                RandomCommands.Sent sent = anything.next(number);
                producer.sendAside(sent.user(), sent.at(), sent.json());
            }
            producer.flush();
        }
    }

    private static Process sync(LaurelInstance laurel, String to) throws Exception {
        return LaurelProcess.start("sync", "--to", to, "--kafka", laurel.bootstrapServers());
    }

    /** Runs something while a sync follows, which is killed at its end. */
    private void followWhile(LaurelInstance laurel, Callable<Void> something) throws Exception {
        Process following = sync(laurel, url);
        try {
            something.call();
            assertTrue(following.isAlive(), "the sync has ended");
        } finally {
            following.destroyForcibly().waitFor();
        }
    }

    private void killWhileLoading(LaurelInstance laurel) throws Exception {
        Process sync = sync(laurel, url);
        try {
            Awaitility.await().atMost(PATIENCE).until(() -> sync.isAlive() && hasRows());
        } finally {
            sync.destroyForcibly().waitFor();
        }
    }

    /** SIGTERM ends a sync at once and without an error. */
    private void stopWhileFollowing(LaurelInstance laurel) throws Exception {
        Path log = scratch.resolve("sync.log");
        Process sync = LaurelProcess.start(log, "sync", "--to", url, "--kafka", laurel.bootstrapServers());
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(log) && Files.readString(log).contains("The tables have everything"));
            sync.toHandle().destroy();
            assertTrue(sync.waitFor(10, TimeUnit.SECONDS), "the sync does not end");
            assertEquals(143, sync.exitValue(), () -> read(log));
            assertFalse(read(log).contains("ERROR"), () -> read(log));
        } finally {
            sync.destroyForcibly().waitFor();
        }
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean hasRows() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM laurel.users")) {
            return row.next() && row.getLong(1) > 0;
        } catch (SQLException e) {
            if ("42P01".equals(e.getSQLState()) || "3F000".equals(e.getSQLState())) {
                return false; // not created yet
            }
            throw e;
        }
    }

    private void awaitSame(LaurelInstance laurel) {
        awaitQuiet(laurel);
        Awaitility.await()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .untilAsserted(() -> assertEquals(Map.of(), differences(laurel.client(), rows(url))));
    }

    private static void awaitQuiet(LaurelInstance laurel) {
        new LogCheck(laurel.bootstrapServers()).awaitQuiet(LedgerConfig.APPLICATION_ID);
        new LogCheck(laurel.bootstrapServers(), "laurel.scores").awaitQuiet(LedgerConfig.BOARDS_APPLICATION_ID);
    }

    private static String someUser() {
        return "user-0";
    }

    /** The rows of each view, by user. */
    private static Map<String, Map<String, List<String>>> rows(String jdbc) throws SQLException {
        var rows = new HashMap<String, Map<String, List<String>>>();
        try (Connection connection = DriverManager.getConnection(jdbc);
                Statement statement = connection.createStatement()) {
            for (var view : VIEWS.entrySet()) {
                try (var row = statement.executeQuery(view.getValue())) {
                    int columns = row.getMetaData().getColumnCount();
                    while (row.next()) {
                        var line = new ArrayList<String>();
                        for (int column = 2; column <= columns; column++) {
                            line.add(text(row.getObject(column)));
                        }
                        rows.computeIfAbsent(row.getString(1), _ -> new HashMap<>())
                                .computeIfAbsent(view.getKey(), _ -> new ArrayList<>())
                                .add(String.join(" ", line));
                    }
                }
            }
        }
        return rows;
    }

    private static String text(Object value) {
        return switch (value) {
            case null -> "-";
            case BigDecimal number -> plain(number);
            case java.sql.Timestamp time -> time.toInstant().toString();
            default -> value.toString();
        };
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    /** What the tables have of each user beside what the API answers; empty if both are the same. */
    private static Map<String, String> differences(LaurelClient client, Map<String, Map<String, List<String>>> rows) {
        var differences = new HashMap<String, String>();
        for (int number = 0; number < USERS; number++) {
            String user = "user-" + number;
            JsonResponse answer = client.get("/admin/v1/users/" + user + "/export");
            Map<String, List<String>> found = rows.getOrDefault(user, Map.of());
            if (answer.status() == 404) {
                if (!found.isEmpty()) {
                    differences.put(user, "is erased and has " + found);
                }
                continue;
            }
            Map<String, List<String>> expected = expected(answer.expect(200).json());
            for (String view : VIEWS.keySet()) {
                var of = new TreeSet<>(found.getOrDefault(view, List.of()));
                var wanted = new TreeSet<>(expected.getOrDefault(view, List.of()));
                if (!of.equals(wanted)) {
                    var missing = new TreeSet<>(wanted);
                    missing.removeAll(of);
                    of.removeAll(wanted);
                    differences.put(user + " " + view, "missing " + missing + ", too many " + of);
                }
            }
        }
        return differences;
    }

    /** No view is the same only because it is empty. */
    private void assertAllViewsHaveRows() throws SQLException {
        var seen = new TreeSet<String>();
        rows(url).values().forEach(views -> seen.addAll(views.keySet()));
        assertEquals(new TreeSet<>(VIEWS.keySet()), seen);
    }

    private static Map<String, List<String>> expected(JsonNode export) {
        var expected = new HashMap<String, List<String>>();
        for (JsonNode metric : export.get("metrics")) {
            for (JsonNode day : metric.get("days")) {
                add(
                        expected,
                        "metrics",
                        metric.get("key").asString(),
                        day.get("date").asString(),
                        plain(day.get("change").decimalValue()),
                        day.get("events").asString());
            }
        }
        for (JsonNode system : export.get("points")) {
            String key = system.get("key").asString();
            add(expected, "points", key, plain(system.get("total").decimalValue()));
            for (JsonNode award : system.get("awards")) {
                add(
                        expected,
                        "awards",
                        key,
                        award.get("awarded").asString(),
                        award.get("total").asString(),
                        award.get("trigger").get("type").asString());
            }
        }
        for (JsonNode achievement : export.get("achievements")) {
            add(
                    expected,
                    "achievements",
                    achievement.get("key").asString(),
                    Instant.parse(achievement.get("achievedAt").asString()).toString());
        }
        for (JsonNode period : export.get("streak").get("streakHistory")) {
            if (period.path("usedFreeze").asBoolean(false)) {
                add(expected, "freezes", period.get("periodStart").asString());
            }
        }
        add(
                expected,
                "streak",
                export.get("streak").get("length").asString(),
                export.get("freezes").asString());
        for (JsonNode run : export.get("leaderboards")) {
            JsonNode board = run.get("leaderboard");
            if (board.get("rank").isNumber()) {
                add(
                        expected,
                        "rankings",
                        board.get("key").asString(),
                        board.path("runUnit").isString() ? run.get("start").asString() : "-",
                        board.get("rank").asString(),
                        plain(board.get("value").decimalValue()));
            }
        }
        return expected;
    }

    private static void add(Map<String, List<String>> expected, String view, String... fields) {
        expected.computeIfAbsent(view, _ -> new ArrayList<>()).add(String.join(" ", fields));
    }

    private static void assertErased(LaurelClient client, String jdbc, String user) throws SQLException {
        client.get("/admin/v1/users/" + user + "/export").expectError(404);
        try (Connection connection = DriverManager.getConnection(jdbc);
                Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                try (var row = statement.executeQuery(
                        "SELECT count(*) FROM laurel." + table + " WHERE user_id = '" + user + "'")) {
                    assertTrue(row.next());
                    assertEquals(0, row.getLong(1), "rows of an erased user in " + table);
                }
            }
        }
    }

    /** Each query of the document runs, and finds something; there are no freezes of weeks. */
    private static void runDocumentedQueries(String jdbc) throws Exception {
        List<String> queries = MarkdownFile.read(Path.of("..", "docs", "warehouse.md")).blocks("sql").stream()
                .map(block -> String.join("\n", block.lines()))
                .filter(query -> !query.startsWith("COPY"))
                .toList();
        assertEquals(10, queries.size());
        try (Connection connection = DriverManager.getConnection(jdbc);
                Statement statement = connection.createStatement()) {
            for (String query : queries) {
                try (var row = statement.executeQuery(query)) {
                    assertTrue(row.next() || query.contains("streak_freezes"), query);
                }
            }
        }
    }

    /** Tables that cannot be continued are emptied: what is not in Kafka vanishes. */
    private void assertBeginsAnew(LaurelInstance laurel, String change) throws SQLException {
        execute(change, "INSERT INTO laurel.completions VALUES ('', 'nobody', 1, now())");
        var run = CommandRun.of("sync", "--to", url, "--kafka", laurel.bootstrapServers(), "--once");
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(!rows(url).containsKey("nobody"), change);
        assertEquals(Map.of(), differences(laurel.client(), rows(url)), change);
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private void assertErrors(LaurelInstance laurel) throws SQLException {
        assertFails(laurel, "mysql://here", 2, "--to must be jdbc:postgresql:");
        assertFails(laurel, "jdbc:postgresql://127.0.0.1:1/laurel?user=x", 1, "cannot be reached");
        assertFails(laurel, url.replace("/postgres?", "/nothing?"), 1, "has no database of the name");
        execute("UPDATE laurel.sync_state SET cluster = 'another'");
        assertFails(laurel, url, 1, "are those of another Kafka cluster");
        execute(
                "DROP SCHEMA laurel CASCADE",
                "CREATE SCHEMA laurel",
                "CREATE TABLE laurel.users (tenant text, user_id integer)");
        assertFails(laurel, url, 1, "has a column user_id of the type integer instead of text");
    }

    private static void assertFails(LaurelInstance laurel, String to, int exitCode, String said) {
        var run = CommandRun.of("sync", "--to", to, "--kafka", laurel.bootstrapServers(), "--once");
        assertEquals(exitCode, run.exitCode(), run.err());
        assertTrue(run.err().contains(said), run.err());
    }
}
