package dev.laurel.schemas.admin;

import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.PointsTrigger;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import static dev.laurel.schemas.admin.AdminEdits.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Edits of achievements through the admin API (docs/admin-api.md B1). */
class AchievementEditTest {

    private static final String SOURCE = """
            {"metrics":{"laps":{"id":"%s"}},"attributes":{"user":{"city":{"id":"%s"}},"event":{"pool":{"id":"%s"}}},
             "achievements":{"week":{"id":"%s","trigger":"streak","streakLength":7}}}""".formatted(id(101), id(102),
            id(103), id(104));
    private static final String FORTY = "'name':'Forty','trigger':'metric','metricId':'" + id(101)
            + "','metricValue':40";

    private final AdminEdits edits = new AdminEdits();

    AchievementEditTest() {
        edits.replace(SOURCE);
    }

    @Test
    void shouldOmitKeyThatEqualsId() {
        String answer = create("{" + FORTY + "}");

        assertEquals("{'created':[{'id':'" + id(1) + "','name':'Forty','trigger':'metric','description':null,"
                + "'badge':null,'status':'inactive','metricId':'" + id(101) + "','metricValue':40,'userAttributes':[],"
                + "'eventAttributes':[],'created':'2026-03-04T12:00:00.000Z','updated':'2026-03-04T12:00:00.000Z',"
                + "'completions':0}],'issues':[]}", answer);
    }

    @Test
    void shouldShowFieldsOfTrigger() {
        String answer = create("{" + FORTY
                + ",'key':'forty','description':'Laps.','badge':{'url':'https://x.example/b'},"
                + "'status':'active','backdate':false,'userAttributes':[{'attributeId':'" + id(102)
                + "','attributeValue':'Turku'}],'eventAttributes':[{'attributeId':'" + id(103)
                + "','attributeValue':'50m'}]},{'name':'Profile','trigger':'api','key':'profile'},"
                + "{'name':'Both','trigger':'achievement','achievementIds':['" + id(104) + "','" + id(1) + "']},"
                + "{'name':'Month','trigger':'streak','streakLength':30}");

        assertTrue(answer.contains("'trigger':'metric','key':'forty','description':'Laps.','badge':"
                + "{'url':'https://x.example/b'},'status':'active','metricId':'" + id(101) + "','metricValue':40,"
                + "'userAttributes':[{'attributeId':'" + id(102) + "','attributeValue':'Turku'}],'eventAttributes':"
                + "[{'attributeId':'" + id(103) + "','attributeValue':'50m'}],'created'"), answer);
        assertTrue(
                answer.contains("'trigger':'api','key':'profile','description':null,'badge':null,'status':'inactive',"
                        + "'userAttributes':[],'created'"),
                answer);
        assertTrue(answer.contains("'achievementIds':['" + id(104) + "','" + id(1) + "']"), answer);
        assertTrue(answer.contains("'status':'inactive','streakLength':30,'userAttributes'"), answer);
        assertFalse(answer.contains("backdate"));
        assertFalse(byId(id(1)).backdate());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "AchievementEditTest.shouldRefuseToCreate.csv", delimiter = '|', quoteCharacter = '`')
    void shouldRefuseToCreate(String fields, String issue) {
        assertEquals("{'created':[],'issues':[{'severity':'error','message':'" + filled(issue) + "','index':0}]}",
                create("{" + filled(fields) + "}"));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "AchievementEditTest.shouldChangeWhatItsStatusAllows.csv", delimiter = '|', quoteCharacter = '`', nullValues = "ok")
    void shouldChangeWhatItsStatusAllows(String status, String fields, String issue) {
        create("{" + FORTY + ",'status':'" + status + "'}");

        String answer = update(fields);

        String issues = issue == null
                ? ""
                : "{'severity':'error','message':'" + filled(issue) + "','id':'" + id(1) + "'}";
        assertTrue(answer.endsWith("'issues':[" + issues + "]}"), answer);
    }

    @Test
    void shouldKeepOwnKeyOfActiveAchievement() {
        create("{" + FORTY + ",'key':'forty','status':'active'}");

        assertTrue(
                update("'key':'k'").contains("key must stay 'forty': only an inactive achievement can change its key"));
    }

    @Test
    void shouldCreateLockedAchievement() {
        String answer = create("{" + FORTY + ",'status':'locked'}");

        assertTrue(answer.contains("'status':'locked'"), answer);
        assertEquals(0, byId(id(1)).activeSince());
    }

    @Test
    void shouldClearDescriptionByNull() {
        create("{" + FORTY + ",'description':'Laps.'}");

        assertTrue(update("'description':null").contains("'description':null"));
    }

    @Test
    void shouldShowYearsOfAnniversary() {
        String answer = create("{'name':'Year','trigger':'anniversary','anniversaryYears':1}");

        assertTrue(answer.contains("'anniversaryYears':1,'userAttributes':[],'created'"), answer);
    }

    @Test
    void shouldUnlockLockedAchievement() {
        create("{" + FORTY + ",'status':'active'}");
        update("'status':'locked'");

        assertTrue(update("'status':'inactive'").contains("must be one of active, locked"));
        assertTrue(update("'status':'active'").contains("'status':'active'"));
    }

    @Test
    void shouldUpdateReferencesToRenamedAchievement() {
        edits.create(ObjectKind.POINTS_SYSTEM, null, "[{'name':'Gems','key':'gems'}]");
        create("{" + FORTY + ",'key':'forty'},{'name':'All','trigger':'achievement','key':'all','status':'active',"
                + "'achievementIds':['" + id(2) + "']}");
        edits.create(ObjectKind.TRIGGER, id(1), "[{'type':'achievement','achievementId':'" + id(2)
                + "','points':5,'status':'active'}]");
        Achievement before = byId(id(2));
        Achievement composite = byId(id(3));
        PointsTrigger trigger = edits.ruleset.pointsSystems().getFirst().triggers().getFirst();
        edits.now = edits.now.plusSeconds(60);

        String answer = edits.update(ObjectKind.ACHIEVEMENT, null, "[{'id':'" + id(2) + "','key':'vierzig'}]");

        assertTrue(answer.contains("'key':'vierzig'") && answer.contains("'updated':'2026-03-04T12:01:00.000Z'"),
                answer);
        assertEquals(before.number(), byId(id(2)).number());
        assertEquals(composite.activated(), byId(id(3)).activated());
        PointsTrigger after = edits.ruleset.pointsSystems().getFirst().triggers().getFirst();
        assertEquals(trigger.number(), after.number());
        assertEquals(trigger.updated(), after.updated());
        assertTrue(edits.list(ObjectKind.ACHIEVEMENT, null).contains("'achievementIds':['" + id(2) + "']"));
        assertTrue(edits.list(ObjectKind.TRIGGER, id(1)).contains("'achievementId':'" + id(2) + "'"));
    }

    @Test
    void shouldRefuseCircleOfPrerequisites() {
        create("{" + FORTY + ",'key':'forty'},{'name':'All','trigger':'achievement','achievementIds':['" + id(1)
                + "'],'key':'all'}");

        String answer = update("'trigger':'achievement','achievementIds':['" + id(2) + "']");

        assertTrue(answer.contains("leads in a circle: "), answer);
    }

    @Test
    void shouldNotDeleteWhatInactiveAchievementsNeed() {
        create("{" + FORTY + ",'key':'forty'},{'name':'All','trigger':'achievement','achievementIds':['" + id(1)
                + "'],'key':'all'}");

        String refused = edits.delete(ObjectKind.ACHIEVEMENT, null, id(1));
        String metric = edits.delete(ObjectKind.METRIC, null, id(101));
        String both = edits.delete(ObjectKind.ACHIEVEMENT, null, id(2), id(1));

        assertTrue(refused.contains("Achievement is still used by the achievement 'all'"), refused);
        assertTrue(metric.contains("Metric is still used by the achievement 'forty'"), metric);
        assertEquals("{'deleted':[{'id':'" + id(2) + "'},{'id':'" + id(1) + "'}],'issues':[]}", both);
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
        return edits.ruleset.achievements().stream().filter(a -> a.id().equals(id)).findFirst().orElseThrow();
    }

    private static String filled(String text) {
        return text.replace("%F", FORTY).replace("%A", id(1).toString()).replace("%1", id(101).toString())
                .replace("%2", id(102).toString()).replace("%4", id(104).toString());
    }
}
