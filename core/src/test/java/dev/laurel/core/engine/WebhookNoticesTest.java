package dev.laurel.core.engine;

import dev.laurel.core.view.AchievementBodies;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.GrantFreeze;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.eventOf;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.noon;
import static dev.laurel.core.engine.UserSpecification.resultOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Notices to webhooks about users: occasions, times and bodies (docs/webhooks.md §2). */
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
        return notices.stream().map(notice -> ((Notice.ForWebhooks) notice).payload().type()).toList();
    }

    private static <T extends WebhookPayload> List<T> payloads(List<Notice> notices, Class<T> type) {
        return notices.stream().map(notice -> ((Notice.ForWebhooks) notice).payload()).filter(type::isInstance)
                .map(type::cast).toList();
    }

    private static Instant at(List<Notice> notices) {
        assertEquals(1, notices.size(), notices.toString());
        return notices.getFirst().at();
    }

    @Test
    void shouldMakeNoNoticeWithoutASubscription() {
        assertEquals(List.of(), given(GAME).event(noon(4), "laps", "50").notices());
        assertEquals(List.of("streak.started"), types(
                given(GAME + asking(WebhookEvent.STREAK_STARTED)).event(noon(4), "laps", "50").notices()));
        assertEquals(List.of(), given(GAME + asking(WebhookEvent.STREAK_STARTED).replace("url:",
                "status: inactive, url:")).event(noon(4), "laps", "50").notices());
    }

    @Test
    void shouldMakeTheNoticesOfOneEventInOrder() {
        var user = given(GAME + asking(WebhookEvent.values()));
        var applied = user.event(noon(4), "laps", "50");

        assertEquals(List.of("achievement.completed", "streak.started", "achievement.completed", "points.changed",
                "points.level_changed", "points.changed"), types(applied.notices()));
        applied.notices().forEach(notice -> assertEquals(Instant.parse(noon(4)), notice.at()));
    }

    @Test
    void shouldShowTheAchievementLikeTheApi() {
        var user = given(GAME + asking(WebhookEvent.ACHIEVEMENT_COMPLETED));
        var found = payloads(user.event(noon(4), "laps", "50").notices(), WebhookPayload.AchievementCompleted.class);

        assertEquals(List.of(AchievementBodies.of(user.state(), user.rules().achievement("forty"), user.rules()),
                AchievementBodies.of(user.state(), user.rules().achievement("both"), user.rules())),
                found.stream().map(WebhookPayload.AchievementCompleted::achievement).toList());
        assertEquals(Instant.parse(noon(4)), found.getFirst().achievement().achievedAt().orElseThrow().value());
        assertEquals(Bodies.user(user.state()), found.getFirst().user());
    }

    @Test
    void shouldMakeNoticesOfWhatAnIdentificationCompletes() {
        var user = given(GAME.replace("value: 40}", "value: 40, userAttributes: {plan: pro}}")
                + "attributes: {user: {plan: {}}}\n" + asking(WebhookEvent.ACHIEVEMENT_COMPLETED));
        assertEquals(List.of(), user.event(noon(4), "laps", "50").notices());

        var notices = user.identify(noon(5), UserSpecification.having("plan", "pro")).notices();
        assertEquals(List.of("forty", "both"), payloads(notices, WebhookPayload.AchievementCompleted.class).stream()
                .map(payload -> payload.achievement().key().orElseThrow()).toList());
    }

    @Test
    void shouldMakeOneNoticeOfAnApiCompletion() {
        var user = given(GAME + asking(WebhookEvent.ACHIEVEMENT_COMPLETED));
        var complete = new CompleteAchievement(UserChange.mention(USER), "join");

        assertEquals(List.of("achievement.completed"), types(user.applied(noon(4), complete).notices()));
        assertTrue(user.apply(noon(5), complete) instanceof Outcome.Repeated);
    }

    @Test
    void shouldMakeNoNoticeOfBackdatedCompletions() {
        var user = given("metrics: {laps: {}}\n" + asking(WebhookEvent.ACHIEVEMENT_COMPLETED));
        user.event(noon(4), "laps", "50");
        user.rulesBecome(noon(5), GAME + asking(WebhookEvent.ACHIEVEMENT_COMPLETED));

        assertEquals(List.of(), user.woken(noon(6)).notices());
        assertEquals(2, user.state().completions().size());
    }

    private static final String YEAR = """
            achievements: {year: {trigger: anniversary, anniversaryYears: 1}}
            points: {xp: {triggers: {year: {type: achievement, achievement: year, points: 5}}}}
            """ + asking(WebhookEvent.ACHIEVEMENT_COMPLETED, WebhookEvent.POINTS_CHANGED);

    @Test
    void shouldMakeNoticesOfAnAnniversaryUntilOneDayLater() {
        var user = given(YEAR);
        user.identify(noon(2), signedUp("2025-03-04"));

        List<Notice> notices = user.woken("2026-03-05T00:00:00Z").notices();

        assertEquals(List.of("achievement.completed", "points.changed"), types(notices));
        notices.forEach(notice -> assertEquals(Instant.parse("2026-03-04T00:00:00Z"), notice.at()));
        var payload = payloads(notices, WebhookPayload.AchievementCompleted.class).getFirst();
        assertEquals(Optional.of(1), payload.achievement().anniversaryYears());
        assertEquals(LocalDate.parse("2025-03-04"), payload.user().signUpDate());
    }

    @Test
    void shouldMakeNoNoticeOfAnAnniversaryMoreThanOneDayLater() {
        var user = given(YEAR);
        user.identify(noon(2), signedUp("2025-03-04"));

        var woken = user.woken("2026-03-05T00:00:00.001Z");

        assertEquals(List.of(), woken.notices());
        assertEquals(1, woken.completed().size());
    }

    @Test
    void shouldMakeNoNoticeOfAnAnniversaryThatThePresentDateCompletes() {
        var created = given(YEAR).identify(noon(4), signedUp("2025-03-04"));

        assertEquals(List.of(), created.notices());
        assertEquals(1, created.completed().size());
    }

    private static UserChange signedUp(String date) {
        return new UserChange(USER, Change.keep(), Change.keep(), Change.keep(), Change.keep(), Change.keep(),
                Change.set(new SignUp.OnDate(LocalDate.parse(date))), Map.of());
    }

    @Test
    void shouldShowTheStreakAfterTheEvent() {
        var user = given(GAME + asking(WebhookEvent.STREAK_STARTED, WebhookEvent.STREAK_EXTENDED));
        user.event(noon(4), "laps", "1");
        var extended = payloads(user.event(noon(5), "laps", "1").notices(), WebhookPayload.StreakExtended.class)
                .getFirst();

        assertEquals(StreakBodies.base(user.state(), user.rules(), user.memory(), Instant.parse(noon(5))
                .toEpochMilli()), extended.streak());
        assertEquals(2, extended.streak().length());
        assertEquals(LocalDate.parse("2026-03-04"), extended.streak().started());
        assertEquals(LocalDate.parse("2026-03-06"), extended.streak().expires());
        assertEquals(List.of(), user.event(noon(5), "laps", "1").notices(), "the day was met already");
    }

    @Test
    void shouldMakeANoticeOfTheLossAtLocalMidnight() {
        var user = given(GAME + asking(WebhookEvent.STREAK_LOST));
        user.eventIn("Europe/Helsinki", noon(4), "laps", "1");
        user.event(noon(5), "laps", "1");
        var lost = user.woken(noon(7)).notices();

        assertEquals(Instant.parse("2026-03-06T22:00:00Z"), at(lost));
        var payload = payloads(lost, WebhookPayload.StreakLost.class).getFirst();
        assertEquals(2, payload.length());
        assertEquals(Bodies.user(user.state()), payload.user());
    }

    @Test
    void shouldMakeNoticesOfEarnedAndConsumedButNotOfInitialFreezes() {
        var user = given("metrics: {laps: {}}\nstreak: {freezesEnabled: true, maxFreezes: 3, initialFreezes: 1, "
                + "freezeAutoEarnInterval: 3, freezeAutoEarnAmount: 2}\n"
                + asking(WebhookEvent.STREAK_FREEZE_EARNED, WebhookEvent.STREAK_FREEZE_CONSUMED,
                        WebhookEvent.STREAK_EXTENDED));
        assertEquals(List.of(), user.event(noon(4), "laps", "1").notices());
        var woken = new ArrayList<>(user.woken(noon(6)).notices());
        woken.addAll(user.woken(noon(7)).notices());

        assertEquals(List.of("streak.freeze_consumed", "streak.freeze_earned"), types(woken));
        var consumed = payloads(woken, WebhookPayload.FreezeConsumed.class).getFirst();
        assertEquals(List.of(1, 0), List.of(consumed.consumed(), consumed.freezes()));
        assertEquals(Instant.parse("2026-03-06T00:00:00Z"), woken.getFirst().at());
        var earned = payloads(woken, WebhookPayload.FreezeEarned.class).getFirst();
        assertEquals(List.of(2, 2), List.of(earned.earned(), earned.freezes()));

        var granted = user.applied(noon(7), new GrantFreeze(UserChange.mention(USER))).notices();
        var grant = payloads(granted, WebhookPayload.FreezeEarned.class).getFirst();
        assertEquals(List.of(1, 3), List.of(grant.earned(), grant.freezes()));
        assertEquals(Instant.parse(noon(7)), at(granted));
    }

    @Test
    void shouldShowPointsLikeTheAnswerToTheEvent() {
        var user = given(GAME + asking(WebhookEvent.POINTS_CHANGED));
        var applied = user.event(noon(4), "laps", "50");
        var context = new CommandContext(UserKey.of("swimmer-77"), Instant.parse(noon(4)).toEpochMilli(), 0, 0, 0);
        var answer = resultOf(applied).body(context, user.state(), user.rules(), user.memory(), context.atMs(), true)
                .points();
        var found = payloads(applied.notices(), WebhookPayload.PointsChanged.class);

        assertEquals(List.copyOf(answer.values()), found.stream().map(WebhookPayload.PointsChanged::points).toList());
        assertEquals(55, found.getFirst().points().added());
        assertEquals("seal", found.getFirst().points().level().orElseThrow().value().key());
        assertEquals(answer.values().stream().map(points -> points.id().toString()).toList(),
                applied.notices().stream().map(notice -> ((Notice.ForWebhooks) notice).about()).toList());
    }

    @Test
    void shouldMakeOneNoticeOfALevelChangeOverSeveralLevels() {
        var user = given(GAME + asking(WebhookEvent.POINTS_LEVEL_CHANGED));
        var up = payloads(user.event(noon(4), "laps", "50").notices(), WebhookPayload.LevelChanged.class);
        var down = payloads(user.event(noon(4), "falls", "40").notices(), WebhookPayload.LevelChanged.class);

        assertEquals(1, up.size());
        assertNull(up.getFirst().previousLevel());
        assertEquals("seal", up.getFirst().newLevel().key());
        assertEquals(PointsBodies.total(user.rules().pointsSystem("xp"), 55), up.getFirst().points());
        assertEquals("seal", down.getFirst().previousLevel().key());
        assertNull(down.getFirst().newLevel());
        assertEquals(15, down.getFirst().points().total());
    }

    @Test
    void shouldMakeNoNoticeOfEditedLevels() {
        var user = given(GAME + asking(WebhookEvent.POINTS_LEVEL_CHANGED));
        user.event(noon(4), "laps", "10");
        user.rulesBecome(noon(5), GAME.replace("otter: {points: 20}", "otter: {points: 5}")
                + asking(WebhookEvent.POINTS_LEVEL_CHANGED));

        assertEquals(List.of(), user.woken(noon(6)).notices());
        assertEquals(List.of(), user.event(noon(6), "laps", "1").notices(), "held already");
    }

    @Test
    void shouldShowTheNewestOfManyAwards() {
        var triggers = new StringBuilder();
        int count = WebhookPayload.PointsChanged.MAX_AWARDS + 3;
        for (int i = 1; i <= count; i++) {
            triggers.append("t").append(i).append(": {type: metric, metric: laps, threshold: 1, points: ").append(i)
                    .append("}, ");
        }
        var user = given("metrics: {laps: {}}\npoints: {xp: {triggers: {" + triggers + "}}}\n"
                + asking(WebhookEvent.POINTS_CHANGED));
        var found = payloads(user.event(noon(4), "laps", "1").notices(), WebhookPayload.PointsChanged.class).getFirst();

        List<AwardBody> awards = found.points().awards();
        assertEquals(WebhookPayload.PointsChanged.MAX_AWARDS, awards.size());
        assertEquals(4, awards.getFirst().awarded());
        assertEquals(count, awards.getLast().awarded());
        assertEquals(count * (count + 1) / 2, found.points().added());
    }

    @Test
    void shouldMakeNoticesOfUsersInTheControlGroup() {
        var user = given("settings: {controlRatio: 100}\n" + GAME
                + asking(WebhookEvent.ACHIEVEMENT_COMPLETED, WebhookEvent.POINTS_CHANGED));
        var notices = user.event(noon(4), "laps", "50").notices();

        assertTrue(user.state().control());
        assertEquals(4, notices.size());
        assertTrue(payloads(notices, WebhookPayload.PointsChanged.class).getFirst().user().control());
    }

    @Test
    void shouldMakeNoNoticeByARead() {
        var user = given(GAME + asking(WebhookEvent.values()));
        user.event(noon(4), "laps", "1");
        var read = UserEngine.advance(UserKey.of("swimmer-77"), user.state(), user.rules(), user.memory(),
                Instant.parse(noon(7)).toEpochMilli());

        assertEquals(1, read.effects().size(), "the streak is lost");
        assertEquals(List.of(), payloads(read.notices(), WebhookPayload.StreakLost.class));
    }

    /** Webhooks that were removed or added meanwhile are not notified. */
    @Test
    void shouldNotifyOnlyWebhooksThatSubscribedThenAndNow() {
        var gone = given(GAME + asking(WebhookEvent.STREAK_LOST));
        gone.event(noon(4), "laps", "1");
        gone.rulesBecome("2026-03-06T06:00:00Z", GAME);
        assertEquals(List.of(), gone.woken(noon(6)).notices());

        var late = given(GAME);
        late.event(noon(4), "laps", "1");
        late.rulesBecome("2026-03-06T06:00:00Z", GAME + asking(WebhookEvent.STREAK_LOST));
        assertEquals(List.of(), late.woken(noon(6)).notices());

        var both = given(GAME + asking(WebhookEvent.STREAK_LOST));
        both.event(noon(4), "laps", "1");
        both.rulesBecome("2026-03-06T06:00:00Z", GAME + asking(WebhookEvent.STREAK_LOST, WebhookEvent.STREAK_STARTED));
        assertEquals(List.of("streak.lost"), types(both.woken(noon(6)).notices()));
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

            List<Notice> before = applied.notices().stream().filter(notice -> notice.at().isBefore(at)).toList();
            assertTrue(before.size() <= 6, before.toString());
            assertTrue(applied.notices().size() - before.size() <= 4, applied.notices().toString());
            assertTrue(types(applied.notices()).contains("streak.started"), "there is a notice of the command itself");
            assertTrue(year == 2016 || applied.effects().size() > 100, "much has happened in between");
            before.forEach(notice -> assertFalse(notice.at().isBefore(at.minus(Duration.ofHours(24)))));
        }
    }

    private static List<Notice> hooked(List<Notice> notices) {
        return notices.stream().filter(n -> n instanceof Notice.ForWebhooks notice
                && !notice.event().type().startsWith("emails.")).toList();
    }

    @Test
    void shouldMakeNoNoticeOfARefusedEvent() {
        var user = given("""
                metrics: {falls: {}}
                points: {xp: {triggers: {fall: {type: metric, metric: falls, threshold: 1, points: -1, \
                blockIfOutOfPoints: true}}}}
                """ + asking(WebhookEvent.STREAK_STARTED));

        assertTrue(user.apply(noon(4), eventOf("falls", "1")) instanceof Outcome.Refused);
        assertNull(user.state());
    }
}
