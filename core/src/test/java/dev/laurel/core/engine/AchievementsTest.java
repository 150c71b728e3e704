package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the state keeps of achievements. The rule cases {@code achievement*.yaml} of the processors test the rules. */
class AchievementsTest {

    private static final String METRICS = "metrics: {laps: {}}\nattributes: {user: {plan: {}}, event: {pool: {}}}\n";
    private static final String ACTIVE = METRICS
            + "achievements: {ten: {trigger: metric, metric: laps, value: 10}, both: {trigger: achievement,"
            + " achievements: [ten]}}\n"
            + "points: {xp: {triggers: {t: {type: achievement, achievement: ten, points: 5}}}}";
    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String ACTIVATION = "2026-03-05T12:00:00Z";

    private static UserSpecification withElevenLaps() {
        var user = given(METRICS);
        user.event("2026-03-05T10:00:00Z", "laps", "11");
        return user;
    }

    @Test
    void shouldComputeTheSameByReadTickAndCommand() {
        var read = withElevenLaps().rulesBecome(ACTIVATION, ACTIVE);
        var ticked = withElevenLaps().rulesBecome(ACTIVATION, ACTIVE);
        ticked.tick("2026-03-05T13:00:00Z");

        assertEquals(
                ticked.state().completions(), read.read("2026-03-05T13:00:00Z").completions());
        assertEquals(Instant.parse(ACTIVATION), completedAt(ticked.state(), ticked, "both"));
        ticked.event("2026-03-05T14:00:00Z", "laps", "1");
        read.event("2026-03-05T14:00:00Z", "laps", "1");
        assertEquals(ticked.state().completions(), read.state().completions());
    }

    @Test
    void shouldJudgeAUserOnceForEachVersion() {
        var user = withElevenLaps().rulesBecome(ACTIVATION, ACTIVE);
        user.tick("2026-03-05T13:00:00Z");
        long settled = user.state().rulesVersion();

        assertEquals(user.rules().version(), settled);
        assertEquals(
                List.of(),
                UserEngine.wake(
                                user.state(),
                                user.rules(),
                                new CommandContext(
                                        UserKey.of("swimmer-77"),
                                        Instant.parse("2026-03-05T15:00:00Z").toEpochMilli(),
                                        0,
                                        99,
                                        Long.MIN_VALUE),
                                user.memory(),
                                1000)
                        .completed());
    }

    private static Instant completedAt(UserState state, UserSpecification user, String key) {
        Long atMs = state.completions().get(user.rules().achievement(key).number());
        return atMs == null ? null : Instant.ofEpochMilli(atMs);
    }

    @Test
    void shouldRestartTheSumWhenEventFiltersAreEditedButNotWhenTheValueIs() {
        var user = given(METRICS
                + "achievements:\n  long: {trigger: metric, metric: laps, value: 50, eventAttributes: {pool: long}}\n");
        user.applied(AT, lapsIn("long", "30"));
        user.rulesBecome(
                AT,
                METRICS
                        + "achievements:\n"
                        + "  long: {trigger: metric, metric: laps, value: 40, eventAttributes: {pool: long}}\n");
        user.applied(AT, lapsIn("long", "9"));
        assertEquals(0, user.state().completions().size(), "39 of 40");
        user.rulesBecome(
                AT,
                METRICS
                        + "achievements:\n"
                        + "  long: {trigger: metric, metric: laps, value: 40, eventAttributes: {pool: short}}\n");
        user.applied(AT, lapsIn("short", "39"));
        assertEquals(0, user.state().completions().size(), "39 since the edit");
        user.applied(AT, lapsIn("short", "1"));
        assertEquals(1, user.state().completions().size());
        assertEquals(1, user.state().sums().size(), "the old sum is forgotten");
    }

    private static RecordEvent lapsIn(String pool, String value) {
        return new RecordEvent(
                UserChange.mention(UserSpecification.USER),
                "laps",
                new BigDecimal(value),
                Map.of("pool", pool),
                null,
                null);
    }
}
