package dev.laurel.core.engine;

import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.ruleset.Achievement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class AchievementsTest {

    private static final String RULES = """
            metrics: {laps: {}, litres: {}}
            achievements:
              ten: {trigger: metric, metric: laps, value: 10}
              half-litre: {trigger: metric, metric: litres, value: 0.5}
              hundred: {trigger: metric, metric: laps, value: 100}
            """;

    @Test
    void shouldCompleteWhenTheTotalReachesTheValue() {
        var user = given(RULES);
        var before = user.event("2026-03-04T10:00:00Z", "laps", "9.999999999");
        var reaching = user.event("2026-03-04T10:01:00Z", "laps", "0.000000001");

        assertEquals(List.of(), keys(before));
        assertEquals(List.of("ten"), keys(reaching));
        assertEquals(Instant.parse("2026-03-04T10:01:00Z").toEpochMilli(), completedMs(user, "ten"));
    }

    @Test
    void shouldCompleteSeveralAtOnceInRulesetOrder() {
        assertEquals(List.of("ten", "hundred"), keys(given(RULES).event("2026-03-04T10:00:00Z", "laps", "250")));
    }

    @Test
    void shouldCompleteOnceAndKeepItWhenTheTotalFalls() {
        var user = given(RULES);
        user.event("2026-03-04T10:00:00Z", "laps", "10");
        user.event("2026-03-04T10:01:00Z", "laps", "-10");
        var again = user.event("2026-03-04T10:02:00Z", "laps", "10");

        assertEquals(List.of(), keys(again));
        assertEquals(Instant.parse("2026-03-04T10:00:00Z").toEpochMilli(), completedMs(user, "ten"));
    }

    @Test
    void shouldEmitOneEffectPerCompletion() {
        var reached = given(RULES).event("2026-03-04T10:00:00Z", "laps", "12");

        var completed = reached.effects().stream().filter(Effect.AchievementCompleted.class::isInstance)
                .map(e -> ((Effect.AchievementCompleted) e).achievementKey()).toList();
        assertEquals(List.of("ten"), completed);
    }

    @Test
    void shouldIgnoreEventsOfOtherMetrics() {
        var user = given("metrics: {laps: {}, litres: {}}");
        user.event("2026-03-04T10:00:00Z", "laps", "10");
        user.rulesBecome(RULES.replace("value: 10}", "value: 10, backdate: false}"));

        assertEquals(List.of(), keys(user.event("2026-03-04T11:00:00Z", "litres", "0.1")));
        assertNull(user.state().completions().get(number(user, "ten")));
    }

    @Test
    void shouldCompleteByALateEventAtItsOwnTime() {
        var user = given(RULES);
        user.event("2026-03-06T10:00:00Z", "laps", "5");
        user.event("2026-03-04T10:00:00Z", "laps", "5");

        assertEquals(Instant.parse("2026-03-04T10:00:00Z").toEpochMilli(), completedMs(user, "ten"));
    }

    @Test
    void shouldKeepACompletionWhileTheAchievementIsRemoved() {
        var user = given(RULES);
        user.event("2026-03-04T10:00:00Z", "laps", "10");
        user.rulesBecome("metrics: {laps: {}, litres: {}}").rulesBecome(RULES);

        assertEquals(List.of(), keys(user.event("2026-03-05T10:00:00Z", "laps", "1")));
        assertEquals(Instant.parse("2026-03-04T10:00:00Z").toEpochMilli(), completedMs(user, "ten"));
    }

    private static List<String> keys(Outcome.Applied applied) {
        return applied.completed().stream().map(Achievement::key).toList();
    }

    private static long completedMs(UserSpecification user, String key) {
        return user.state().completions().get(number(user, key));
    }

    private static int number(UserSpecification user, String key) {
        return user.rules().document().achievements().stream().filter(a -> a.key().equals(key)).findFirst()
                .orElseThrow().number();
    }
}
