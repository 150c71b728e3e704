package dev.laurel.core.rules;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The changes of rules to which inactive users are migrated at once. */
class InactiveUsersTest {

    private static final String BEFORE = """
        metrics: {laps: {}}
        achievements: {ten: {trigger: metric, metric: laps, value: 10}}
        points: {gems: {triggers: {
          lap: {type: metric, metric: laps, threshold: 1, points: 1},
          daily: {type: time, timeUnit: days, timeInterval: 1, points: 1}}}}
        streak: {metrics: {laps: 2}}
        settings: {defaultTimeZone: Europe/Helsinki}
        """;

    private static boolean isConcern(String from, String to) {
        String after = BEFORE.replace(from, to);
        assertFalse(after.equals(BEFORE), "nothing was changed");
        Ruleset first = TestRulesets.first(BEFORE);
        Ruleset next = TestRulesets.next(first, after, Instant.parse("2026-03-04T10:00:00Z"));
        return new CompiledRuleset(next).concernsInactiveUsers(new CompiledRuleset(first));
    }

    @ParameterizedTest
    @ValueSource(strings = {"value: 9", "value: 11"})
    void shouldConcernThemWhenAnAchievementHasOtherRules(String value) {
        assertTrue(isConcern("value: 10", value));
    }

    @Test
    void shouldConcernThemWhenAnAchievementIsNew() {
        assertTrue(isConcern("achievements: {", "achievements: {one: {trigger: metric, metric: laps, value: 1}, "));
    }

    @Test
    void shouldNotConcernThemWhenTheAchievementIsNotBackdated() {
        assertFalse(isConcern(
                "achievements: {", "achievements: {one: {trigger: metric, metric: laps, value: 1, backdate: false}, "));
    }

    @Test
    void shouldConcernThemWhenPeriodsEndAtOtherMoments() {
        assertTrue(isConcern("Europe/Helsinki", "Europe/London"));
        assertTrue(isConcern("settings: {", "settings: {weekStartsOn: monday, "));
        assertTrue(isConcern("streak: {", "streak: {frequency: weekly, "));
        assertTrue(isConcern("streak: {", "streak: {enabled: false, "));
        assertTrue(isConcern("laps: 2}", "laps: 3}"));
    }

    @Test
    void shouldConcernThemWhenPointsBecomeDueByTime() {
        assertTrue(
                isConcern("daily: {", "hourly: {type: time, timeUnit: hours, timeInterval: 1, points: 1}, daily: {"));
        assertTrue(isConcern("timeInterval: 1", "timeInterval: 2"));
    }

    @Test
    void shouldNotConcernThemWhenTheChangeCanWaitForTheNextCommand() {
        assertFalse(isConcern("metrics: {laps: {}}", "metrics: {laps: {}, dives: {}}"));
        assertFalse(isConcern("threshold: 1, points: 1", "threshold: 1, points: 2"));
        assertFalse(isConcern("lap: {", "welcome: {type: user_creation, points: 1}, lap: {"));
        assertFalse(isConcern("timeInterval: 1, points: 1}", "timeInterval: 1, points: 1, status: inactive}"));
    }

    private static final String WANTED = BEFORE + """
        notifications:
          templates: {t: {name: t, type: %s, channel: push, status: active, title: T, body: B}}
          settings: {recapPeriod: weekly, reactivationDays: [3], streakReminder: {dailyHoursBefore: 4},
            achievementWindow: {from: "17:00", to: "21:00"}, enabled: {%s: true}}
        """;

    /** Rules with messages of this type, before and after a change. */
    private static boolean isConcernOf(String type, String from, String to) {
        String before = WANTED.formatted(type, type);
        assertTrue(before.contains(from), from);
        Ruleset first = TestRulesets.first(before);
        Ruleset next = TestRulesets.next(first, before.replace(from, to), Instant.parse("2026-03-04T10:00:00Z"));
        return new CompiledRuleset(next).concernsInactiveUsers(new CompiledRuleset(first));
    }

    @ParameterizedTest
    @EnumSource(NotificationType.class)
    void shouldConcernThemWhenMessagesAreNewlyWanted(NotificationType constant) {
        String type = constant.name().toLowerCase(Locale.ROOT);
        Ruleset before = TestRulesets.first(BEFORE);
        Ruleset after = TestRulesets.next(before, WANTED.formatted(type, type), Instant.parse("2026-03-04T10:00:00Z"));
        Ruleset hooked = TestRulesets.next(
                before,
                BEFORE + "webhooks: {crm: {url: 'https://crm.example', events: ["
                        + MessageRules.eventOf(constant).type() + "]}}",
                Instant.parse("2026-03-04T10:00:00Z"));

        assertTrue(new CompiledRuleset(after).concernsInactiveUsers(new CompiledRuleset(before)));
        assertTrue(new CompiledRuleset(hooked).concernsInactiveUsers(new CompiledRuleset(before)));
        assertFalse(new CompiledRuleset(before).concernsInactiveUsers(new CompiledRuleset(after)));
    }

    @ParameterizedTest
    @CsvSource({
        "achievement_completed, 17:00, 16:00",
        "recap, recapPeriod: weekly, recapPeriod: daily",
        "reactivation, '[3]', '[3, 5]'",
        "streak_reminder, dailyHoursBefore: 4, dailyHoursBefore: 5"
    })
    void shouldConcernThemWhenMessagesAreDueAtOtherTimes(String type, String from, String to) {
        assertTrue(isConcernOf(type, from, to));
        assertFalse(isConcernOf(type.equals("recap") ? "reactivation" : "recap", from, to));
        if (!type.equals("reactivation")) {
            assertTrue(isConcernOf(type, "defaultTimeZone:", "messageTimeZone: Asia/Tokyo, defaultTimeZone:"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "body: B, body: C",
        "status: active, 'status: active, userAttributes: {}'",
        "'recap: true', 'recap: true, reactivation: false'"
    })
    void shouldNotConcernThemWhenOnlyWordsChange(String from, String to) {
        assertFalse(isConcernOf("recap", from, to));
    }

    @Test
    void shouldNotConcernThemWhenWebhooksChange() {
        assertFalse(isConcern("metrics: {laps: {}}", """
            metrics: {laps: {}}
            webhooks: {crm: {url: "https://crm.example", events: [streak.lost]}}
            notifications:
              templates: {t: {type: recap, channel: push, title: T, body: B}}
              settings: {recapPeriod: daily, enabled: {recap: false}}
              channels: {email: {from: team@pool.example}}\
            """));
    }

    @Test
    void shouldNotConcernThemWhenNothingChanges() {
        var rules = new CompiledRuleset(TestRulesets.first(BEFORE));

        assertFalse(rules.concernsInactiveUsers(rules));
    }
}
