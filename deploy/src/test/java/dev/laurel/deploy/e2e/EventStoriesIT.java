package dev.laurel.deploy.e2e;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests events over HTTP: responses, and subsequent reads. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class EventStoriesIT {

    private static LaurelClient laurel;

    @BeforeAll
    static void connect(LaurelInstance instance) {
        laurel = instance.client();
    }

    @Test
    void shouldAnswerEventWithAllItsEffects() {
        String zone = SwimClub.zoneWhereItIsNoon().getId();
        String today = LocalDate.now(SwimClub.zoneWhereItIsNoon()).toString();

        JsonNode event = laurel.event("laps-swum").of("shape-1").with("tz", '"' + zone + '"')
                .attribute("pool", "north").value("42.5").send().expect(201).json();

        JsonShape.assertObject(event, "eventId uuid", "metricId uuid", "total num", "achievements list",
                "currentStreak map", "points map", "leaderboards map");
        assertEquals(new BigDecimal("42.5"), event.get("total").decimalValue());
        assertEquals(0, event.get("leaderboards").size());
        assertEquals(1, event.get("achievements").size());
        JsonNode achievement = event.get("achievements").get(0);
        JsonShape.assertObject(achievement, "id uuid", "name str", "trigger str", "description str~", "badgeUrl str~",
                "key str", "userAttributes list", "eventAttributes list", "metricId uuid", "metricName str",
                "metricValue num", "achievedAt dt");
        assertEquals("Forty laps", achievement.get("name").stringValue());
        assertEquals(event.get("metricId"), achievement.get("metricId"));
        JsonNode streak = event.get("currentStreak");
        JsonShape.assertObject(streak, "length int", "frequency str", "started date", "periodStart date",
                "periodEnd date",
                "expires date", "extended bool");
        assertEquals(1, streak.get("length").intValue());
        assertTrue(streak.get("extended").booleanValue());
        assertEquals(today, streak.get("periodStart").stringValue());
        assertEquals(LocalDate.parse(today).plusDays(1).toString(), streak.get("expires").stringValue());
    }

    @Test
    void shouldAnswerEventWithItsAwards() {
        JsonNode event = laurel.record("awards-1", "laps-swum", "42.5").json();

        assertEquals(List.of("gems"), List.copyOf(event.get("points").propertyNames()));
        JsonNode gems = event.get("points").get("gems");
        JsonShape.assertObject(gems, "id uuid", "key str", "name str", "description str~", "badgeUrl str~",
                "maxPoints int~", "total int", "added int", "awards list");
        assertEquals(80, gems.get("total").longValue());
        assertEquals(80, gems.get("added").longValue());
        JsonNode award = gems.get("awards").get(0);
        JsonShape.assertObject(award, "id uuid", "awarded int", "date dt", "total int", "trigger map", "boosts list");
        JsonShape.assertObject(award.get("trigger"), "id uuid", "type str", "points int", "status str",
                "userAttributes list", "eventAttributes list", "metricId uuid", "metricName str",
                "metricThreshold int", "created dt", "updated dt");
        assertEquals(10, award.get("trigger").get("metricThreshold").intValue());
        assertEquals(award, laurel.user("awards-1").points("gems").get("awards").get(0));
    }

    @Test
    void shouldOmitUnchangedParts() {
        laurel.record("quiet-1", "laps-swum", "3");

        JsonNode event = laurel.record("quiet-1", "laps-swum", "-1").json();

        assertEquals(0, event.get("achievements").size());
        assertEquals(0, event.get("points").size());
        assertFalse(event.get("currentStreak").get("extended").booleanValue());
        assertEquals(1, event.get("currentStreak").get("length").intValue());
    }

    @Test
    void shouldAnswerNullDatesWhileThereIsNoStreak() {
        JsonNode streak = laurel.record("nostreak-1", "dives", "1").at("/currentStreak");

        assertEquals(0, streak.get("length").intValue());
        assertTrue(streak.get("started").isNull());
        assertTrue(streak.get("expires").isNull());
        JsonShape.assertObject(laurel.user("nostreak-1").streak(3), "length int", "frequency str", "started date~",
                "periodStart date", "periodEnd date", "expires date~", "extended dt~", "rank int~",
                "streakHistory list", "pauses list");
    }

    @Test
    void shouldReadOwnWritesAtOnce() throws Exception {
        int users = 40;
        int eventsEach = 5;
        List<Callable<Void>> stories = IntStream.range(0, users).<Callable<Void>>mapToObj(number -> () -> {
            String id = "reader-" + number;
            for (int event = 1; event <= eventsEach; event++) {
                JsonResponse answer = laurel.record(id, "laps-swum", "10");
                assertEquals(BigDecimal.valueOf(event * 10L), answer.number("/total"));
                assertEquals(BigDecimal.valueOf(event * 10L), laurel.user(id).total("laps-swum"), id);
                assertEquals(event * 20L, laurel.user(id).pointsTotal("gems"), id);
                assertEquals(1, laurel.user(id).streak(1).get("length").intValue(), id);
            }
            return null;
        }).toList();

        Concurrently.run(stories);
    }

    @Test
    void shouldAddDecimalsExactly() {
        laurel.record("exact-1", "laps-swum", "0.1");

        JsonResponse answer = laurel.record("exact-1", "laps-swum", "0.2");

        assertTrue(answer.text().contains("\"total\":0.3,"), answer.text());
        assertEquals(new BigDecimal("0.3"), laurel.user("exact-1").total("laps-swum"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.0", "4.00000000000", "0.4e1", "400e-2"})
    void shouldWriteIntegralNumbersAsIntegers(String four) {
        String user = "integral-" + four;

        JsonResponse answer = laurel.record(user, "laps-swum", four);

        assertTrue(answer.text().contains("\"total\":4,"), answer.text());
    }

    @Test
    void shouldCountLargestAndSmallestValues() {
        laurel.record("bounds-1", "dives", "1e12");
        laurel.record("bounds-1", "dives", "1000000000000");

        JsonResponse answer = laurel.record("bounds-1", "dives", "-0.000000001");

        assertTrue(answer.text().contains("\"total\":1999999999999.999999999,"), answer.text());
    }

    @Test
    void shouldServeSameUnderBothMounts() {
        laurel.event("laps-swum").of("mount-1").value("12").under("/api").send().expect(201);
        laurel.event("laps-swum").of("mount-1").value("30").under("/v1").send().expect(201);

        for (String path : List.of("/users/mount-1", "/users/mount-1/metrics", "/users/mount-1/metrics/laps-swum",
                "/users/mount-1/points/gems", "/users/mount-1/streak", "/users/mount-1/achievements")) {
            assertEquals(laurel.get("/v1" + path).expect(200).text(), laurel.get("/api" + path).expect(200).text());
        }
        assertEquals(BigDecimal.valueOf(42), laurel.user("mount-1").total("laps-swum"));
    }

    @Test
    void shouldAnswerRepeatedKeyWithFirstEventAndStoreNothing() {
        JsonResponse first = laurel.event("laps-swum").of("repeat-1").value("15").key("swim-1").send().expect(201);
        laurel.record("repeat-1", "laps-swum", "2");

        JsonResponse again = laurel.event("laps-swum").of("repeat-1").with("name", "\"Ida\"").value("15").key("swim-1")
                .send()
                .expect(202);

        assertFalse(first.at("/idempotentReplayed").booleanValue());
        assertEquals("swim-1", first.string("/idempotencyKey"));
        JsonShape.assertObject(again.json(), "eventId uuid", "metricId uuid", "total num", "achievements list",
                "currentStreak map", "points map", "leaderboards map", "idempotencyKey str", "idempotentReplayed bool");
        assertEquals(first.at("/eventId"), again.at("/eventId"));
        assertTrue(again.at("/idempotentReplayed").booleanValue());
        assertEquals(BigDecimal.valueOf(17), again.number("/total"));
        assertEquals(0, again.at("/points").size());
        assertFalse(again.at("/currentStreak/extended").booleanValue());
        assertTrue(laurel.user("repeat-1").profile().get("name").isNull());
        assertEquals(BigDecimal.valueOf(17), laurel.user("repeat-1").total("laps-swum"));
        assertEquals(20, laurel.user("repeat-1").pointsTotal("gems"));
    }

    @Test
    void shouldKeepKeysOfOtherUsersAndMetricsApart() {
        laurel.event("laps-swum").of("scope-1").value("1").key("same").send().expect(201);

        laurel.event("dives").of("scope-1").value("1").key("same").send().expect(201);
        laurel.event("laps-swum").of("scope-2").value("1").key("same").send().expect(201);
        laurel.event("laps-swum").of("scope-2").value("1").key("").send().expect(201);
        laurel.event("laps-swum").of("scope-2").value("1").key("").send().expect(201);

        assertEquals(BigDecimal.valueOf(3), laurel.user("scope-2").total("laps-swum"));
    }

    @Test
    void shouldLetOneOfManyConcurrentRequestsWithOneKeyWin() throws Exception {
        Callable<JsonResponse> attempt = () -> laurel.event("laps-swum").of("race-1").value("7").key("once").send();

        List<JsonResponse> answers = Concurrently.run(IntStream.range(0, 20).mapToObj(_ -> attempt).toList());

        assertEquals(1, answers.stream().filter(answer -> answer.status() == 201).count());
        assertEquals(19, answers.stream().filter(answer -> answer.status() == 202).count());
        assertEquals(1, answers.stream().map(answer -> answer.at("/eventId")).distinct().count());
        assertEquals(BigDecimal.valueOf(7), laurel.user("race-1").total("laps-swum"));
    }

    @Test
    void shouldKeepUsersWithUnusualIdsApart() {
        List<String> ids = List.of("pool/lane 7", "pool%2Flane 7", "50%", "Åsa+1", "a b", "a+b", "a%20b", "id?x=1#y",
                "泳ぐ", "👟", ".x", "tenant/user", "%00", "x;y=1", "\"quoted\"", "back\\slash");
        for (int i = 0; i < ids.size(); i++) {
            laurel.record(ids.get(i), "laps-swum", Integer.toString(i + 1));
        }

        for (int i = 0; i < ids.size(); i++) {
            assertEquals(ids.get(i), laurel.user(ids.get(i)).profile().get("id").stringValue());
            assertEquals(BigDecimal.valueOf(i + 1), laurel.user(ids.get(i)).total("laps-swum"), ids.get(i));
        }
    }

    @Test
    void shouldKeepLedgerThatAddsUpToTotal() {
        String[] values = {"9.99", "0.01", "25", "-30", "30", "0.5", "44.5", "100.25", "-1", "7.75", "500", "3"};
        for (String value : values) {
            laurel.record("ledger-1", "laps-swum", value);
        }

        JsonNode gems = laurel.user("ledger-1").points("gems");

        assertEquals(500, gems.get("total").longValue(), "the cap");
        long sum = 0;
        List<JsonNode> oldestFirst = gems.get("awards").valueStream().toList().reversed();
        for (JsonNode award : oldestFirst) {
            sum += award.get("awarded").longValue();
            assertEquals(sum, award.get("total").longValue(), award::toString);
        }
        assertEquals(gems.get("total").longValue(), sum);
        Set<String> ids = oldestFirst.stream().map(award -> award.get("id").stringValue()).collect(Collectors.toSet());
        assertEquals(oldestFirst.size(), ids.size(), "an award id came twice");
        assertEquals(1, laurel.get("/v1/users/ledger-1/points/gems?awards=1").expect(200).at("/awards").size());
    }

    @Test
    void shouldShowAchievementUntilAndAfterItIsCompleted() {
        laurel.record("goal-1", "laps-swum", "39");
        assertTrue(laps(laurel.user("goal-1").achievements()).get("achievedAt").isNull());

        laurel.record("goal-1", "laps-swum", "1");
        laurel.record("goal-1", "laps-swum", "-20");

        JsonNode achievement = laps(laurel.user("goal-1").achievements());
        JsonShape.assertObject(achievement, "id uuid", "name str", "trigger str", "description str~", "badgeUrl str~",
                "key str", "userAttributes list", "eventAttributes list", "metricId uuid", "metricName str",
                "metricValue num", "achievedAt dt", "completions int", "rarity num");
        assertEquals(1, laurel.get("/v1/users/goal-1/achievements").expect(200).json().size());
        assertTrue(achievement.get("completions").longValue() >= 1);
    }

    private static JsonNode laps(JsonNode achievements) {
        return achievements.valueStream().filter(a -> a.get("name").stringValue().equals("Forty laps")).findFirst()
                .orElseThrow();
    }

    @Test
    void shouldAcceptOneOfTwentyConcurrentRequestsWithOneKey(LaurelInstance instance) throws InterruptedException {
        Callable<JsonResponse> story = () -> instance.client().event("laps-swum").of("twenty-1").value("2").key("once")
                .send();

        List<JsonResponse> answers = Concurrently.run(Collections.nCopies(20, story));

        assertEquals(1, answers.stream().filter(answer -> answer.status() == 201).count());
        assertEquals(19, answers.stream().filter(answer -> answer.status() == 202).count());
        assertEquals(1, answers.stream().map(answer -> answer.string("/eventId")).distinct().count());
        assertEquals(new BigDecimal("2"), instance.client().user("twenty-1").total("laps-swum"));
    }

    @Test
    void shouldRestoreStreaksAndExportTheEventsOfABatch(LaurelInstance instance) {
        String events = IntStream.range(20, 23).mapToObj(daysAgo -> "{\"key\":\"laps-swum\",\"value\":10,\"time\":\""
                + Instant.now().minus(Duration.ofDays(daysAgo)) + "\",\"user\":{\"id\":\"batch/1\"}}").sorted()
                .collect(Collectors.joining(",", "[", "]"));
        LaurelClient laurel = instance.client();

        assertEquals(3, laurel.post("/admin/v1/metrics/events", events).expect(202).at("/accepted").intValue());
        // An answered write of the user follows them in the log.
        laurel.put("/v1/users/batch%2F1", "{\"name\":\"Bat\"}").expect(200);
        assertEquals("batch/1", laurel.post("/admin/v1/streaks/restore", "{\"users\":[{\"id\":\"batch/1\"}]}")
                .expect(201).string("/restoredUsers/0"));
        JsonResponse export = laurel.get("/admin/v1/users/batch%2F1/export").expect(200);
        assertEquals("Bat", export.string("/user/name"));
        assertEquals(3, export.at("/metrics/0/days").size());
        assertEquals(3, export.at("/metrics/0/events").intValue());
        assertEquals(3, export.at("/streak/length").intValue());
        assertEquals(3, export.at("/points/0/awards").size());

        assertEquals("batch/1", laurel.delete("/admin/v1/users?ids=batch%2F1").expect(200).string("/deleted/0/id"));
        laurel.get("/admin/v1/users/batch%2F1/export").expectError(404);
    }
}
