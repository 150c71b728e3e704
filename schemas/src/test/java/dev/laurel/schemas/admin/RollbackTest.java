package dev.laurel.schemas.admin;

import static dev.laurel.schemas.admin.AdminEdits.id;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.EditResult;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Rollbacks after objects were renamed, deleted or replaced. */
class RollbackTest {

    private final AdminEdits edits = new AdminEdits();

    RollbackTest() {
        edits.create(ObjectKind.METRIC, null, "[{'name':'Laps','key':'laps'}]");
    }

    @Test
    void shouldCreateNewVersionWithOldContent() {
        Ruleset old = edits.ruleset;
        edits.update(ObjectKind.METRIC, null, "[{'id':'" + id(1) + "','name':'Rounds'}]");
        edits.patch(SettingsKind.ACCOUNT, "{'controlRatio':5}");

        String answer = rollback(old, null);

        assertEquals("200 {\"version\":4,\"changed\":true,\"issues\":[]}", answer);
        assertEquals(RulesetSource.of(old, edits.now), RulesetSource.of(edits.ruleset, edits.now));
        assertEquals(old.metrics(), edits.ruleset.metrics());
    }

    @Test
    void shouldDoNothingIfRulesetsAreEqual() {
        assertEquals("200 {\"version\":1,\"changed\":false,\"issues\":[]}", rollback(edits.ruleset, null));
    }

    @Test
    void shouldReviveDeletedMetricWithItsIdentity() {
        Ruleset old = edits.ruleset;
        edits.delete(ObjectKind.METRIC, null, id(1));
        edits.create(ObjectKind.METRIC, null, "[{'name':'Laps','key':'laps'}]");
        assertNotEquals(
                old.metrics().getFirst().number(),
                edits.ruleset.metrics().getFirst().number());

        rollback(old, null);

        assertEquals(old.metrics(), edits.ruleset.metrics());
    }

    @Test
    void shouldReviveAchievementWithNumberAndId() {
        edits.create(
                ObjectKind.ACHIEVEMENT,
                null,
                "[{'name':'Week','trigger':'streak','streakLength':7,'status':'active'}]");
        Ruleset old = edits.ruleset;
        edits.delete(ObjectKind.ACHIEVEMENT, null, id(2));

        rollback(old, null);

        Achievement back = edits.ruleset.achievements().getFirst();
        assertEquals(old.achievements().getFirst().number(), back.number());
        assertEquals(id(2), back.id());
    }

    @Test
    void shouldUndoRenamesOfLeaderboards() {
        edits.create(
                ObjectKind.LEADERBOARD,
                null,
                "[{'name':'A','key':'a','rankBy':'streak'}," + "{'name':'B','key':'b','rankBy':'streak'}]");
        Ruleset old = edits.ruleset;
        edits.update(
                ObjectKind.LEADERBOARD,
                null,
                "[{'id':'" + id(2) + "','key':'c'},{'id':'" + id(3) + "','key':'a'},{'id':'" + id(2) + "','key':'b'}]");
        assertEquals("b", board(id(2)).key());

        rollback(old, null);

        assertEquals(old.leaderboards(), edits.ruleset.leaderboards());
        assertTrue(edits.ruleset.retired().isEmpty());
    }

    @Test
    void shouldRefuseForbiddenStatusTransition() {
        edits.create(
                ObjectKind.ACHIEVEMENT, null, "[{'name':'Week','key':'week','trigger':'streak','streakLength':7}]");
        Ruleset old = edits.ruleset;
        edits.update(ObjectKind.ACHIEVEMENT, null, "[{'id':'" + id(2) + "','status':'active'}]");
        Ruleset before = edits.ruleset;

        String answer = rollback(old, null);

        assertTrue(
                answer.startsWith("422 {\"error\":\"The ruleset is not valid: /achievements/week/status must be one of "
                        + "active, locked for one that is active; is 'inactive'."),
                answer);
        assertEquals(before, edits.ruleset);
    }

    @Test
    void shouldRollBackToEmptyRuleset() {
        rollback(Ruleset.empty(edits.ruleset.tenant()), null);

        assertTrue(edits.ruleset.metrics().isEmpty());
        assertEquals(1, edits.ruleset.retired().size());
    }

    @Test
    void shouldRefuseEditBasedOnOutdatedVersion() {
        Ruleset old = edits.ruleset;
        edits.patch(SettingsKind.ACCOUNT, "{'controlRatio':5}");

        assertEquals(
                "422 {\"error\":\"The ruleset has changed since version 1: it is at 2 now. Fetch it, make your "
                        + "change again, and apply that.\"}",
                rollback(old, 1L));
        EditResult replaced = edits.judge(new Edit.Replace(RulesetSource.of(old, edits.now), 1L));
        assertEquals(422, replaced.status());
        assertNull(replaced.ruleset());
        assertFalse(rollback(old, 2L).startsWith("422"));
    }

    private String rollback(Ruleset to, Long base) {
        EditResult result = edits.judge(new Edit.Rollback(to, base));
        return result.status() + " " + new String(Json.write(result.body()), UTF_8);
    }

    private Leaderboard board(UUID id) {
        return edits.ruleset.leaderboards().stream()
                .filter(b -> b.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
