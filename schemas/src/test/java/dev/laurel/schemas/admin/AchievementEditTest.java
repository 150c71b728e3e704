package dev.laurel.schemas.admin;

import static dev.laurel.schemas.admin.AdminEdits.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.PointsTrigger;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Edits of achievements through the admin API (docs/admin-api.md B1). */
class AchievementEditTest {

    private static final String SOURCE = """
        {"metrics":{"laps":{"id":"%s"}},"attributes":{"user":{"city":{"id":"%s"}},"event":{"pool":{"id":"%s"}}},
         "achievements":{"week":{"id":"%s","trigger":"streak","streakLength":7}}}\
        """.formatted(id(101), id(102), id(103), id(104));
    private static final String FORTY =
            "'name':'Forty','trigger':'metric','metricId':'" + id(101) + "','metricValue':40";

    private final AdminEdits edits = new AdminEdits();

    AchievementEditTest() {
        edits.replace(SOURCE);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "AchievementEditTest.shouldRefuseToCreate.csv", delimiter = '|', quoteCharacter = '`')
    void shouldRefuseToCreate(String fields, String issue) {
        assertEquals(
                "{'created':[],'issues':[{'severity':'error','message':'" + filled(issue) + "','index':0}]}",
                create("{" + filled(fields) + "}"));
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "AchievementEditTest.shouldChangeWhatItsStatusAllows.csv",
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "ok")
    void shouldChangeWhatItsStatusAllows(String status, String fields, String issue) {
        create("{" + FORTY + ",'status':'" + status + "'}");

        String answer = update(fields);

        String issues =
                issue == null ? "" : "{'severity':'error','message':'" + filled(issue) + "','id':'" + id(1) + "'}";
        assertTrue(answer.endsWith("'issues':[" + issues + "]}"), answer);
    }

    @Test
    void shouldCreateLockedAchievement() {
        String answer = create("{" + FORTY + ",'status':'locked'}");

        assertTrue(answer.contains("'status':'locked'"), answer);
        assertEquals(0, byId(id(1)).activeSince());
    }

    @Test
    void shouldUpdateReferencesToRenamedAchievement() {
        edits.create(ObjectKind.POINTS_SYSTEM, null, "[{'name':'Gems','key':'gems'}]");
        create("{" + FORTY + ",'key':'forty'},{'name':'All','trigger':'achievement','key':'all','status':'active',"
                + "'achievementIds':['" + id(2) + "']}");
        edits.create(
                ObjectKind.TRIGGER,
                id(1),
                "[{'type':'achievement','achievementId':'" + id(2) + "','points':5,'status':'active'}]");
        Achievement before = byId(id(2));
        Achievement composite = byId(id(3));
        PointsTrigger trigger =
                edits.ruleset.pointsSystems().getFirst().triggers().getFirst();
        edits.now = edits.now.plusSeconds(60);

        String answer = edits.update(ObjectKind.ACHIEVEMENT, null, "[{'id':'" + id(2) + "','key':'vierzig'}]");

        assertTrue(
                answer.contains("'key':'vierzig'") && answer.contains("'updated':'2026-03-04T12:01:00.000Z'"), answer);
        assertEquals(before.number(), byId(id(2)).number());
        assertEquals(composite.activated(), byId(id(3)).activated());
        PointsTrigger after =
                edits.ruleset.pointsSystems().getFirst().triggers().getFirst();
        assertEquals(trigger.number(), after.number());
        assertEquals(trigger.updated(), after.updated());
        assertTrue(edits.list(ObjectKind.ACHIEVEMENT, null).contains("'achievementIds':['" + id(2) + "']"));
        assertTrue(edits.list(ObjectKind.TRIGGER, id(1)).contains("'achievementId':'" + id(2) + "'"));
    }

    @Test
    void shouldAssignNewNumberToReusedKey() {
        create("{" + FORTY + ",'key':'forty'}");
        int before = byId(id(1)).number();
        edits.delete(ObjectKind.ACHIEVEMENT, null, id(1));

        create("{" + FORTY + ",'key':'forty'}");

        assertTrue(byId(id(2)).number() > before);
    }

    private String create(String items) {
        return edits.create(ObjectKind.ACHIEVEMENT, null, "[" + items + "]");
    }

    private String update(String fields) {
        return edits.update(ObjectKind.ACHIEVEMENT, null, "[{'id':'" + id(1) + "'," + fields + "}]");
    }

    private Achievement byId(UUID id) {
        return edits.ruleset.achievements().stream()
                .filter(a -> a.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static String filled(String text) {
        return text.replace("%F", FORTY)
                .replace("%A", id(1).toString())
                .replace("%1", id(101).toString())
                .replace("%2", id(102).toString())
                .replace("%4", id(104).toString());
    }
}
