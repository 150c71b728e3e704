package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

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

        JsonNode event = laurel.event("laps-swum")
                .of("shape-1")
                .with("tz", '"' + zone + '"')
                .attribute("pool", "north")
                .value("42.5")
                .send()
                .expect(201)
                .json();

        JsonShape.assertObject(
                event,
                "eventId uuid",
                "metricId uuid",
                "total num",
                "achievements list",
                "currentStreak map",
                "points map",
                "leaderboards map");
        assertEquals(new BigDecimal("42.5"), event.get("total").decimalValue());
        assertEquals(0, event.get("leaderboards").size());
        assertEquals(1, event.get("achievements").size());
        JsonNode achievement = event.get("achievements").get(0);
        JsonShape.assertObject(
                achievement,
                "id uuid",
                "name str",
                "trigger str",
                "description str~",
                "badgeUrl str~",
                "key str",
                "userAttributes list",
                "eventAttributes list",
                "metricId uuid",
                "metricName str",
                "metricValue num",
                "achievedAt dt");
        assertEquals("Forty laps", achievement.get("name").stringValue());
        assertEquals(event.get("metricId"), achievement.get("metricId"));
        JsonNode streak = event.get("currentStreak");
        JsonShape.assertObject(
                streak,
                "length int",
                "frequency str",
                "started date",
                "periodStart date",
                "periodEnd date",
                "expires date",
                "extended bool");
        assertEquals(1, streak.get("length").intValue());
        assertTrue(streak.get("extended").booleanValue());
        assertEquals(today, streak.get("periodStart").stringValue());
        assertEquals(
                LocalDate.parse(today).plusDays(1).toString(),
                streak.get("expires").stringValue());
    }

    @Test
    void shouldReadOwnWritesAtOnce() throws Exception {
        int users = 40;
        int eventsEach = 5;
        List<Callable<Void>> stories = IntStream.range(0, users)
                .<Callable<Void>>mapToObj(number -> () -> {
                    String id = "reader-" + number;
                    for (int event = 1; event <= eventsEach; event++) {
                        JsonResponse answer = laurel.record(id, "laps-swum", "10");
                        assertEquals(BigDecimal.valueOf(event * 10L), answer.number("/total"));
                        assertEquals(
                                BigDecimal.valueOf(event * 10L), laurel.user(id).total("laps-swum"), id);
                        assertEquals(event * 20L, laurel.user(id).pointsTotal("gems"), id);
                        assertEquals(1, laurel.user(id).streak(1).get("length").intValue(), id);
                    }
                    return null;
                })
                .toList();

        Concurrently.run(stories);
    }

    @Test
    void shouldServeSameUnderBothMounts() {
        laurel.event("laps-swum").of("mount-1").value("12").under("/api").send().expect(201);
        laurel.event("laps-swum").of("mount-1").value("30").under("/v1").send().expect(201);

        for (String path : List.of(
                "/users/mount-1",
                "/users/mount-1/metrics",
                "/users/mount-1/metrics/laps-swum",
                "/users/mount-1/points/gems",
                "/users/mount-1/streak",
                "/users/mount-1/achievements",
                "/users/mount-1/wrapped")) {
            assertEquals(
                    laurel.get("/v1" + path).expect(200).text(),
                    laurel.get("/api" + path).expect(200).text());
        }
        assertEquals(BigDecimal.valueOf(42), laurel.user("mount-1").total("laps-swum"));
    }

    @Test
    void shouldShowAchievementUntilAndAfterItIsCompleted() {
        laurel.record("goal-1", "laps-swum", "39");
        assertTrue(laps(laurel.user("goal-1").achievements()).get("achievedAt").isNull());

        laurel.record("goal-1", "laps-swum", "1");
        laurel.record("goal-1", "laps-swum", "-20");

        JsonNode achievement = laps(laurel.user("goal-1").achievements());
        JsonShape.assertObject(
                achievement,
                "id uuid",
                "name str",
                "trigger str",
                "description str~",
                "badgeUrl str~",
                "key str",
                "userAttributes list",
                "eventAttributes list",
                "metricId uuid",
                "metricName str",
                "metricValue num",
                "achievedAt dt",
                "completions int",
                "rarity num");
        assertEquals(
                1,
                laurel.get("/v1/users/goal-1/achievements").expect(200).json().size());
        assertTrue(achievement.get("completions").longValue() >= 1);
    }

    private static JsonNode laps(JsonNode achievements) {
        return achievements
                .valueStream()
                .filter(a -> a.get("name").stringValue().equals("Forty laps"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldAcceptOneOfTwentyConcurrentRequestsWithOneKey(LaurelInstance instance) throws InterruptedException {
        Callable<JsonResponse> story = () -> instance.client()
                .event("laps-swum")
                .of("twenty-1")
                .value("2")
                .key("once")
                .send();

        List<JsonResponse> answers = Concurrently.run(Collections.nCopies(20, story));

        assertEquals(
                1, answers.stream().filter(answer -> answer.status() == 201).count());
        assertEquals(
                19, answers.stream().filter(answer -> answer.status() == 202).count());
        assertEquals(
                1,
                answers.stream()
                        .map(answer -> answer.string("/eventId"))
                        .distinct()
                        .count());
        assertEquals(new BigDecimal("2"), instance.client().user("twenty-1").total("laps-swum"));
    }

    @Test
    void shouldRestoreStreaksAndExportTheEventsOfABatch(LaurelInstance instance) {
        String events = IntStream.range(20, 23)
                .mapToObj(daysAgo -> "{\"key\":\"laps-swum\",\"value\":10,\"time\":\""
                        + Instant.now().minus(Duration.ofDays(daysAgo)) + "\",\"user\":{\"id\":\"batch/1\"}}")
                .sorted()
                .collect(Collectors.joining(",", "[", "]"));
        LaurelClient laurel = instance.client();

        assertEquals(
                3,
                laurel.post("/admin/v1/metrics/events", events)
                        .expect(202)
                        .at("/accepted")
                        .intValue());
        // An answered write of the user follows them in the log.
        laurel.put("/v1/users/batch%2F1", "{\"name\":\"Bat\"}").expect(200);
        assertEquals(
                "batch/1",
                laurel.post("/admin/v1/streaks/restore", "{\"users\":[{\"id\":\"batch/1\"}]}")
                        .expect(201)
                        .string("/restoredUsers/0"));
        JsonResponse export = laurel.get("/admin/v1/users/batch%2F1/export").expect(200);
        assertEquals("Bat", export.string("/user/name"));
        assertEquals(3, export.at("/metrics/0/days").size());
        assertEquals(3, export.at("/metrics/0/events").intValue());
        assertEquals(3, export.at("/streak/length").intValue());
        assertEquals(3, export.at("/points/0/awards").size());

        assertEquals(
                "batch/1",
                laurel.delete("/admin/v1/users?ids=batch%2F1").expect(200).string("/deleted/0/id"));
        laurel.get("/admin/v1/users/batch%2F1/export").expectError(404);
    }
}
