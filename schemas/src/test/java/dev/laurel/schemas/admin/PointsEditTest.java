package dev.laurel.schemas.admin;

import static dev.laurel.schemas.admin.AdminEdits.id;
import static dev.laurel.schemas.edit.Edit.ObjectKind.POINTS_SYSTEM;
import static dev.laurel.schemas.edit.Edit.ObjectKind.TRIGGER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.ruleset.PointsTrigger;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Numbers of edited points systems and triggers. {@code edits.yaml} has the answers of the admin API (docs/admin-api.md A4). */
class PointsEditTest {

    private static final UUID LAPS = id(101);
    private static final UUID GEMS = id(102);

    private final AdminEdits edits = new AdminEdits();

    PointsEditTest() {
        edits.replace("{\"metrics\": {\"laps\": {\"id\": \"%s\"}}, \"points\": {\"gems\": {\"id\": \"%s\"}}}"
                .formatted(LAPS, GEMS));
    }

    @Test
    void shouldAssignNewNumbersToKeysOfDeletedSystem() {
        edits.create(
                POINTS_SYSTEM,
                null,
                "[{'name': 'X', 'key': 'xp', 'levels': [{'name': '1', 'key': 'one', " + "'points': 1}]}]");
        var before = edits.ruleset.pointsSystems().getLast();
        edits.delete(POINTS_SYSTEM, null, id(1));

        edits.create(
                POINTS_SYSTEM,
                null,
                "[{'name': 'X', 'key': 'xp', 'levels': [{'name': '1', 'key': 'one', " + "'points': 1}]}]");

        var after = edits.ruleset.pointsSystems().getLast();
        assertTrue(after.number() > before.levels().getFirst().number());
        assertTrue(after.levels().getFirst().number() > after.number());
        assertEquals(id(2), after.id());
    }

    @Test
    void shouldAssignNewNumberWhenTriggerBecomesActive() {
        edits.create(
                TRIGGER, GEMS, "[{'type': 'metric', 'points': 5, 'metricId': '" + LAPS + "', 'metricThreshold': 10}]");
        PointsTrigger inactive =
                edits.ruleset.pointsSystems().getFirst().triggers().getFirst();
        edits.now = edits.now.plusSeconds(60);

        edits.update(TRIGGER, GEMS, "[{'id': '" + id(1) + "', 'status': 'active'}]");

        PointsTrigger active =
                edits.ruleset.pointsSystems().getFirst().triggers().getFirst();
        assertEquals(edits.now, active.activated());
        assertTrue(active.number() > inactive.number());
    }
}
