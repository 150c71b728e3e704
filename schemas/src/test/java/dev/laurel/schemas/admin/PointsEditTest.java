package dev.laurel.schemas.admin;

import dev.laurel.schemas.ruleset.PointsTrigger;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.laurel.schemas.admin.AdminEdits.id;
import static dev.laurel.schemas.edit.Edit.ObjectKind.BOOST;
import static dev.laurel.schemas.edit.Edit.ObjectKind.LEVEL;
import static dev.laurel.schemas.edit.Edit.ObjectKind.METRIC;
import static dev.laurel.schemas.edit.Edit.ObjectKind.POINTS_SYSTEM;
import static dev.laurel.schemas.edit.Edit.ObjectKind.TRIGGER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Edits of points systems, levels, boosts and triggers through the admin API (docs/admin-api.md A4). */
class PointsEditTest {

    private static final UUID LAPS = UUID.fromString("00000000-0000-4000-8000-0000000000a1");
    private static final UUID CITY = UUID.fromString("00000000-0000-4000-8000-0000000000a2");
    private static final UUID POOL = UUID.fromString("00000000-0000-4000-8000-0000000000a3");
    private static final UUID FORTY = UUID.fromString("00000000-0000-4000-8000-0000000000a4");
    private static final UUID GEMS = UUID.fromString("00000000-0000-4000-8000-0000000000a5");

    private final AdminEdits edits = new AdminEdits();

    @BeforeEach
    void start() {
        edits.replace("""
                {"metrics": {"laps": {"id": "%s"}},
                 "attributes": {"user": {"city": {"id": "%s"}}, "event": {"pool": {"id": "%s"}}},
                 "achievements": {"forty": {"id": "%s", "trigger": "metric", "metric": "laps", "value": 40}},
                 "points": {"gems": {"id": "%s"}}}""".formatted(LAPS, CITY, POOL, FORTY, GEMS));
    }

    // Points systems.

    @Test
    void shouldShowPointsSystemWithDefaults() {
        String created = edits.create(POINTS_SYSTEM, null, "[{'name': 'Experience', 'key': 'xp'}]");

        String system = "{'id':'" + id(1) + "','name':'Experience','key':'xp','description':'','badge':null,"
                + "'maxPoints':null,'levelAt':'exceeds','status':'active'}";
        assertEquals("{'created':[" + system + "],'issues':[]}", created);
        assertTrue(edits.list(POINTS_SYSTEM, null).endsWith("," + system + "]"));
    }

    @Test
    void shouldCreateSystemWithPartsAndShowGivenOnes() {
        String created = edits.create(POINTS_SYSTEM, null, """
                [{'name': 'Experience', 'key': 'xp', 'levels': [{'name': 'Gold', 'key': 'gold', 'points': 100},
                  {'name': 'Silver', 'key': 'silver', 'points': 10, 'badge': {'url': 'https://example.org/s.png'}}],
                  'triggers': []}]""");

        assertTrue(created.contains("'levels':[{'id':"), created);
        assertTrue(created.contains("'name':'Gold','key':'gold','points':100,'description':'','badge':null}"),
                created);
        assertTrue(created.indexOf("gold") < created.indexOf("silver"), created);
        assertTrue(created.contains("'badge':{'url':'https://example.org/s.png'}"), created);
        assertTrue(created.contains("'triggers':[]"), created);
        assertFalse(created.contains("'boosts'"), created);
        assertEquals(2, edits.ruleset.pointsSystems().getLast().levels().size());
        assertFalse(edits.list(POINTS_SYSTEM, null).contains("'levels'"));
    }

    @Test
    void shouldRefuseWholeSystemForOneInvalidPart() {
        String created = edits.create(POINTS_SYSTEM, null, """
                [{'name': 'A', 'key': 'a', 'levels': [{'name': '1', 'key': 'one', 'points': 1},
                   {'name': '2', 'key': 'two', 'points': 2}, {'name': '3', 'key': 'three', 'points': -3}]},
                 {'name': 'B', 'key': 'b', 'levels': [{'name': '1', 'key': 'one', 'points': 1}, 7]},
                 {'name': 'C', 'key': 'c', 'triggers': [{'type': 'streak', 'points': 5}]},
                 {'name': 'D', 'key': 'd', 'boosts': [{'name': 'b', 'start': 'soon', 'multiplier': 2}]},
                 {'name': 'E', 'key': 'e', 'boosts': [{'name': 'b', 'start': '2026-01-01', 'multiplier': 2,
                   'userId': 'swimmer-77'}]},
                 {'name': 'F', 'key': 'f', 'levels': [{'name': '1', 'key': 'one', 'points': 1},
                   {'name': '2', 'key': 'one', 'points': 2}]},
                 {'name': 'G', 'key': 'g', 'levels': {}}]""");

        assertEquals("{'created':[],'issues':["
                + issueAt(0, "levels[2]: points must be a whole number from 0 to 1000000000000") + ","
                + issueAt(1, "levels[1]: The item must be a JSON object.") + ","
                + issueAt(2, "triggers[0]: streakLength is required") + ","
                + issueAt(3, "boosts[0]: start must be a date, such as 2026-03-04; is 'soon'")
                + ","
                + issueAt(4,
                        "boosts[0]: userId belongs to a boost of a single user, which can be added only to a points "
                                + "system that exists, and not together with others")
                + "," + issueAt(5, "levels[1]: Key already in use by another level") + ","
                + issueAt(6, "levels must be an array") + "]}", created);
        assertEquals(1, edits.ruleset.pointsSystems().size());
    }

    @Test
    void shouldClearBadgeAndMaxPointsWithNull() {
        edits.create(POINTS_SYSTEM, null, """
                [{'name': 'X', 'key': 'xp', 'description': 'All of it', 'badge': {'url': 'https://example.org/x.png'},
                  'maxPoints': 500, 'levelAt': 'reaches'}]""");

        String same = edits.update(POINTS_SYSTEM, null,
                "[{'id': '" + id(1) + "', 'name': null, 'description': null, 'levelAt': null}]");
        String cleared = edits.update(POINTS_SYSTEM, null,
                "[{'id': '" + id(1) + "', 'name': 'Y', 'description': '', 'badge': null, 'maxPoints': null}]");

        assertEquals("{'updated':[{'id':'" + id(1) + "','name':'X','key':'xp','description':'All of it','badge':"
                + "{'url':'https://example.org/x.png'},'maxPoints':500,'levelAt':'reaches','status':'active'}],"
                + "'issues':[]}", same);
        assertEquals("{'updated':[{'id':'" + id(1) + "','name':'Y','key':'xp','description':'','badge':null,"
                + "'maxPoints':null,'levelAt':'reaches','status':'active'}],'issues':[]}", cleared);
    }

    @Test
    void shouldNameInvalidFieldOfSystem() {
        String created = edits.create(POINTS_SYSTEM, null, """
                [{'key': 'xp'}, {'name': 'X'}, {'name': 'X', 'key': 'a b'}, {'name': 'X', 'key': 'gems'},
                 {'name': 'X', 'key': 'xp', 'maxPoints': 0}, {'name': 'X', 'key': 'xp', 'maxPoints': 1.5},
                 {'name': 'X', 'key': 'xp', 'badge': {'url': 'example.org'}}, {'name': 'X', 'key': 'xp', 'badge': 'x'},
                 {'name': 'X', 'key': 'xp', 'levelAt': 'passes'}]""");

        assertEquals("{'created':[],'issues':[" + issueAt(0, "name is required") + "," + issueAt(1, "key is required")
                + "," + issueAt(2, "has a bad key: 1 to 255 letters, digits, '-' and '_' are allowed") + ","
                + issueAt(3, "Key already in use by another points system") + ","
                + issueAt(4, "maxPoints must be a whole number from 1 to 1000000000000") + ","
                + issueAt(5, "maxPoints must be a whole number") + ","
                + issueAt(6, "badge.url must be an absolute http or https address") + ","
                + issueAt(7, "badge must be an object") + ","
                + issueAt(8, "levelAt must be one of exceeds, reaches; is 'passes'") + "]}", created);
    }

    @Test
    void shouldNotDeleteSystemThatALeaderboardStillUses() {
        edits.replace("""
                {"points": {"gems": {"id": "%s"}, "xp": {}},
                 "leaderboards": {"club": {"rankBy": "points", "pointsSystem": "gems"}}}""".formatted(GEMS));
        UUID xp = edits.ruleset.pointsSystems().getLast().id();

        String deleted = edits.delete(POINTS_SYSTEM, null, GEMS, xp);

        assertEquals("{'deleted':[{'id':'" + xp + "'}],'issues':[{'severity':'error','message':'Points system is still "
                + "used by the leaderboard 'club'','id':'" + GEMS + "'}]}", deleted);
        assertFalse(edits.list(POINTS_SYSTEM, null).contains(xp.toString()));
    }

    @Test
    void shouldAssignNewNumbersToKeysOfDeletedSystem() {
        edits.create(POINTS_SYSTEM, null, "[{'name': 'X', 'key': 'xp', 'levels': [{'name': '1', 'key': 'one', "
                + "'points': 1}]}]");
        var before = edits.ruleset.pointsSystems().getLast();
        edits.delete(POINTS_SYSTEM, null, id(1));

        edits.create(POINTS_SYSTEM, null, "[{'name': 'X', 'key': 'xp', 'levels': [{'name': '1', 'key': 'one', "
                + "'points': 1}]}]");

        var after = edits.ruleset.pointsSystems().getLast();
        assertTrue(after.number() > before.levels().getFirst().number());
        assertTrue(after.levels().getFirst().number() > after.number());
        assertEquals(id(2), after.id());
    }

    // Levels.

    @Test
    void shouldListLevelsInCreationOrder() {
        edits.create(LEVEL, GEMS, "[{'name': 'Otter', 'key': 'otter', 'points': 120, 'description': 'Swims'}]");
        edits.create(LEVEL, GEMS, "[{'name': 'Frog', 'key': 'frog', 'points': 0}]");

        String updated = edits.update(LEVEL, GEMS, "[{'id': '" + id(1) + "', 'points': 130, 'key': 'ignored'}]");

        String otter = "{'id':'" + id(1) + "','name':'Otter','key':'otter','points':130,'description':'Swims',"
                + "'badge':null}";
        assertEquals("{'updated':[" + otter + "],'issues':[]}", updated);
        assertEquals("[" + otter + ",{'id':'" + id(2) + "','name':'Frog','key':'frog','points':0,'description':'',"
                + "'badge':null}]", edits.list(LEVEL, GEMS));
    }

    @Test
    void shouldRefuseLevelWithPointsOfAnother() {
        edits.create(LEVEL, GEMS, "[{'name': 'A', 'key': 'a', 'points': 1}, {'name': 'B', 'key': 'b', 'points': 2}]");

        String created = edits.create(LEVEL, GEMS, "[{'name': 'C', 'key': 'c', 'points': 2}, "
                + "{'name': 'A', 'key': 'a', 'points': 3}, {'name': 'D', 'key': 'd'}]");
        String updated = edits.update(LEVEL, GEMS,
                "[{'id': '" + id(1) + "', 'points': 2}, {'id': '" + id(1) + "', 'points': 1}]");

        assertEquals("{'created':[],'issues':["
                + issueAt(0, "points is also that of the level 'b'; each level of a points system needs its own")
                + "," + issueAt(1, "Key already in use by another level") + "," + issueAt(2, "points is required")
                + "]}", created);
        assertTrue(updated.contains("points is also that of the level 'b'"), updated);
        assertTrue(updated.contains("'updated':[{'id':'" + id(1) + "'"), updated);
    }

    @Test
    void shouldReportUnknownPointsSystem() {
        assertEquals("{'error':'Points system not found by ID'}", edits.create(LEVEL, LAPS, "[{'name': 'A'}]"));
        assertEquals("null", edits.list(TRIGGER, LAPS));
    }

    // Boosts.

    @Test
    void shouldShowStatusOfBoostByItsDates() {
        edits.create(BOOST, GEMS, """
                [{'name': 'Past', 'start': '2026-02-01', 'end': '2026-03-03', 'multiplier': 1.5},
                 {'name': 'Last day', 'start': '2026-03-04', 'end': '2026-03-04', 'multiplier': 0.5, 'rounding': 'up'},
                 {'name': 'Future', 'start': '2026-03-05', 'multiplier': 2,
                  'userAttributes': [{'attributeId': '%s', 'attributeValue': 'Turku'}]}]""".formatted(CITY));

        assertEquals("[{'id':'" + id(1) + "','name':'Past','status':'finished','start':'2026-02-01','end':'2026-03-03',"
                + "'multiplier':1.5,'rounding':'down','userId':null,'userAttributes':[]},{'id':'" + id(2)
                + "','name':'Last day','status':'active','start':'2026-03-04','end':'2026-03-04','multiplier':0.5,"
                + "'rounding':'up','userId':null,'userAttributes':[]},{'id':'" + id(3)
                + "','name':'Future','status':'scheduled','start':'2026-03-05','end':null,'multiplier':2,'rounding':"
                + "'down','userId':null,'userAttributes':[{'attributeId':'" + CITY + "','attributeValue':'Turku'}]}]",
                edits.list(BOOST, GEMS));
    }

    @Test
    void shouldChangeStartOfBoostOnlyBeforeItStarts() {
        edits.create(BOOST, GEMS, "[{'name': 'Spring', 'start': '2026-03-05', 'end': '2026-03-09', 'multiplier': 2}]");
        String edit = "[{'id': '" + id(1) + "', 'start': '2026-03-0%d', 'end': null, 'userAttributes': null}]";

        String before = edits.update(BOOST, GEMS, edit.formatted(6));
        edits.now = Instant.parse("2026-03-06T00:00:00Z");
        String after = edits.update(BOOST, GEMS, edit.formatted(7));
        String same = edits.update(BOOST, GEMS, edit.formatted(6));

        assertTrue(before.contains("'start':'2026-03-06','end':null"), before);
        assertEquals(
                "{'updated':[],'issues':[{'severity':'error','message':'start can only be changed before the boost "
                        + "has started, which was on 2026-03-06','id':'" + id(1) + "','boostId':'" + id(1) + "'}]}",
                after);
        assertTrue(same.startsWith("{'updated':[{"), same);
    }

    @Test
    void shouldNameInvalidFieldOfBoost() {
        String created = edits.create(BOOST, GEMS, """
                [{'start': '2026-03-05', 'multiplier': 2}, {'name': 'B', 'multiplier': 2},
                 {'name': 'B', 'start': '2026-03-05'}, {'name': 'B', 'start': '2026-03-05', 'multiplier': 1},
                 {'name': 'B', 'start': '2026-03-05', 'end': '2026-03-04', 'multiplier': 2},
                 {'name': 'B', 'start': '2026-03-05', 'multiplier': 2, 'rounding': 'off'},
                 {'name': 'B', 'start': '2026-03-05', 'multiplier': 2,
                  'userAttributes': [{'attributeId': '%s', 'attributeValue': 'x'}]}]""".formatted(POOL));

        assertEquals("{'created':[],'issues':[" + issueAt(0, "name is required") + ","
                + issueAt(1, "start is required") + "," + issueAt(2, "multiplier is required") + ","
                + issueAt(3,
                        "multiplier must be a number above 0 and below 100, not 1, with at most 9 fractional digits")
                + "," + issueAt(4, "end must not be before start, 2026-03-05") + ","
                + issueAt(5, "rounding must be one of down, up, nearest; is 'off'") + ","
                + issueAt(6, "userAttributes[0].attributeId is " + POOL + ", which is no user attribute") + "]}",
                created);
    }

    // Triggers.

    @Test
    void shouldShowOnlyFieldsOfTriggerType() {
        edits.create(TRIGGER, GEMS, """
                [{'type': 'metric', 'points': -5, 'metricId': '%s', 'metricThreshold': 10, 'blockIfOutOfPoints': true,
                  'eventAttributes': [{'attributeId': '%s', 'attributeValue': 'north'}], 'status': 'active'},
                 {'type': 'achievement', 'points': 1, 'achievementId': '%s',
                  'userAttributes': [{'attributeId': '%s', 'attributeValue': 'Turku'}]},
                 {'type': 'streak', 'points': 1, 'streakLength': 7},
                 {'type': 'time', 'points': 1, 'timeUnit': 'days', 'timeInterval': 2},
                 {'type': 'user_creation', 'points': 1, 'eventAttributes': [], 'blockIfOutOfPoints': false}]"""
                .formatted(LAPS, POOL, FORTY, CITY));

        assertEquals("[" + trigger(1, "metric", -5, "active", "[]", true) + ",'metricId':'" + LAPS
                + "','metricThreshold':10,'eventAttributes':[{'attributeId':'" + POOL + "','attributeValue':'north'}]},"
                + trigger(2, "achievement", 1, "inactive",
                        "[{'attributeId':'" + CITY + "','attributeValue':'Turku'}]", false)
                + ",'achievementId':'" + FORTY + "'}," + trigger(3, "streak", 1, "inactive", "[]", false)
                + ",'streakLength':7}," + trigger(4, "time", 1, "inactive", "[]", false)
                + ",'timeUnit':'days','timeInterval':2}," + trigger(5, "user_creation", 1, "inactive", "[]", false)
                + "}]", edits.list(TRIGGER, GEMS));
    }

    @Test
    void shouldNameInvalidFieldOfTrigger() {
        String created = edits.create(TRIGGER, GEMS, """
                [{'points': 1}, {'type': 'luck', 'points': 1}, {'type': 'streak', 'streakLength': 7},
                 {'type': 'streak', 'streakLength': 7, 'points': 0}, {'type': 'streak', 'streakLength': 0, 'points': 1},
                 {'type': 'metric', 'points': 1}, {'type': 'metric', 'points': 1, 'metricId': '%1$s'},
                 {'type': 'metric', 'points': 1, 'metricId': '%2$s', 'metricThreshold': 1},
                 {'type': 'achievement', 'points': 1}, {'type': 'time', 'points': 1, 'timeUnit': 'hour'},
                 {'type': 'time', 'points': 1, 'timeUnit': 'hours'},
                 {'type': 'streak', 'points': 1, 'streakLength': 7, 'metricId': '%1$s'},
                 {'type': 'streak', 'points': 1, 'streakLength': 7, 'metricThreshold': 1},
                 {'type': 'user_creation', 'points': 1, 'blockIfOutOfPoints': true},
                 {'type': 'user_creation', 'points': 1, 'status': 'archived'}]""".formatted(LAPS, CITY));

        assertEquals("{'created':[],'issues':[" + String.join(",", issueAt(0, "type is required"), issueAt(1,
                "type is 'luck', must be one of metric, achievement, streak, time, user_creation"),
                issueAt(2, "points is required"),
                issueAt(3, "points must be a whole number from -1000000000 to 1000000000, not 0"),
                issueAt(4, "streakLength must be a whole number from 1 to 100000"),
                issueAt(5, "metricId is required"), issueAt(6, "metricThreshold is required"),
                issueAt(7, "metricId is " + CITY + ", which is no metric"), issueAt(8, "achievementId is required"),
                issueAt(9, "timeUnit must be one of hours, days; is 'hour'"), issueAt(10, "timeInterval is required"),
                issueAt(11, "metricId belongs to type metric, not to type streak"),
                issueAt(12, "metricThreshold belongs to type metric, not to type streak"),
                issueAt(13, "blockIfOutOfPoints belongs to type metric, not to type user_creation"),
                issueAt(14, "status must be one of active, inactive; is 'archived'")) + "]}", created);
    }

    @Test
    void shouldRequireFieldsOfNewTriggerType() {
        edits.create(TRIGGER, GEMS, """
                [{'type': 'metric', 'points': 5, 'metricId': '%s', 'metricThreshold': 10, 'status': 'active',
                  'userAttributes': [{'attributeId': '%s', 'attributeValue': 'Turku'}]}]""".formatted(LAPS, CITY));
        String edit = "[{'id': '" + id(1) + "', 'type': 'streak'%s}]";

        String without = edits.update(TRIGGER, GEMS, edit.formatted(""));
        String with = edits.update(TRIGGER, GEMS, edit.formatted(", 'streakLength': 7"));

        assertEquals("{'updated':[],'issues':[{'severity':'error','message':'streakLength is required','id':'" + id(1)
                + "'}]}", without);
        assertEquals("{'updated':[" + trigger(1, "streak", 5, "active",
                "[{'attributeId':'" + CITY + "','attributeValue':'Turku'}]", false)
                + ",'streakLength':7}],'issues':[]}", with);
    }

    @Test
    void shouldChangeOnlyTheGivenFieldsOfTrigger() {
        edits.create(TRIGGER, GEMS, """
                [{'type': 'metric', 'points': -5, 'metricId': '%s', 'metricThreshold': 10, 'blockIfOutOfPoints': true,
                  'status': 'active', 'userAttributes': [{'attributeId': '%s', 'attributeValue': 'Turku'}],
                  'eventAttributes': [{'attributeId': '%s', 'attributeValue': 'north'}]}]"""
                .formatted(LAPS, CITY, POOL));

        String updated = edits.update(TRIGGER, GEMS, "[{'id': '" + id(1) + "', 'points': -6, 'metricThreshold': null, "
                + "'blockIfOutOfPoints': null, 'status': null, 'userAttributes': null, 'eventAttributes': null}]");
        String off = edits.update(TRIGGER, GEMS, "[{'id': '" + id(1) + "', 'blockIfOutOfPoints': false}]");

        String filters = ",'metricId':'" + LAPS + "','metricThreshold':10,'eventAttributes':[]}";
        assertEquals("{'updated':[" + trigger(1, "metric", -6, "active", "[]", true) + filters + "],'issues':[]}",
                updated);
        assertEquals("{'updated':[" + trigger(1, "metric", -6, "active", "[]", false) + filters + "],'issues':[]}",
                off);
    }

    @Test
    void shouldAssignNewNumberWhenTriggerBecomesActive() {
        edits.create(TRIGGER, GEMS,
                "[{'type': 'metric', 'points': 5, 'metricId': '" + LAPS + "', 'metricThreshold': 10}]");
        PointsTrigger inactive = edits.ruleset.pointsSystems().getFirst().triggers().getFirst();
        edits.now = edits.now.plusSeconds(60);

        edits.update(TRIGGER, GEMS, "[{'id': '" + id(1) + "', 'status': 'active'}]");

        PointsTrigger active = edits.ruleset.pointsSystems().getFirst().triggers().getFirst();
        assertEquals(edits.now, active.activated());
        assertTrue(active.number() > inactive.number());
    }

    @Test
    void shouldDeleteTriggerAndReportUnknownId() {
        edits.create(TRIGGER, GEMS, "[{'type': 'achievement', 'points': 5, 'achievementId': '" + FORTY
                + "', 'status': 'active'}]");
        edits.delete(METRIC, null, LAPS);

        String deleted = edits.delete(TRIGGER, GEMS, id(1), LAPS);

        assertEquals(1, edits.ruleset.metrics().size());
        assertEquals(
                "{'deleted':[{'id':'" + id(1) + "'}],'issues':[{'severity':'error','message':'Trigger not found by "
                        + "ID','id':'" + LAPS + "'}]}",
                deleted);
        assertEquals("[]", edits.list(TRIGGER, GEMS));
    }

    private static String trigger(int id, String type, int points, String status, String users, boolean isBlocking) {
        return "{'id':'" + id(id) + "','type':'" + type + "','points':" + points + ",'status':'" + status
                + "','userAttributes':" + users + ",'blockIfOutOfPoints':" + isBlocking;
    }

    private static String issueAt(int index, String message) {
        return "{'severity':'error','message':'" + message + "','index':" + index + "}";
    }
}
