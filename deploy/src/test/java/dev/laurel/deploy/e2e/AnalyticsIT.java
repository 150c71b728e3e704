package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.e2e.ExpectedReports.Event;
import dev.laurel.deploy.e2e.ExpectedReports.Period;
import dev.laurel.deploy.e2e.ExpectedReports.Place;
import dev.laurel.processors.runtime.LedgerConfig;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Compares every number of the reports of analytics with a second computation from all events, {@link ExpectedReports}, or with a count
 * of the published effects: for all segments, after SIGKILL in the middle, after another one at the end, and with a replay of the log.
 * With {@code -Dlaurel.full=true} a million events of 20,000 users.
 */
@Timeout(value = 40, unit = TimeUnit.MINUTES)
final class AnalyticsIT {

    private static final boolean IS_FULL = Boolean.getBoolean("laurel.full");
    private static final int USERS = IS_FULL ? 20_000 : 200;
    private static final int EVENTS = IS_FULL ? 1_000_000 : 6_000;
    private static final long SEED = 20261126;
    private static final String RULESET = """
        {"metrics": {"laps": {}, "dives": {}},
         "attributes": {"user": {"plan": {"analytics": true}}},
         "achievements": {
           "club-200": {"trigger": "metric", "metric": "laps", "value": 200},
           "club-500": {"trigger": "metric", "metric": "laps", "value": 500},
           "club-2000": {"trigger": "metric", "metric": "laps", "value": 2000},
           "ten-dives": {"trigger": "metric", "metric": "dives", "value": 10}},
         "points": {"gems": {"levels": {"seal": {"points": 30}, "whale": {"points": 120}}, "triggers": {
           "per-ten": {"type": "metric", "metric": "laps", "threshold": 10, "points": 3},
           "fine": {"type": "metric", "metric": "dives", "threshold": 50, "points": -20}}}},
         "leaderboards": {
           "laps": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2020-01-01"},
           "laps-by-plan": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2020-01-01",
                            "breakdownAttributes": ["plan"]}},
         "streak": {"freezesEnabled": true, "initialFreezes": 1, "maxFreezes": 2},
         "settings": {"controlRatio": 20}}
        """;

    @TempDir
    private Path scratch;

    private final Instant end = Instant.now().minus(Duration.ofHours(1));
    private final List<Event> events = ExpectedReports.events(SEED, USERS, EVENTS, end);
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
    // In the east it may be tomorrow already.
    private final Period window = new Period(today.minusDays(729), today.plusDays(1));
    private final Map<String, ZoneId> zones =
            events.stream().collect(Collectors.toMap(Event::user, Event::zone, (zone, _) -> zone));
    /** What users have, by the last effect of each. */
    private final Map<String, Long> points = new HashMap<>();

    private int compared;

    @Test
    void shouldReportWhatTheEventsAddUpTo() throws Exception {
        try (E2eKafka kafka = E2eKafka.start()) {
            killInTheMiddle(kafka);
            ExpectedReports expected;
            try (var laurel = start(kafka);
                    var client = laurel.client()) {
                produce(laurel, EVENTS / 2, EVENTS);
                new LogCheck(laurel.bootstrapServers()).awaitProcessed(LedgerConfig.APPLICATION_ID);
                expected = expectedBy(client);
                awaitCounted(client);
                expectReports(client, expected, laurel.bootstrapServers());
                laurel.kill();
            }
            try (var laurel = start(kafka);
                    var client = laurel.client()) {
                awaitCounted(client);
                expectReports(client, expected, laurel.bootstrapServers());
                eraseTheFirst(client, expected);
                CommandRun replay = CommandRun.of(
                        "replay",
                        "--from-scratch",
                        "--kafka",
                        laurel.bootstrapServers(),
                        "--state-dir",
                        scratch.resolve("work").toString());
                assertEquals(0, replay.exitCode(), replay.err());
                assertTrue(replay.out().contains("The running state is the fold of the log"), replay.out());
            }
            System.out.printf("%,d events of %,d users: %,d numbers of reports are right.%n", EVENTS, USERS, compared);
        }
    }

    private LaurelProcess start(E2eKafka kafka) throws IOException {
        return LaurelProcess.standalone(scratch.resolve("data"), kafka.externalServers());
    }

    private void killInTheMiddle(E2eKafka kafka) throws IOException {
        try (var laurel = start(kafka);
                var client = laurel.client()) {
            client.put("/admin/v1/ruleset", RULESET).expect(200);
            produce(laurel, 0, EVENTS / 2);
            new LogCheck(laurel.bootstrapServers()).awaitCommitted(LedgerConfig.APPLICATION_ID, EVENTS / 5);
            laurel.kill();
        }
    }

    private void produce(LaurelProcess laurel, int from, int to) {
        try (var producer = new DirectProducer(laurel.bootstrapServers())) {
            events.subList(from, to).forEach(event -> producer.sendAside(event.user(), event.at(), event.json()));
            producer.flush();
        }
    }

    /** Which users are in the control group is decided by their ids, which this test does not repeat. */
    private ExpectedReports expectedBy(LaurelClient client) {
        var control = new HashMap<String, Boolean>();
        zones.keySet()
                .forEach(user -> control.put(
                        user,
                        client.get("/v1/users/" + user)
                                .expect(200)
                                .at("/control")
                                .booleanValue()));
        var expected = new ExpectedReports(control);
        events.forEach(expected::add);
        return expected;
    }

    /** Counters follow at most a second after the events. */
    private void awaitCounted(LaurelClient client) {
        long expected = events.stream()
                .filter(event -> !event.day().isBefore(window.first()))
                .count();
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertEquals(
                        expected,
                        client.get("/admin/v1/analytics/events?granularity=month&from=" + window.first() + "&to="
                                        + window.last())
                                .expect(200)
                                .at("/series/0/events")
                                .valueStream()
                                .mapToLong(JsonNode::longValue)
                                .sum()));
    }

    private void expectReports(LaurelClient client, ExpectedReports expected, String bootstrapServers) {
        for (String by : Arrays.asList(null, "control", "plan")) {
            for (String granularity : List.of("day", "week", "month")) {
                expectActivity(client, expected, by, granularity);
            }
            for (String granularity : by == null ? List.of("day", "week", "month") : List.of("month")) {
                expectRetention(client, expected, by, granularity);
            }
        }
        expectImpact(client, expected);
        expectTopUsers(client, expected);
        expectEffects(client, expected, bootstrapServers);
        expectLeaderboards(client, expected, bootstrapServers);
    }

    private JsonNode report(LaurelClient client, String report, String by, String granularity, String more) {
        return client.get("/admin/v1/analytics/" + report + "?from=" + window.first() + "&to=" + window.last()
                        + "&granularity=" + granularity + (by == null ? "" : "&segmentBy=" + by) + more)
                .expect(200)
                .json();
    }

    private List<Period> periods(String granularity) {
        return ExpectedReports.periods(window.first(), window.last(), granularity);
    }

    private void expectActivity(LaurelClient client, ExpectedReports expected, String by, String granularity) {
        List<Period> periods = periods(granularity);
        JsonNode users = report(client, "active-users", by, granularity, "");
        assertEquals(
                periods.stream().map(period -> period.first().toString()).toList(),
                users.get("periods").valueStream().map(JsonNode::stringValue).toList());
        expectEach(users, by, expected, (segment, _) -> expected.activeUsers(segment, periods));
        expectEach(
                report(client, "events", by, granularity, ""),
                by,
                expected,
                (segment, metric) -> expected.events(segment, metric, periods));
        expectEach(
                report(client, "engagement", by, granularity, ""),
                by,
                expected,
                (segment, metric) -> expected.engagement(segment, metric, periods));
    }

    private void expectRetention(LaurelClient client, ExpectedReports expected, String by, String granularity) {
        List<Period> periods = periods(granularity);
        for (String metric : List.of(ExpectedReports.ALL, "dives")) {
            expectEach(
                    report(client, "retention", by, granularity, metric.isEmpty() ? "" : "&metric=" + metric),
                    by,
                    expected,
                    (segment, of) -> expected.retention(segment, of, periods, today));
        }
    }

    private interface Columns {

        Map<String, List<?>> of(String segment, String metric);
    }

    private void expectEach(JsonNode report, String by, ExpectedReports expected, Columns columns) {
        var segments = new ArrayList<String>();
        for (JsonNode series : report.get("series")) {
            String segment = by == null ? ExpectedReports.ALL : by + "=" + textOf(series.at("/segment/" + by));
            String metric = series.has("metric") ? series.get("metric").stringValue() : ExpectedReports.ALL;
            segments.add(segment);
            columns.of(segment, metric)
                    .forEach((name, values) -> expectSame(
                            values,
                            series.get(name),
                            report.get("report").stringValue() + " " + segment + " " + metric + " " + name));
        }
        assertEquals(
                List.copyOf(expected.segments(by)),
                segments.stream().distinct().sorted().toList());
    }

    private static String textOf(JsonNode value) {
        return value.isNull() ? "null" : value.asString();
    }

    private void expectSame(List<?> expected, JsonNode told, String where) {
        assertEquals(expected.size(), told.size(), where);
        for (int i = 0; i < expected.size(); i++) {
            expectSame(expected.get(i), told.get(i), where + " at " + i);
        }
    }

    private void expectSame(Object expected, JsonNode told, String where) {
        switch (expected) {
            case null -> assertTrue(told.isNull(), () -> where + ": " + told + " instead of null");
            case List<?> list -> expectSame(list, told, where);
            default ->
                assertTrue(
                        !told.isNull() && new BigDecimal(expected.toString()).compareTo(told.decimalValue()) == 0,
                        () -> where + ": " + told + " instead of " + expected);
        }
        compared++;
    }

    private void expectImpact(LaurelClient client, ExpectedReports expected) {
        for (int days : List.of(1, 14, 30, 90)) {
            JsonNode series =
                    report(client, "impact", null, "day", "&days=" + days).at("/series/0");
            List<Long> treatment = expected.impact(false, window, days, today);
            List<Long> control = expected.impact(true, window, days, today);
            expectSame(
                    List.of(treatment.get(0), treatment.get(1), control.get(0), control.get(1)),
                    series.get("treatmentUsers"),
                    series.get("treatmentRetained"),
                    series.get("controlUsers"),
                    series.get("controlRetained"));
        }
    }

    private void expectSame(List<Long> expected, JsonNode... told) {
        for (int i = 0; i < told.length; i++) {
            expectSame(expected.get(i), told[i], "impact");
        }
    }

    private void expectTopUsers(LaurelClient client, ExpectedReports expected) {
        for (String metric : List.of(ExpectedReports.ALL, "laps", "dives")) {
            for (int days : List.of(0, 30)) {
                JsonNode report = client.get("/admin/v1/analytics/top-users?range=" + (days == 0 ? "all" : "30d")
                                + (metric.isEmpty() ? "" : "&metric=" + metric))
                        .expect(200)
                        .json();
                List<Place> places = expected.topUsers(
                        metric, days, Instant.parse(report.get("asOf").stringValue()));
                JsonNode series = report.at("/series/0");
                String where = "top users " + metric + " " + days;
                assertEquals(
                        places.stream().map(Place::user).toList(),
                        series.get("id")
                                .valueStream()
                                .map(JsonNode::stringValue)
                                .toList(),
                        where);
                expectSame(places.stream().map(Place::value).toList(), series.get("value"), where);
            }
        }
    }

    /** Erases the user with the most laps, who then disappears from lists of users and from counts of present users. */
    private void eraseTheFirst(LaurelClient client, ExpectedReports expected) {
        String first = expected.topUsers("laps", 0, end).getFirst().user();
        client.delete("/admin/v1/users?ids=" + first).expect(200);
        expected.erase(first);
        points.remove(first);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> {
                    expectTopUsers(client, expected);
                    report(client, "achievements", null, "month", "")
                            .get("series")
                            .forEach(series -> expectHighest(series, null, expected));
                    report(client, "points", null, "month", "")
                            .get("series")
                            .forEach(series -> expectLevels(series, null, expected));
                    report(client, "leaderboards", null, "month", "")
                            .get("series")
                            .forEach(series -> expectScores(series, expected));
                });
    }

    /** @param by null, or {@code control} */
    private void expectHighest(JsonNode series, String by, ExpectedReports expected) {
        if (series.has("metric")) {
            String metric = series.get("metric").stringValue();
            Map<Integer, String> keys = metric.equals("laps")
                    ? Map.of(200, "club-200", 500, "club-500", 2_000, "club-2000")
                    : Map.of(10, "ten-dives");
            Map<Integer, Long> users = expected.usersByHighest(
                    metric,
                    List.copyOf(keys.keySet()),
                    by == null ? null : series.at("/segment/control").booleanValue());
            JsonNode told = series.get("usersByHighest");
            expectSame(users.getOrDefault(0, 0L), told.get("(none)"), metric);
            keys.forEach((total, key) -> expectSame(users.getOrDefault(total, 0L), told.get(key), key));
        }
    }

    private void expectLevels(JsonNode series, String by, ExpectedReports expected) {
        Boolean isControl = by == null ? null : series.at("/segment/control").booleanValue();
        List<Long> totals = zones.keySet().stream()
                .filter(expected::isPresent)
                .filter(user -> isControl == null || isControl == expected.isControl(user))
                .map(user -> points.getOrDefault(user, 0L))
                .toList();
        JsonNode told = series.get("usersByLevel");
        expectSame(totals.stream().filter(total -> total <= 30).count(), told.get("(none)"), "no level");
        expectSame(totals.stream().filter(total -> total > 30 && total <= 120).count(), told.get("seal"), "seal");
        expectSame(totals.stream().filter(total -> total > 120).count(), told.get("whale"), "whale");
        assertEquals(by == null, series.has("most"));
        if (by == null) {
            expectSame(totals.stream().mapToLong(Long::longValue).max().orElse(0), series.get("most"), "most points");
        }
    }

    /** What users reach is published, so it is counted there. */
    private void expectEffects(LaurelClient client, ExpectedReports expected, String bootstrapServers) {
        var counts = new TreeMap<String, Map<LocalDate, Long>>();
        for (ConsumerRecord<byte[], byte[]> record : new TopicReader(bootstrapServers).readAll("laurel.effects")) {
            JsonNode effect = JsonResponse.parse(new String(record.value(), UTF_8));
            if (effect.has("user")) {
                count(counts, effect, expected);
            }
        }
        for (String by : Arrays.asList(null, "control")) {
            for (String granularity : List.of("day", "month")) {
                List<Period> periods = periods(granularity);
                for (JsonNode series :
                        report(client, "achievements", by, granularity, "").get("series")) {
                    expectHighest(series, by, expected);
                    if (series.has("achievement")) {
                        expectCounts(
                                counts,
                                segmentOf(series, by) + "achievement "
                                        + series.get("achievement").stringValue(),
                                periods,
                                series.get("completions"));
                    }
                }
                for (JsonNode series :
                        report(client, "streaks", by, granularity, "").get("series")) {
                    for (String column : List.of("started", "extended", "lost", "savedByFreezes")) {
                        expectCounts(counts, segmentOf(series, by) + column, periods, series.get(column));
                    }
                }
                for (JsonNode series :
                        report(client, "points", by, granularity, "").get("series")) {
                    for (String column : List.of("awarded", "taken")) {
                        expectCounts(counts, segmentOf(series, by) + column, periods, series.get(column));
                    }
                    expectLevels(series, by, expected);
                }
            }
        }
    }

    /** Changes of rank depend on the order in which scores of several partitions arrive, so that only effects tell them. */
    private void expectLeaderboards(LaurelClient client, ExpectedReports expected, String bootstrapServers) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> {
                    var moves = new TreeMap<String, RankMoves>();
                    new TopicReader(bootstrapServers)
                            .readAll("laurel.effects").stream()
                                    .map(record -> new String(record.value(), UTF_8))
                                    // After a kill some are published again.
                                    .distinct()
                                    .map(JsonResponse::parse)
                                    .filter(effect ->
                                            effect.get("type").stringValue().equals("leaderboard.changed"))
                                    .forEach(effect -> moves.computeIfAbsent(
                                                    effect.get("leaderboardKey").stringValue(), _ -> new RankMoves())
                                            .add(effect));
                    for (String granularity : List.of("day", "month")) {
                        JsonNode report = report(client, "leaderboards", null, granularity, "");
                        assertEquals(
                                List.copyOf(moves.keySet()),
                                report.get("series")
                                        .valueStream()
                                        .map(one -> one.get("leaderboard").stringValue())
                                        .toList());
                        for (JsonNode series : report.get("series")) {
                            String key = series.get("leaderboard").stringValue();
                            expectCounts(
                                    Map.of(key, moves.get(key).changes),
                                    key,
                                    periods(granularity),
                                    series.get("rankChanges"));
                            moves.get(key)
                                    .expectChanged(series.get("changedRank").longValue(), key);
                            expectScores(series, expected);
                        }
                    }
                });
    }

    private void expectScores(JsonNode series, ExpectedReports expected) {
        if (IS_FULL) {
            return; // The leaderboards have fewer places than users.
        }
        String key = series.get("leaderboard").stringValue();
        List<BigDecimal> scores = expected.scores("laps", key.equals("laps-by-plan"));
        expectSame(scores.size(), series.get("participants"), key);
        expectSame(scores.getFirst(), series.get("lowest"), key);
        expectSame(scores.getLast(), series.get("highest"), key);
        List<Long> histogram = ExpectedReports.histogram(scores);
        for (int range = 1; range <= histogram.size(); range++) {
            expectSame(histogram.get(range - 1), series.get("histogram").get(Integer.toString(range)), key);
        }
    }

    /** The changes of rank on a leaderboard, by its effects in their order. */
    private static final class RankMoves {

        private final Map<LocalDate, Long> changes = new HashMap<>();

        /** Participants who have changed rank. */
        private final Set<String> changed = new HashSet<>();

        /** Users who have changed rank at some time. */
        private final Set<String> everChanged = new HashSet<>();

        /** Participants. */
        private final Set<String> present = new HashSet<>();

        /** The time at which users who had changed rank left a group: they may enter another one by the same event. */
        private final Map<String, String> left = new HashMap<>();

        /** Scores that were ranked together may let a user enter another group later than the first one was left. */
        void expectChanged(long told, String key) {
            long most = present.stream().filter(everChanged::contains).count();
            assertTrue(
                    changed.size() <= told && told <= most,
                    () -> key + ": " + told + " changed rank, not " + changed.size() + " to " + most);
        }

        void add(JsonNode effect) {
            String user = effect.get("user").stringValue();
            String at = effect.get("at").stringValue();
            if (effect.get("rank").isNull()) {
                present.remove(user);
                if (changed.remove(user)) {
                    left.put(user, at);
                }
            } else if (effect.get("previousRank").isNull()) {
                present.add(user);
                if (at.equals(left.remove(user))) {
                    changed.add(user);
                }
            } else if (!effect.get("rank").equals(effect.get("previousRank"))) {
                changed.add(user);
                everChanged.add(user);
                changes.merge(Instant.parse(at).atZone(ZoneOffset.UTC).toLocalDate(), 1L, Long::sum);
            }
        }
    }

    private static String segmentOf(JsonNode series, String by) {
        return (by == null ? "all" : "control=" + series.at("/segment/control").booleanValue()) + " ";
    }

    private void expectCounts(
            Map<String, Map<LocalDate, Long>> counts, String name, List<Period> periods, JsonNode told) {
        Map<LocalDate, Long> days = counts.getOrDefault(name, Map.of());
        expectSame(
                periods.stream()
                        .map(period -> days.entrySet().stream()
                                .filter(day -> !day.getKey().isBefore(period.first())
                                        && !day.getKey().isAfter(period.last()))
                                .mapToLong(Map.Entry::getValue)
                                .sum())
                        .toList(),
                told,
                name);
    }

    private void count(Map<String, Map<LocalDate, Long>> counts, JsonNode effect, ExpectedReports expected) {
        String user = effect.get("user").stringValue();
        if (effect.has("total")) {
            points.put(user, effect.get("total").longValue());
        }
        LocalDate day = Instant.parse(effect.get("at").stringValue())
                .atZone(zones.get(user))
                .toLocalDate();
        for (String segment : List.of("all ", "control=" + expected.isControl(user) + " ")) {
            switch (effect.get("type").stringValue()) {
                case "achievement.completed" ->
                    add(
                            counts,
                            segment + "achievement "
                                    + effect.get("achievementKey").stringValue(),
                            day,
                            1);
                case "streak.started" -> add(counts, segment + "started", day, 1);
                case "streak.extended" -> add(counts, segment + "extended", day, 1);
                case "streak.lost" -> add(counts, segment + "lost", day, 1);
                case "streak.freeze_consumed" ->
                    add(
                            counts,
                            segment + "savedByFreezes",
                            day,
                            effect.get("consumed").longValue());
                case "points.changed" ->
                    effect.get("awards").forEach(award -> {
                        long points = award.get("awarded").longValue();
                        add(counts, segment + (points > 0 ? "awarded" : "taken"), day, Math.abs(points));
                    });
                default -> {
                    // No report counts it.
                }
            }
        }
    }

    private static void add(Map<String, Map<LocalDate, Long>> counts, String name, LocalDate day, long change) {
        counts.computeIfAbsent(name, _ -> new HashMap<>()).merge(day, change, Long::sum);
    }
}
