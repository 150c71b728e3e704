package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.noon;
import static dev.laurel.core.engine.UserSpecification.resultOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.view.AchievementBodies;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Bodies of notices to webhooks, and notices of long times. The rule cases {@code webhook-notices.yaml} test the occasions. */
class WebhookNoticesTest {

    private static final String GAME = """
        metrics: {laps: {}, falls: {}}
        achievements:
          forty: {trigger: metric, metric: laps, value: 40}
          both: {trigger: achievement, achievements: [forty]}
          join: {trigger: api}
        streak: {freezesEnabled: true, maxFreezes: 3}
        points:
          xp:
            levels: {otter: {points: 20}, seal: {points: 30}}
            triggers:
              lap: {type: metric, metric: laps, threshold: 1, points: 1}
              fall: {type: metric, metric: falls, threshold: 1, points: -1}
              done: {type: achievement, achievement: forty, points: 5}
          gold:
            triggers: {join: {type: user_creation, points: 3}}
        """;

    private static String asking(WebhookEvent... events) {
        String types = List.of(events).stream().map(WebhookEvent::type).collect(Collectors.joining(", "));
        return "webhooks: {crm: {url: 'https://crm.example.com/in', events: [" + types + "]}}\n";
    }

    private static List<String> types(List<Notice> notices) {
        return notices.stream()
                .map(notice -> ((Notice.ForWebhooks) notice).payload().type())
                .toList();
    }

    private static <T extends WebhookPayload> List<T> payloads(List<Notice> notices, Class<T> type) {
        return notices.stream()
                .map(notice -> ((Notice.ForWebhooks) notice).payload())
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    @Test
    void shouldShowTheAchievementLikeTheApi() {
        var user = given(GAME + asking(WebhookEvent.ACHIEVEMENT_COMPLETED));
        var found = payloads(user.event(noon(4), "laps", "50").notices(), WebhookPayload.AchievementCompleted.class);

        assertEquals(
                List.of(
                        AchievementBodies.of(user.state(), user.rules().achievement("forty"), user.rules()),
                        AchievementBodies.of(user.state(), user.rules().achievement("both"), user.rules())),
                found.stream()
                        .map(WebhookPayload.AchievementCompleted::achievement)
                        .toList());
        assertEquals(
                Instant.parse(noon(4)),
                found.getFirst().achievement().achievedAt().orElseThrow().value());
        assertEquals(Bodies.user(user.state()), found.getFirst().user());
    }

    @Test
    void shouldShowTheStreakAfterTheEvent() {
        var user = given(GAME + asking(WebhookEvent.STREAK_STARTED, WebhookEvent.STREAK_EXTENDED));
        user.event(noon(4), "laps", "1");
        var extended = payloads(user.event(noon(5), "laps", "1").notices(), WebhookPayload.StreakExtended.class)
                .getFirst();

        assertEquals(
                StreakBodies.base(
                        user.state(),
                        user.rules(),
                        user.memory(),
                        Instant.parse(noon(5)).toEpochMilli()),
                extended.streak());
        assertEquals(2, extended.streak().length());
        assertEquals(LocalDate.parse("2026-03-04"), extended.streak().started());
        assertEquals(LocalDate.parse("2026-03-06"), extended.streak().expires());
        assertEquals(List.of(), user.event(noon(5), "laps", "1").notices(), "the day was met already");
    }

    @Test
    void shouldShowPointsLikeTheAnswerToTheEvent() {
        var user = given(GAME + asking(WebhookEvent.POINTS_CHANGED));
        var applied = user.event(noon(4), "laps", "50");
        var context = new CommandContext(
                UserKey.of("swimmer-77"), Instant.parse(noon(4)).toEpochMilli(), 0, 0, 0);
        var answer = resultOf(applied)
                .body(context, user.state(), user.rules(), user.memory(), context.atMs(), true)
                .points();
        var found = payloads(applied.notices(), WebhookPayload.PointsChanged.class);

        assertEquals(
                List.copyOf(answer.values()),
                found.stream().map(WebhookPayload.PointsChanged::points).toList());
        assertEquals(55, found.getFirst().points().added());
        assertEquals(
                "seal", found.getFirst().points().level().orElseThrow().value().key());
        assertEquals(
                answer.values().stream()
                        .map(points -> points.base().id().toString())
                        .toList(),
                applied.notices().stream()
                        .map(notice -> ((Notice.ForWebhooks) notice).about())
                        .toList());
    }

    @Test
    void shouldShowTheNewestOfManyAwards() {
        var triggers = new StringBuilder();
        int count = WebhookPayload.PointsChanged.MAX_AWARDS + 3;
        for (int i = 1; i <= count; i++) {
            triggers.append("t")
                    .append(i)
                    .append(": {type: metric, metric: laps, threshold: 1, points: ")
                    .append(i)
                    .append("}, ");
        }
        var user = given("metrics: {laps: {}}\npoints: {xp: {triggers: {" + triggers + "}}}\n"
                + asking(WebhookEvent.POINTS_CHANGED));
        var found = payloads(user.event(noon(4), "laps", "1").notices(), WebhookPayload.PointsChanged.class)
                .getFirst();

        List<AwardBody> awards = found.points().awards();
        assertEquals(WebhookPayload.PointsChanged.MAX_AWARDS, awards.size());
        assertEquals(4, awards.getFirst().awarded());
        assertEquals(count, awards.getLast().awarded());
        assertEquals(count * (count + 1) / 2, found.points().added());
    }

    @Test
    void shouldMakeNoNoticeByARead() {
        var user = given(GAME + asking(WebhookEvent.values()));
        user.event(noon(4), "laps", "1");
        var read = UserEngine.advance(
                UserKey.of("swimmer-77"),
                user.state(),
                user.rules(),
                user.memory(),
                Instant.parse(noon(7)).toEpochMilli());

        assertEquals(1, read.effects().size(), "the streak is lost");
        assertEquals(List.of(), payloads(read.notices(), WebhookPayload.StreakLost.class));
    }

    @Test
    void shouldFindTheSameOfTheLastDayByOneReadAsByOnePerDay() {
        String rules = "metrics: {laps: {}}\nstreak: {freezesEnabled: true, initialFreezes: 2, maxFreezes: 2, "
                + "freezeAutoEarnInterval: 2, freezeAutoEarnAmount: 1}\n" + asking(WebhookEvent.values());
        var daily = given(rules);
        daily.event(noon(4), "laps", "1");
        int count = 0;
        for (int day = 5; day <= 20; day++) {
            var once = given(rules);
            once.event(noon(4), "laps", "1");
            List<Notice> newest = hooked(daily.woken(noon(day)).notices());
            assertEquals(newest, hooked(once.woken(noon(day)).notices()));
            count += newest.size();
        }
        assertTrue(count > 5, count + " notices");
    }

    /** Delivery would discard all of them. */
    @Test
    void shouldMakeNoNoticesOfTheYearsBetweenImportedCommands() {
        var user = given("""
            metrics: {laps: {}}
            streak: {freezesEnabled: true, initialFreezes: 2, maxFreezes: 50, freezeAutoEarnInterval: 2, \
            freezeAutoEarnAmount: 1}
            points:
              xp:
                levels: {otter: {points: 20}, seal: {points: 500}}
                triggers:
                  lap: {type: metric, metric: laps, threshold: 1, points: 1}
                  hour: {type: time, timeUnit: hours, timeInterval: 7, points: 1}
            """ + asking(WebhookEvent.values()));
        for (int year = 2016; year <= 2026; year += 2) {
            var at = Instant.parse(year + "-03-04T12:00:00Z");
            var applied = user.event(at.toString(), "laps", "1");

            List<Notice> before = applied.notices().stream()
                    .filter(notice -> notice.at().isBefore(at))
                    .toList();
            assertTrue(before.size() <= 6, before.toString());
            assertTrue(
                    applied.notices().size() - before.size() <= 4,
                    applied.notices().toString());
            assertTrue(types(applied.notices()).contains("streak.started"), "there is a notice of the command itself");
            assertTrue(year == 2016 || applied.effects().size() > 100, "much has happened in between");
            before.forEach(notice -> assertFalse(notice.at().isBefore(at.minus(Duration.ofHours(24)))));
        }
    }

    private static List<Notice> hooked(List<Notice> notices) {
        return notices.stream()
                .filter(n -> n instanceof Notice.ForWebhooks notice
                        && !notice.event().type().startsWith("emails."))
                .toList();
    }
}
