package dev.laurel.processors.core.rules;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.TestRulesets;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which new rules are brought to users who do nothing, and which can wait for their next command. */
class QuietUsersConcernTest {

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
        return new CompiledRuleset(next).concernsQuietUsers(new CompiledRuleset(first));
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
        assertFalse(isConcern("achievements: {",
                "achievements: {one: {trigger: metric, metric: laps, value: 1, backdate: false}, "));
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
    void shouldConcernThemWhenPointsBeginToFallDue() {
        assertTrue(
                isConcern("daily: {", "hourly: {type: time, timeUnit: hours, timeInterval: 1, points: 1}, daily: {"));
        assertTrue(isConcern("timeInterval: 1", "timeInterval: 2"));
    }

    @Test
    void shouldNotConcernThemWhenTheirNextCommandIsSoonEnough() {
        assertFalse(isConcern("metrics: {laps: {}}", "metrics: {laps: {}, dives: {}}"));
        assertFalse(isConcern("threshold: 1, points: 1", "threshold: 1, points: 2"));
        assertFalse(isConcern("lap: {", "welcome: {type: user_creation, points: 1}, lap: {"));
        assertFalse(isConcern("timeInterval: 1, points: 1}", "timeInterval: 1, points: 1, status: inactive}"));
    }

    @Test
    void shouldNotConcernThemWhoIsToldOfEvents() {
        assertFalse(isConcern("metrics: {laps: {}}", """
                metrics: {laps: {}}
                webhooks: {crm: {url: "https://crm.example", events: [streak.lost]}}
                notifications:
                  templates: {t: {type: recap, channel: push, title: T, body: B}}
                  settings: {recapPeriod: daily, enabled: {recap: false}}
                  channels: {email: {from: team@pool.example}}"""));
    }

    @Test
    void shouldNotConcernThemWhenNothingChanges() {
        var rules = new CompiledRuleset(TestRulesets.first(BEFORE));

        assertFalse(rules.concernsQuietUsers(rules));
    }
}
