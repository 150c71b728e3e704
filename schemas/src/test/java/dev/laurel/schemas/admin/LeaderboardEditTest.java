package dev.laurel.schemas.admin;

import static dev.laurel.schemas.admin.AdminEdits.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.ruleset.Leaderboard;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Edits of leaderboards through the admin API (docs/admin-api.md A5) on 4 March 2026. */
class LeaderboardEditTest {

    private static final String SOURCE = """
        {"metrics":{"laps":{"id":"%s"},"runs":{}},"attributes":{"user":{"city":{"id":"%s"},"plan":{"id":"%s"}},
         "event":{"pool":{"id":"%s"}}},"points":{"gems":{"id":"%s"}}}\
        """.formatted(id(101), id(102), id(103), id(104), id(105));
    private static final String LAPS = "'name':'Lanes','key':'lanes','rankBy':'metric','metricId':'" + id(101) + "'";
    private static final String PATH = "{'id':'" + id(1) + "',";

    private final AdminEdits edits = new AdminEdits();

    LeaderboardEditTest() {
        edits.replace(SOURCE);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "LeaderboardEditTest.shouldRefuseToCreate.csv", delimiter = '|', quoteCharacter = '`')
    void shouldRefuseToCreate(String fields, String issue) {
        String answer = create("{" + filled(fields) + "}");

        assertEquals(
                "{'created':[],'issues':[{'severity':'error','message':'" + filled(issue) + "','index':0}]}", answer);
    }

    /** Covers the transitions in the table of A5 at noon on 4 March. */
    @ParameterizedTest
    @CsvFileSource(
            resources = "LeaderboardEditTest.shouldChangeWhatItsStatusAllows.csv",
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "ok")
    void shouldChangeWhatItsStatusAllows(String before, String fields, String issue) {
        create("{" + LAPS + ",'status':'" + before.split(",")[0] + "','start':'" + before.split(",")[1] + "'}");

        String answer = edits.update(ObjectKind.LEADERBOARD, null, "[" + PATH + filled(fields) + "}]");

        String issues = issue == null ? "" : "{'severity':'error','message':'" + issue + "','id':'" + id(1) + "'}";
        assertTrue(answer.endsWith("'issues':[" + issues + "]}"), answer);
    }

    @ParameterizedTest
    @CsvSource({"inactive", "active", "scheduled"})
    void shouldNotChangeStatusOfFinishedLeaderboard(String wanted) {
        create("{" + LAPS + ",'status':'finished','start':'2026-01-01','end':'2026-02-01'}");

        String answer = edits.update(ObjectKind.LEADERBOARD, null, "[" + PATH + "'status':'" + wanted + "'}]");

        assertTrue(answer.contains("status must be finished for one that is finished; is '" + wanted + "'"), answer);
    }

    @Test
    void shouldFinishActiveLeaderboardAndStillRenameIt() {
        create("{" + LAPS + ",'status':'active','start':'2026-03-01'}");

        String finished = update("'status':'finished'");
        String renamed = update("'name':'Past'");

        assertTrue(finished.contains("'status':'finished'"), finished);
        assertTrue(renamed.contains("'name':'Past'") && renamed.contains("'issues':[]"), renamed);
        assertEquals(edits.now, board().finished());
    }

    @Test
    void shouldKeepNumberAndIdOfRenamedLeaderboard() {
        create("{" + LAPS + "}");
        Leaderboard before = board();

        String answer = update("'key':'pools'");

        assertTrue(answer.contains("'key':'pools'"), answer);
        assertEquals("pools", board().key());
        assertEquals(before.number(), board().number());
        assertEquals(before.id(), board().id());
        assertEquals(before.created(), board().created());
        assertTrue(edits.ruleset.retired().isEmpty());
    }

    @Test
    void shouldReuseKeyOfRenamedLeaderboard() {
        create("{" + LAPS + "}");
        update("'key':'pools'");

        String answer = create("{" + LAPS + "}");

        assertTrue(answer.contains("'id':'" + id(2) + "'"), answer);
        assertEquals(
                2,
                edits.ruleset.leaderboards().stream()
                        .map(Leaderboard::number)
                        .distinct()
                        .count());
    }

    @Test
    void shouldApplyRenamesInOrder() {
        create("{" + LAPS + "},{'name':'n','key':'other','rankBy':'streak'}");
        int lanes = board().number();

        edits.update(ObjectKind.LEADERBOARD, null, "[" + PATH + "'key':'third'},{'id':'" + id(2) + "','key':'lanes'}]");

        assertEquals(lanes, byId(id(1)).number());
        assertEquals("third", byId(id(1)).key());
        assertEquals("lanes", byId(id(2)).key());
    }

    private String create(String items) {
        return edits.create(ObjectKind.LEADERBOARD, null, "[" + items + "]");
    }

    private String update(String fields) {
        return edits.update(ObjectKind.LEADERBOARD, null, "[" + PATH + fields + "}]");
    }

    private Leaderboard board() {
        return byId(id(1));
    }

    private Leaderboard byId(UUID id) {
        return edits.ruleset.leaderboards().stream()
                .filter(b -> b.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static String filled(String text) {
        return text.replace("%L", LAPS)
                .replace("%1", id(101).toString())
                .replace("%2", id(102).toString())
                .replace("%4", id(104).toString())
                .replace("%5", id(105).toString());
    }
}
