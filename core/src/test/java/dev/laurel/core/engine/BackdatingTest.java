package dev.laurel.core.engine;

import dev.laurel.core.user.UserState;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Silent completions by users who qualify at activation (docs/semantics.md §4 "backdates"), by command, tick or read. */
class BackdatingTest {

    private static final String METRICS = "metrics: {laps: {}}\nattributes: {user: {plan: {}}, event: {pool: {}}}\n";
    private static final String ACTIVE = METRICS
            + "achievements: {ten: {trigger: metric, metric: laps, value: 10}, both: {trigger: achievement, achievements: [ten]}}\n"
            + "points: {xp: {triggers: {t: {type: achievement, achievement: ten, points: 5}}}}";
    private static final String ACTIVATION = "2026-03-05T12:00:00Z";

    private static UserSpecification withElevenLaps() {
        var user = given(METRICS);
        user.event("2026-03-05T10:00:00Z", "laps", "11");
        return user;
    }

    @Test
    void shouldCompleteBeforeTheNextCommandAsOfTheActivation() {
        var user = withElevenLaps().rulesBecome(ACTIVATION, ACTIVE);
        var next = user.event("2026-03-05T14:00:00Z", "laps", "1");

        assertEquals(Instant.parse(ACTIVATION), completedAt(user.state(), user, "ten"));
        assertEquals(List.of("ten", "both"), next.completed().stream().map(Achievement::key).toList());
    }

    @Test
    void shouldMakeNoNoticeAndPayNothing() {
        var user = withElevenLaps().rulesBecome(ACTIVATION, ACTIVE);
        var next = user.event("2026-03-05T14:00:00Z", "laps", "1");

        assertEquals(List.of(), UserSpecification.resultOf(next).completed());
        assertEquals(List.of(), UserSpecification.resultOf(next).points());
        assertEquals(0, next.effects().stream().filter(Effect.AchievementCompleted.class::isInstance).count());
        assertEquals(0, user.points("xp"));
    }

    @Test
    void shouldComputeTheSameByReadTickAndCommand() {
        var read = withElevenLaps().rulesBecome(ACTIVATION, ACTIVE);
        var ticked = withElevenLaps().rulesBecome(ACTIVATION, ACTIVE);
        ticked.tick("2026-03-05T13:00:00Z");

        assertEquals(ticked.state().completions(), read.read("2026-03-05T13:00:00Z").completions());
        assertEquals(Instant.parse(ACTIVATION), completedAt(ticked.state(), ticked, "both"));
        ticked.event("2026-03-05T14:00:00Z", "laps", "1");
        read.event("2026-03-05T14:00:00Z", "laps", "1");
        assertEquals(ticked.state().completions(), read.state().completions());
    }

    @Test
    void shouldCompleteDependentCompositesSilently() {
        var user = given(METRICS + "achievements: {ten: {trigger: metric, metric: laps, value: 10, status: inactive}, "
                + "both: {trigger: achievement, achievements: [ten]}}");
        user.event("2026-03-05T10:00:00Z", "laps", "11");
        user.rulesBecome(ACTIVATION, METRICS + "achievements: {ten: {trigger: metric, metric: laps, value: 10}, "
                + "both: {trigger: achievement, achievements: [ten]}}");
        var next = user.event("2026-03-05T14:00:00Z", "laps", "1");

        assertEquals(Instant.parse(ACTIVATION), completedAt(user.state(), user, "both"));
        assertEquals(List.of(), UserSpecification.resultOf(next).completed());
    }

    @Test
    void shouldWaitForTheNextEventWithoutBackdating() {
        var user = withElevenLaps().rulesBecome(ACTIVATION,
                METRICS + "achievements: {ten: {trigger: metric, metric: laps, value: 10, backdate: false}}");
        user.tick("2026-03-05T13:00:00Z");

        assertNull(completedAt(user.state(), user, "ten"));
        var next = user.event("2026-03-05T14:00:00Z", "laps", "-0.5");
        assertEquals(List.of("ten"),
                UserSpecification.resultOf(next).completed().stream().map(Achievement::key).toList());
    }

    @Test
    void shouldBackdateAnAchievementEditedWhileActive() {
        var user = given(METRICS + "achievements: {ten: {trigger: metric, metric: laps, value: 20}}");
        user.event("2026-03-05T10:00:00Z", "laps", "11");
        user.rulesBecome(ACTIVATION, METRICS + "achievements: {ten: {trigger: metric, metric: laps, value: 10}}");

        assertEquals(Instant.parse(ACTIVATION), completedAt(user.read("2026-03-05T13:00:00Z"), user, "ten"));
    }

    @Test
    void shouldNotBackdateForAUserWhoDoesNotQualify() {
        var user = withElevenLaps().rulesBecome(ACTIVATION, METRICS
                + "achievements: {twelve: {trigger: metric, metric: laps, value: 12}, pro: {trigger: metric, metric: laps, "
                + "value: 1, userAttributes: {plan: pro}}, pool: {trigger: metric, metric: laps, value: 1, "
                + "eventAttributes: {pool: long}}, api: {trigger: api}, week: {trigger: streak, streakLength: 7}, "
                + "all: {trigger: achievement, achievements: [twelve]}}");

        assertEquals(0, user.read("2026-03-06T13:00:00Z").completions().size());
    }

    @Test
    void shouldJudgeAUserOnceForEachVersion() {
        var user = withElevenLaps().rulesBecome(ACTIVATION, ACTIVE);
        user.tick("2026-03-05T13:00:00Z");
        long settled = user.state().rulesVersion();

        assertEquals(user.rules().version(), settled);
        assertEquals(List.of(), UserEngine.wake(user.state(), user.rules(),
                new CommandContext(UserKey.of("swimmer-77"), Instant.parse("2026-03-05T15:00:00Z").toEpochMilli(), 0,
                        99,
                        Long.MIN_VALUE),
                user.memory(), 1000).completed());
    }

    private static Instant completedAt(UserState state, UserSpecification user, String key) {
        Long atMs = state.completions().get(user.rules().achievement(key).number());
        return atMs == null ? null : Instant.ofEpochMilli(atMs);
    }
}
