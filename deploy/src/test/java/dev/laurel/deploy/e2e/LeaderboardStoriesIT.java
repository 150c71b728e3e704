package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Tests leaderboards from outside, with a virtual clock. Each story has its own metrics and leaderboards. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LeaderboardStoriesIT {

    private static final String CLOCK = "/admin/v1/test-clock";

    @AutoClose
    private static LaurelInstance instance;

    private static LocalDate today;

    @BeforeAll
    static void start() throws InterruptedException {
        instance = LaurelInstance.startWithTestClock();
        goTo(LocalDate.ofInstant(now(), ZoneOffset.UTC).plusDays(1), "08:00:00");
        instance.client()
                .put("/admin/v1/ruleset", """
                    {"metrics": {"laps": {"name": "Laps"}, "dives": {}, "rides": {}, "walks": {}, "climbs": {}, "rows": {}},
                     "attributes": {"user": {"city": {}, "club": {}}},
                     "points": {"gems": {"triggers": {
                       "per-lap": {"type": "metric", "metric": "laps", "threshold": 1, "points": 2}}},
                       "medals": {"triggers": {"silver": {"type": "leaderboard", "leaderboard": "crews", "rankFrom": 2, "rankTo": 2, "points": 7}}}},
                     "achievements": {"first": {"name": "First", "trigger": "leaderboard", "leaderboard": "crews", "rankTo": 1}},
                     "leaderboards": {
                       "all-laps": {"name": "All laps", "status": "active", "rankBy": "metric", "metric": "laps"},
                       "gem-club": {"status": "active", "rankBy": "points", "pointsSystem": "gems"},
                       "two-divers": {"status": "active", "rankBy": "metric", "metric": "dives",
                         "maxParticipants": 2},
                       "spread": {"status": "active", "rankBy": "metric", "metric": "climbs",
                         "breakdownAttributes": ["city", "club"], "spreadGroups": true},
                       "crews": {"status": "active", "rankBy": "metric", "metric": "rows", "breakdownAttributes": ["city"],
                         "teams": {"attribute": "club", "score": "sum"}},
                       "daily-rides": {"status": "active", "rankBy": "metric", "metric": "rides",
                         "runUnit": "day", "runInterval": 1},
                       "last-walk": {"status": "active", "rankBy": "metric", "metric": "walks", "end": "%s"},
                       "next-walk": {"status": "scheduled", "rankBy": "metric", "metric": "walks", "start": "%s"},
                       "hidden": {"status": "inactive", "rankBy": "metric", "metric": "laps"}}}
                    """.formatted(today, today.plusDays(3)))
                .expect(200);
    }

    private static Instant now() {
        return Instant.parse(instance.client().get(CLOCK).expect(200).string("/now"));
    }

    private static void goTo(LocalDate date, String time) {
        today = date;
        instance.client()
                .post(CLOCK, "{\"now\":\"" + date + "T" + time + "Z\"}")
                .expect(200);
    }

    private static JsonResponse board(String path) {
        return instance.client().get("/v1/leaderboards/" + path);
    }

    private static JsonResponse ofUser(String user, String path) {
        return instance.client().get("/v1/users/" + user + "/leaderboards/" + path);
    }

    private static String estimated(String user) {
        JsonNode body = ofUser(user, "two-divers?estimate=true").expect(200).json();
        JsonNode percentile = body.get("percentile");
        // Null until the counts have arrived.
        return body.get("rank") + " " + body.get("estimatedRank") + " "
                + (percentile.isNull() ? "null" : percentile.doubleValue()) + " " + body.get("participants");
    }

    private static String places(String path) {
        return board(path)
                .expect(200)
                .at("/rankings")
                .valueStream()
                .map(place -> place.get("rank") + " "
                        + (place.has("team") ? place.get("team") : place.get("userId")).stringValue() + " "
                        + place.get("value"))
                .collect(Collectors.joining(", "));
    }

    private static String listed(String query) {
        return instance.client()
                .get("/v1/leaderboards" + query)
                .expect(200)
                .json()
                .valueStream()
                .map(board -> board.get("key").stringValue() + " "
                        + board.get("status").stringValue())
                .filter(board -> board.contains("walk"))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** {@code previousRank → rank, threshold} */
    private static String entry(JsonResponse event, String board) {
        JsonNode entry = event.at("/leaderboards/" + board);
        return entry.get("previousRank") + " → " + entry.get("rank") + ", " + entry.get("threshold");
    }

    // Responses to events.

    @Test
    void shouldAnswerAnEventWithTheUsersRanks() {
        LaurelClient laurel = instance.client();
        JsonResponse first = laurel.record("ann", "laps", "2");
        assertEquals("null → 1, 0", entry(first, "all-laps"));
        assertEquals("null → 1, 0", entry(first, "gem-club"));
        assertFalse(first.json().has("pending"), first.text());

        assertEquals("null → 1, 0", entry(laurel.record("bo", "laps", "3.5"), "all-laps"));
        JsonResponse again = laurel.record("ann", "laps", "7.25");
        assertEquals("2 → 1, 0", entry(again, "all-laps"));
        assertEquals("2 → 1, 0", entry(again, "gem-club"));
        assertEquals("[\"all-laps\",\"gem-club\"]", keys(again.at("/leaderboards")));
        assertEquals("1 → 1, 0", entry(laurel.record("ann", "dives", "0"), "all-laps"), "on it before and after");

        assertEquals("1 ann 9.25, 2 bo 3.5", places("all-laps"));
        assertEquals("1 ann 18, 2 bo 6", places("gem-club"));
        assertEquals("2 bo 3.5", places("all-laps?userId=bo"));
        assertEquals(2, ofUser("bo", "all-laps").expect(200).at("/rank").intValue());
        assertEquals("1 → null, 0", entry(laurel.record("ann", "laps", "-9.25"), "all-laps"));
        assertEquals("1 bo 3.5", places("all-laps"));
    }

    private static String keys(JsonNode object) {
        return object.propertyNames().stream().map(key -> '"' + key + '"').collect(Collectors.joining(",", "[", "]"));
    }

    @Test
    void shouldNotEnterAFullLeaderboardWithoutABetterValue() {
        LaurelClient laurel = instance.client();
        laurel.record("dan", "dives", "5");
        assertEquals("null → 2, 3", entry(laurel.record("eve", "dives", "3"), "two-divers"));

        JsonResponse out = laurel.record("fay", "dives", "3");
        assertFalse(out.at("/leaderboards").has("two-divers"), out.text());
        assertFalse(ofUser("fay", "two-divers").expect(200).json().has("estimatedRank"));
        Awaitility.await().untilAsserted(() -> assertEquals("null 3 0.0 3", estimated("fay")));
        assertEquals("1 1 66.67 3", estimated("dan"));
        assertEquals("null → 2, 4", entry(laurel.record("fay", "dives", "1"), "two-divers"));

        assertEquals("1 dan 5, 2 fay 4", places("two-divers"));
        assertTrue(ofUser("eve", "two-divers").expect(200).at("/rank").isNull());
        assertEquals("2 → null, 3", entry(laurel.record("fay", "dives", "-4"), "two-divers"));
        assertEquals("1 dan 5, 2 eve 3", places("two-divers"), "the next user takes a place that becomes free");
    }

    @Test
    void shouldRankTheGroupsOfASpreadLeaderboard() {
        for (int i = 0; i < 8; i++) {
            assertEquals("null → 1, 0", entry(inGroup("climbs", "pia-" + i, "city-" + i, "climb", "2"), "spread"));
            assertEquals("null → 2, 0", entry(inGroup("climbs", "quin-" + i, "city-" + i, "climb", "1"), "spread"));
        }
        assertEquals("null → 1, 0", entry(inGroup("climbs", "quin-0", "city-1", "climb", "9"), "spread"));
        assertEquals("1 pia-0 2", places("spread?userAttributes=city:city-0,club:climb"));
        assertEquals("1 quin-0 10, 2 pia-1 2, 3 quin-1 1", places("spread?userAttributes=city:city-1,club:climb"));
        assertEquals("1 quin-0 10, 2 pia-0 2, 3 pia-1 2", places("spread?userAttributes=club:climb&limit=3"));
        assertEquals(1, ofUser("quin-0", "spread").expect(200).at("/rank").intValue());
        assertEquals(3, ofUser("quin-1", "spread").expect(200).at("/rank").intValue());
    }

    private static JsonResponse inGroup(String metric, String user, String city, String club, String value) {
        return instance.client()
                .event(metric)
                .of(user)
                .with("attributes", "{\"city\":\"" + city + "\",\"club\":\"" + club + "\"}")
                .value(value)
                .send()
                .expect(201);
    }

    @Test
    void shouldRankTeamsAndRewardTheirMembersAtTheEnd() {
        String oulu = "crews?userAttributes=city:Oulu";
        JsonResponse first = inGroup("rows", "ada", "Oulu", "Otters", "4");
        assertEquals("null → 1, 0", entry(first, "crews"));
        assertEquals("Otters", first.string("/leaderboards/crews/team"));
        inGroup("rows", "ben", "Oulu", "Otters", "3");
        inGroup("rows", "cy", "Oulu", "Pikes", "6");
        inGroup("rows", "dee", "Oulu", "Pikes", "90");
        inGroup("rows", "eli", "Turku", "Pikes", "50");
        prefer("ben", "anonymous");
        prefer("dee", "hidden");

        Awaitility.await().untilAsserted(() -> assertEquals("1 Otters 7, 2 Pikes 6", places(oulu)));
        assertEquals("1 cy 6", places(oulu + "&team=Pikes"));
        Awaitility.await()
                .untilAsserted(() -> assertTrue(
                        places(oulu + "&team=Otters").matches("1 ada 4, 2 anonymous-[0-9a-f]{20} 3"),
                        places(oulu + "&team=Otters")));
        assertEquals("1 cy 6, 2 ada 4", places(oulu + "&userIds=ada,ben,cy,dee,eli,nobody"));
        assertEquals("1 ada 4", places(oulu + "&userIds=ada,cy&team=Otters"));
        board(oulu + "&userIds[]=").expectError(422);
        board("crews").expectError(422);
        JsonResponse own = ofUser("cy", "crews").expect(200);
        assertEquals(
                "1 6 Pikes 2",
                own.at("/rank") + " " + own.at("/value") + " " + own.string("/team") + " " + own.at("/teamRank"));
        assertTrue(ofUser("dee", "crews").expect(200).at("/rank").isNull());
        assertEquals(
                "90",
                ofUser("dee", "crews?estimate=true").expect(200).at("/value").toString());

        String id = instance.client()
                .get("/admin/v1/leaderboards")
                .expect(200)
                .json()
                .valueStream()
                .filter(board -> board.get("key").stringValue().equals("crews"))
                .findFirst()
                .orElseThrow()
                .get("id")
                .stringValue();
        instance.client()
                .patch("/admin/v1/leaderboards", "[{\"id\": \"" + id + "\", \"status\": \"finished\"}]")
                .expect(200);
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        "7",
                        instance.client()
                                .user("ben")
                                .points("medals")
                                .at("/total")
                                .toString()));
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        "first",
                        instance.client()
                                .get("/v1/users/eli/achievements")
                                .expect(200)
                                .string("/0/key")));
        assertEquals("1 Otters 7, 2 Pikes 6", places(oulu));
        assertEquals("1 cy 6, 2 ada 4", places(oulu + "&userIds=ada,ben,cy,dee"));
    }

    private static void prefer(String user, String visibility) {
        JsonResponse answer = instance.client()
                .patch(
                        "/v1/users/" + user + "/preferences",
                        "{\"leaderboards\": {\"visibility\": \"" + visibility + "\"}}")
                .expect(200);
        assertNull(answer.header("X-Laurel-Warning"));
    }

    // Runs.

    /** One story, because the clock moves forward only. */
    @Test
    void shouldStartAndFinishRunsByTime() {
        LaurelClient laurel = instance.client();
        LocalDate first = today;
        laurel.record("lea", "rides", "5");
        laurel.record("max", "rides", "7");
        laurel.record("lea", "walks", "3");
        assertEquals("last-walk active, next-walk scheduled", listed(""));
        assertEquals("", places("next-walk"));

        // The next date begins at UTC+14, the run with it; UTC follows.
        goTo(first, "11:00:00");
        JsonResponse ahead = laurel.event("rides")
                .of("ned")
                .with("tz", "\"Pacific/Kiritimati\"")
                .value("1")
                .send()
                .expect(201);
        assertEquals("null → 1, 0", entry(ahead, "daily-rides"));
        assertEquals(first.plusDays(1).toString(), ahead.string("/leaderboards/daily-rides/start"));
        assertEquals("1 max 7, 2 lea 5", places("daily-rides"));
        assertEquals("1 ned 1", places("daily-rides?run=" + first.plusDays(1)));

        goTo(first.plusDays(1), "11:00:00");
        assertEquals("null → 1, 0", entry(laurel.record("lea", "rides", "2"), "daily-rides"));
        assertEquals("1 lea 2, 2 ned 1", places("daily-rides"));
        try (var log = new DirectProducer(instance.bootstrapServers())) {
            log.event("max", first.atTime(12, 0).toInstant(ZoneOffset.UTC), "rides", "1");
        }
        laurel.record("max", "rides", "0");
        // The answer shows only the current run, so it does not wait for the score in the previous run.
        Awaitility.await()
                .untilAsserted(
                        () -> assertEquals("1 max 8, 2 lea 5", places("daily-rides?run=" + first), "not final yet"));
        assertEquals("last-walk active, next-walk scheduled", listed(""), "somewhere it is the last day still");

        // Twelve hours after its end in UTC a run is final.
        goTo(first.plusDays(1), "12:00:00");
        try (var log = new DirectProducer(instance.bootstrapServers())) {
            log.event("lea", first.atTime(12, 0).toInstant(ZoneOffset.UTC), "rides", "90");
        }
        laurel.record("lea", "rides", "0");
        assertEquals("1 max 8, 2 lea 5", places("daily-rides?run=" + first), "final");
        assertEquals("next-walk scheduled", listed(""));
        assertEquals("last-walk finished, next-walk scheduled", listed("?includeFinished=true"));
        assertEquals("1 lea 3", places("last-walk"));
        JsonResponse late = laurel.record("lea", "walks", "1");
        assertFalse(late.at("/leaderboards").has("last-walk"), late.text());
        assertEquals("1 lea 3", places("last-walk"));

        goTo(first.plusDays(2), "10:00:00");
        assertEquals("next-walk active", listed(""), "the third day begins at UTC+14");
        goTo(first.plusDays(3), "00:00:01");
        assertEquals("null → 1, 0", entry(laurel.record("lea", "walks", "1"), "next-walk"));
        assertHistory(first);
    }

    private static void assertHistory(LocalDate first) {
        JsonNode days = ofUser("lea", "daily-rides?run=" + first).expect(200).at("/history");
        assertEquals(
                first + " null→2 null→5",
                days.valueStream().map(LeaderboardStoriesIT::dayEnd).collect(Collectors.joining(", ")));
        assertEquals(
                first + " null→1 null→7, " + first.plusDays(1) + " 1→1 7→8",
                ofUser("max", "daily-rides?run=" + first)
                        .expect(200)
                        .at("/history")
                        .valueStream()
                        .map(LeaderboardStoriesIT::dayEnd)
                        .collect(Collectors.joining(", ")));
        assertEquals(
                0,
                ofUser("max", "daily-rides?numEvents=0&run=" + first)
                        .expect(200)
                        .at("/history")
                        .size());
    }

    private static String dayEnd(JsonNode day) {
        assertEquals(
                day.get("date").stringValue() + "T00:00:00.000Z",
                day.get("timestamp").stringValue());
        return day.get("date").stringValue() + " " + day.get("previousRank") + "→" + day.get("rank") + " "
                + day.get("previousValue") + "→" + day.get("value");
    }
}
