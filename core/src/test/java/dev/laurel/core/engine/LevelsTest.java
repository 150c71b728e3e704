package dev.laurel.core.engine;

import dev.laurel.schemas.effect.Effect.LevelChanged;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.ruleset.Level;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.resultOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

class LevelsTest {

    private static final String AT = "2026-03-04T10:00:00Z";

    private static String rules(String more) {
        return """
                metrics: {laps: {}, falls: {}}
                points:
                  xp:
                    %s
                    levels: {otter: {points: 10}, seal: {points: 20}, whale: {points: 30}}
                    triggers:
                      lap: {type: metric, metric: laps, threshold: 1, points: 1}
                      fall: {type: metric, metric: falls, threshold: 1, points: -1}
                      hundred: {type: metric, metric: laps, threshold: 100, points: -95}
                """.formatted(more);
    }

    private static String key(Level level) {
        return level == null ? null : level.key();
    }

    @Test
    void shouldHoldALevelThatTheTotalExceeds() {
        var user = given(rules("levelAt: exceeds"));
        var atThreshold = resultOf(user.event(AT, "laps", "10"));
        var above = resultOf(user.event(AT, "laps", "1"));

        assertFalse(atThreshold.points().getFirst().changedLevel());
        assertNull(above.points().getFirst().levelBefore());
        assertEquals("otter", key(above.points().getFirst().level()));
    }

    @Test
    void shouldHoldALevelThatTheTotalReachesWhereTheSystemSaysSo() {
        var user = given(rules("levelAt: reaches"));
        var below = resultOf(user.event(AT, "laps", "9"));
        var atThreshold = resultOf(user.event(AT, "laps", "1"));

        assertFalse(below.points().getFirst().changedLevel());
        assertEquals("otter", key(atThreshold.points().getFirst().level()));
    }

    @Test
    void shouldEmitOneChangeOverSeveralLevels() {
        var user = given(rules("levelAt: exceeds"));
        var changed = changes(user.event(AT, "laps", "25").effects());

        UUID seal = user.rules().pointsSystem("xp").levels().get(1).id();
        assertEquals(1, changed.size());
        assertNull(changed.getFirst().previousLevelId());
        assertEquals(seal, changed.getFirst().levelId());
        assertEquals(25, changed.getFirst().total());
    }

    @Test
    void shouldMakeNoNoticeIfTheLevelIsTheSameAfterAllAwards() {
        var user = given(rules("levelAt: exceeds"));
        user.event(AT, "laps", "5");
        user.event(AT, "laps", "4");
        // 91 more laps, then 95 points less: up through all levels and back
        assertEquals(List.of(), changes(user.event(AT, "laps", "91").effects()));
        assertEquals(5, user.points("xp"));
    }

    @Test
    void shouldEmitTheFallBelowAllLevels() {
        var user = given(rules("levelAt: exceeds"));
        user.event(AT, "laps", "11");
        var fallen = user.event(AT, "falls", "1");

        assertNull(changes(fallen.effects()).getFirst().levelId());
        assertEquals("otter", key(resultOf(fallen).points().getFirst().levelBefore()));
        assertNull(resultOf(fallen).points().getFirst().level());
    }

    private static List<LevelChanged> changes(List<Effect> effects) {
        return effects.stream().filter(LevelChanged.class::isInstance).map(LevelChanged.class::cast).toList();
    }
}
