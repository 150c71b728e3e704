package dev.laurel.processors.core.view;

import dev.laurel.processors.TestRulesets;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.wire.PointsSystemBody.LevelUsersBody;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class LevelUsersTest {

    private static PointsSystem system(String levelAt) {
        return TestRulesets.first("metrics: {laps: {}}\npoints: {xp: {levelAt: " + levelAt
                + ", levels: {seal: {points: 20}, otter: {points: 0}}, triggers: {}}}").pointsSystems().getFirst();
    }

    private static LevelUsers of(PointsSystem system, long... totals) {
        var users = new LevelUsers(system);
        for (long total : totals) {
            users.add(total, 1);
        }
        return users;
    }

    private static List<String> texts(LevelUsers users) {
        return users.toBodies().stream().map(LevelUsersBody::toString)
                .map(text -> text.replaceAll(".*key=(\\w+).*users=(\\d+).*", "$1 $2")).toList();
    }

    @Test
    void shouldCountEachUserUnderTheLevelHeldAscending() {
        assertEquals(List.of("otter 2", "seal 1"), texts(of(system("exceeds"), 0, 1, 20, 21)));
        assertEquals(List.of("otter 2", "seal 2"), texts(of(system("reaches"), 0, 1, 20, 21)));
    }

    @Test
    void shouldShowLevelsWithoutUsers() {
        assertEquals(List.of("otter 0", "seal 0"), texts(of(system("exceeds"), 0)));
    }

    @Test
    void shouldCountAllUsersOfATotal() {
        var users = of(system("exceeds"), 5);
        users.add(6, 2);
        users.add(30, 4);

        assertEquals(List.of("otter 3", "seal 4"), texts(users));
    }
}
