package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.user.MessageState;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages over longer times, and their cost. The cases {@code messages-*.yaml} test the rules. */
class MessagesTest {

    private static final String ALL = """
        metrics: {laps: {}}
        achievements: {first: {trigger: metric, metric: laps, value: 1}, ten: {trigger: metric, metric: laps, value: 10}}
        streak: {freezesEnabled: true, initialFreezes: 1, maxFreezes: 3}
        notifications:
          templates:
            done: {name: n, type: achievement_completed, channel: push, status: active, title: t, body: b}
            day: {name: n, type: recap, channel: push, status: active, title: t, body: b}
            back: {name: n, type: reactivation, channel: push, status: active, title: t, body: b}
            swim: {name: n, type: streak_reminder, channel: push, status: active, title: t, body: b}
          settings: {recapPeriod: weekly}
        webhooks: {crm: {url: "https://crm.example", events: [emails.recap_due]}}
        """;

    private static UserChange living(String zone) {
        return new UserChange(
                USER,
                Change.keep(),
                Change.keep(),
                Change.set(ZoneId.of(zone)),
                Change.set(List.of("token")),
                Change.keep(),
                Change.keep(),
                Map.of());
    }

    private static void lap(UserSpecification user, String zone, String at) {
        user.applied(at, UserSpecification.with(UserSpecification.eventOf("laps", "1"), living(zone)));
    }

    private static List<String> lines(List<Notice> notices, ZoneId zone) {
        return notices.stream()
                .map(notice -> notice.at().atZone(zone).toLocalDateTime() + " "
                        + switch (notice) {
                            case Notice.ForUser(var _, var type, var _, var _, var facts, var _) ->
                                type.name().toLowerCase(Locale.ROOT)
                                        + facts.achievement()
                                                .map(a -> " " + a.key().orElseThrow())
                                                .orElse("")
                                        + facts.recap()
                                                .map(r -> " of " + r.periodStart() + " to " + r.periodEnd())
                                                .orElse("")
                                        + facts.reactivation()
                                                .map(r -> " " + r.messageNumber())
                                                .orElse("");
                            case Notice.ForWebhooks hook -> hook.event().type();
                        })
                .toList();
    }

    /** The messages to a user who swims at these local times, with a tick every hour. */
    private static String weekOf(String zone, String until, String... localTimes) {
        ZoneId place = ZoneId.of(zone);
        var user = given(ALL);
        var notices = new ArrayList<Notice>();
        var times = new ArrayList<Instant>();
        for (String local : localTimes) {
            times.add(LocalDateTime.parse(local).atZone(place).toInstant());
        }
        Instant now = times.getFirst();
        for (Instant end = Instant.parse(until); now.isBefore(end); now = now.plus(Duration.ofHours(1))) {
            while (!times.isEmpty() && !times.getFirst().isAfter(now)) {
                var lap = UserSpecification.with(UserSpecification.eventOf("laps", "5"), living(zone));
                notices.addAll(user.applied(times.removeFirst().toString(), lap).notices());
            }
            notices.addAll(user.woken(now.toString()).notices());
        }
        return String.join("\n", lines(notices, place));
    }

    @Test
    void shouldSendToThreeUsersInThreeZonesThroughAWeek() {
        // New Zealand's clocks go back on Sunday, 5 April, at 03:00.
        assertEquals(
                """
                2026-03-30T17:00 achievement_completed first
                2026-03-31T18:00 achievement_completed ten
                2026-04-01T20:00 streak_reminder
                2026-04-03T20:00 streak_reminder
                2026-04-05T09:00 recap of 2026-03-29 to 2026-04-04
                2026-04-05T09:00 emails.recap_due
                2026-04-05T20:00 streak_reminder\
                """,
                weekOf(
                        "Pacific/Auckland",
                        "2026-04-06T12:00:00Z",
                        "2026-03-30T08:00",
                        "2026-03-31T18:00",
                        "2026-04-02T07:00",
                        "2026-04-04T21:30"));
        // Finland's go forward on Sunday, 29 March.
        assertEquals("""
            2026-03-29T09:00 recap of 2026-03-22 to 2026-03-28
            2026-03-29T09:00 emails.recap_due
            2026-03-29T17:00 achievement_completed first
            2026-03-29T20:00 streak_reminder
            2026-03-30T19:00 achievement_completed ten
            2026-03-31T20:00 streak_reminder
            2026-04-02T19:00 reactivation 1
            2026-04-04T19:00 reactivation 2
            2026-04-05T09:00 recap of 2026-03-29 to 2026-04-04
            2026-04-05T09:00 emails.recap_due\
            """, weekOf("Europe/Helsinki", "2026-04-06T12:00:00Z", "2026-03-28T22:00", "2026-03-30T19:00"));
        // California's have gone forward on 8 March.
        assertEquals(
                """
                2026-03-30T17:00 achievement_completed first
                2026-03-30T17:30 achievement_completed ten
                2026-04-05T09:00 recap of 2026-03-29 to 2026-04-04
                2026-04-05T09:00 emails.recap_due
                2026-04-05T20:00 streak_reminder\
                """,
                weekOf(
                        "America/Los_Angeles",
                        "2026-04-06T12:00:00Z",
                        "2026-03-30T16:59:59",
                        "2026-03-30T17:30",
                        "2026-03-31T12:00",
                        "2026-04-01T12:00",
                        "2026-04-02T12:00",
                        "2026-04-03T12:00",
                        "2026-04-04T12:00"));
    }

    /** The state on which messages depend. A read sends none, so it does not know which were sent. */
    private static MessageState scheduled(UserState user) {
        MessageState all = user.messages();
        return new MessageState(
                all.reactivatedDays(),
                all.remindedTo(),
                all.recapDay(),
                all.recappedTo(),
                all.windowMs(),
                all.waiting(),
                List.of());
    }

    @Test
    void shouldReachTheSameStateHoweverTimePasses() {
        for (String zone : List.of("Pacific/Auckland", "Europe/Helsinki", "America/Los_Angeles", "Pacific/Apia")) {
            var hourly = given(ALL);
            var daily = given(ALL);
            var unseen = given(ALL);
            Instant now = Instant.parse("2011-12-26T11:00:00Z");
            for (int hour = 0; hour < 24 * 60; hour++, now = now.plus(Duration.ofHours(1))) {
                // At irregular hours, less and less often.
                if (hour == 0 || hour < 600 && hour % (7 + hour / 24) == 0) {
                    lap(hourly, zone, now.toString());
                    lap(daily, zone, now.toString());
                    lap(unseen, zone, now.toString());
                }
                hourly.woken(now.toString());
                if (hour % 24 == 5) {
                    daily.woken(now.toString());
                }
                MessageState expected = scheduled(hourly.state());
                assertEquals(expected, scheduled(daily.read(now.toString())), zone + " at " + now);
                assertEquals(expected, scheduled(unseen.read(now.toString())), zone + " at " + now);
            }
            assertEquals(30, hourly.state().messages().reactivatedDays());
        }
    }

    @Test
    void shouldDoLittleForAUserWhoReturnsAfterTenYears() {
        String rules = ALL.replace("initialFreezes: 1", "initialFreezes: 3").replace("weekly", "daily");
        var user = given(rules);
        lap(user, "Europe/Helsinki", "2016-03-04T10:00:00Z");
        long atMs = Instant.parse("2026-03-04T10:00:00Z").toEpochMilli();

        var woken = UserEngine.wake(
                user.state(),
                user.rules(),
                new CommandContext(UserKey.of("swimmer-77"), atMs, 0, 1, Long.MIN_VALUE),
                user.memory(),
                12);

        // Four judgements, one window, one recap, five reactivations: nothing is left.
        assertEquals(0, woken.state().wakeUpMs());
        assertEquals(List.of(), woken.notices());
        assertEquals(user.read("2026-03-04T10:00:00Z").messages(), woken.state().messages());
    }

    @Test
    void shouldSkipRemindersOfFrozenYears() {
        String frozen =
                ALL.replace("maxFreezes: 3", "maxFreezes: 3, freezeAutoEarnInterval: 1, freezeAutoEarnAmount: 1");
        var user = given(frozen);
        lap(user, "Europe/Helsinki", "2016-03-04T10:00:00Z");
        var quiet = given(frozen.replace(
                "swim: {name: n, type: streak_reminder, channel: push, status: active",
                "swim: {name: n, type: streak_reminder, channel: push, status: inactive"));
        lap(quiet, "Europe/Helsinki", "2016-03-04T10:00:00Z");

        // The times of the streak are the same, with one reminder more at most.
        int withReminders = momentsUntil("2026-03-04T10:00:00Z", user);
        assertTrue(withReminders <= momentsUntil("2026-03-04T10:00:00Z", quiet) + 2, () -> withReminders + " moments");
    }

    private static int momentsUntil(String at, UserSpecification user) {
        long atMs = Instant.parse(at).toEpochMilli();
        UserState state = user.state();
        int moments = 0;
        for (boolean isDue = true; isDue; moments++) {
            var woken = UserEngine.wake(
                    state,
                    user.rules(),
                    new CommandContext(UserKey.of("swimmer-77"), atMs, 0, 1, Long.MIN_VALUE),
                    user.memory(),
                    1);
            state = woken.state();
            woken.writes().forEach(user.memory()::write);
            isDue = state.wakeUpMs() != 0 && state.wakeUpMs() <= atMs;
        }
        return moments;
    }

    @Test
    void shouldKeepNoMessageStateIfNoMessagesAreWanted() {
        var user = given("metrics: {laps: {}}");
        lap(user, "Europe/Helsinki", "2026-03-04T10:00:00Z");
        lap(user, "Europe/Helsinki", "2026-03-09T10:00:00Z");

        assertSame(MessageState.NONE, user.state().messages());
        assertEquals(
                Instant.parse("2026-03-09T10:00:00Z").toEpochMilli(),
                user.state().lastEventMs());
        assertEquals(
                Instant.parse("2026-03-10T22:00:00Z").toEpochMilli(),
                user.woken("2026-03-09T10:00:00Z").state().wakeUpMs());
    }

    @Test
    void shouldSendAMessageAboutEachOfManyAchievementsOfADay() {
        var user = given("achievements:\n"
                + IntStream.range(0, 250)
                        .mapToObj(i -> "  a%d: {name: A, trigger: api}\n".formatted(i))
                        .collect(Collectors.joining())
                + "notifications: {templates: {d: {name: n, type: achievement_completed, channel: push, status: active,"
                + " title: t, body: b}}}");
        for (int i = 0; i < 250; i++) {
            user.applied("2026-03-04T10:00:00Z", new CompleteAchievement(living("UTC"), "a" + i));
        }

        assertEquals(250, user.woken("2026-03-04T17:00:00Z").notices().size());
    }

    @Test
    void shouldMakeNoNoticesByARead() {
        var user = given(ALL);
        lap(user, "UTC", "2026-03-04T10:00:00Z");

        var seen = UserEngine.advance(
                UserKey.of("swimmer-77"),
                user.state(),
                user.rules(),
                user.memory(),
                Instant.parse("2026-03-04T18:00:00Z").toEpochMilli());

        assertEquals(List.of(), seen.notices());
        assertTrue(seen.state().messages().waiting().isEmpty());
        assertFalse(user.state().messages().waiting().isEmpty());
    }

    @Test
    void shouldUseTheRulesInForceAtTheDueTime() {
        var user = given(ALL);
        lap(user, "UTC", "2026-03-04T10:00:00Z");
        user.rulesBecome("2026-03-04T18:00:00Z", ALL.replace("done:", "won:"));

        Notice notice = user.woken("2026-03-04T19:00:00Z").notices().getFirst();

        assertEquals(1, ((Notice.ForUser) notice).rulesVersion());
        assertEquals(Instant.parse("2026-03-04T17:00:00Z"), notice.at());
    }
}
