package dev.laurel.schemas.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Type;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetEditor.Result;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that bodies show and an exported document contains everything that the admin API has configured. */
class RoundTripTest {

    /** Objects with every field of their kinds, and as much precision as fields allow, in the order of their ids from 1. */
    private static final Map<ObjectKind, String> COMPLETE = complete();

    private static final Map<SettingsKind, String> COMPLETE_SETTINGS = Map.of(
            SettingsKind.ACCOUNT,
            "{'controlRatio':7,'analyticsRetentionDays':99,'trackOpens':true,"
                    + "'trackClicks':true,'defaultTimeZone':'Europe/Helsinki','weekStartsOn':'monday',"
                    + "'integerLeaderboardValues':true,'messageTimeZone':'Asia/Kathmandu',"
                    + "'applicationKeysEnabled':false,'rateLimits':{'tier1':12,'tier2':34},"
                    + "'branding':{'appName':'Pool','appUrl':'https://pool.example','logoUrl':'https://pool.example/l',"
                    + "'appIcon':{'url':'https://pool.example/i'},'brandColor':'rgba(1, 2, 3, 0.25)','font':'Arial'},"
                    + "'experimentation':{'controlRatio':7,'userActivationWindow':9}}",
            SettingsKind.STREAK,
            "{'enabled':true,'frequency':'daily','evaluationMode':'AND','metrics':[{'metricId':'" + AdminEdits.id(3)
                    + "','threshold':2.123456789}],'daysOff':[0,6],'freezesEnabled':true,'initialFreezes':2,"
                    + "'maxFreezes':4,'freezeAutoEarnInterval':9,'freezeAutoEarnAmount':2,"
                    + "'personalizationEnabled':true,'personalizationMetrics':[{'metricId':'" + AdminEdits.id(3)
                    + "','min':0.000000001,'max':999999999999.999999999}]}",
            SettingsKind.NOTIFICATIONS,
            "{'recapPeriod':'monthly','reactivationDays':[2,9],'streakReminder':{'dailyHoursBefore':3,"
                    + "'weeklyDay':'monday','weeklyTime':'08:30:15','monthlyDay':30,'monthlyTime':'23:59:59'},"
                    + "'achievementWindow':{'from':'00:00:01','to':'00:00:02'},'enabled':{'recap':false}}",
            SettingsKind.CHANNELS,
            "{'email':{'from':'a@pool.example','fromName':'Pool','replyTo':'b@pool.example'}}");

    private static final int EDITS = 150;

    private final AdminEdits edits = new AdminEdits();
    private Random random;
    private int names;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldExportEverythingConfigured(long seed) {
        random = new Random(seed);
        for (int i = 0; i < EDITS; i++) {
            edit();
            edits.now = edits.now.plusSeconds(random.nextInt(40_000));
        }
        assertTrue(edits.ruleset.version() > EDITS / 3, "most edits came to nothing");
        // Reads the export back, as from a file.
        RulesetSource exported = Json.read(Json.write(RulesetSource.of(edits.ruleset, edits.now)), RulesetSource.class);

        assertInstanceOf(Result.Unchanged.class, RulesetEditor.apply(edits.ruleset, exported, edits.now));
        Ruleset elsewhere = assertInstanceOf(
                        Result.Changed.class, RulesetEditor.apply(Ruleset.empty(TenantId.NONE), exported, edits.now))
                .ruleset();
        // The export includes the ids.
        assertEquals(exported, RulesetSource.of(elsewhere, edits.now));
        assertInstanceOf(Result.Unchanged.class, RulesetEditor.apply(elsewhere, exported, edits.now));
    }

    private static Map<ObjectKind, String> complete() {
        String user = "'userAttributes':[{'attributeId':'" + AdminEdits.id(1) + "','attributeValue':'Å'}]";
        String event = "'eventAttributes':[{'attributeId':'" + AdminEdits.id(2) + "','attributeValue':''}]";
        String metric = "'metricId':'" + AdminEdits.id(3) + "'";
        String system = "'pointsSystemId':'" + AdminEdits.id(4) + "'";
        String ranks = "'leaderboardId':'" + AdminEdits.id(5) + "','rankFrom':2,'rankTo':1000";
        String badge = "'badge':{'url':'https://pool.example/b'}";
        var items = new LinkedHashMap<ObjectKind, String>();
        items.put(
                ObjectKind.ATTRIBUTE,
                "[{'name':'City','key':'city','type':'user','analytics':true},"
                        + "{'name':'Style','key':'style','type':'event'}]");
        items.put(ObjectKind.METRIC, "[{'name':'Spent','key':'spent','unitType':'currency','units':'EUR'}]");
        items.put(
                ObjectKind.POINTS_SYSTEM,
                "[{'name':'XP','key':'xp','description':'Text','maxPoints':999999999999," + "'levelAt':'reaches',"
                        + badge + "}]");
        items.put(
                ObjectKind.LEADERBOARD,
                "[{'name':'Top','key':'top','description':'Text','status':'active',"
                        + "'rankBy':'metric','maxParticipants':9,'start':'2026-03-02','end':'2027-03-02',"
                        + "'startTime':'09:00:30','endTime':'09:00:31','breakdownAttributes':['" + AdminEdits.id(1)
                        + "'],'runUnit':'day','runInterval':7,'rankAll':true,'spreadGroups':true," + metric + "},"
                        + "{'name':'XP','key':'xp','rankBy':'points','teams':{'attributeId':'" + AdminEdits.id(1)
                        + "','score':'top','top':5,'minMembers':2}," + system + "}]");
        items.put(
                ObjectKind.ACHIEVEMENT,
                "[{'name':'Far','key':'far','description':'Text','status':'active',"
                        + "'trigger':'metric','metricValue':999999999999.999999999," + metric + "," + badge + "," + user
                        + ","
                        + event + "},{'name':'Long','trigger':'streak','streakLength':100000},"
                        + "{'name':'All','trigger':'achievement','achievementIds':['" + AdminEdits.id(7)
                        + "']},{'name':'Year','trigger':'anniversary','anniversaryYears':3},"
                        + "{'name':'Won','trigger':'leaderboard'," + ranks
                        + "},{'name':'Api','key':'api','trigger':'api'}]");
        items.put(ObjectKind.LEVEL, "[{'name':'Gold','key':'gold','points':12345,'description':'Text'," + badge + "}]");
        items.put(
                ObjectKind.BOOST,
                "[{'name':'Double','start':'2026-03-05','end':'2026-03-06',"
                        + "'multiplier':1.123456789,'rounding':'nearest'," + user + "}]");
        items.put(
                ObjectKind.TRIGGER,
                "[{'type':'metric','status':'active','metricThreshold':3,'points':-7,"
                        + "'blockIfOutOfPoints':true," + metric + "," + user + "," + event + "},"
                        + "{'type':'achievement','points':8,'achievementId':'" + AdminEdits.id(7) + "'},"
                        + "{'type':'streak','points':9,'streakLength':4},"
                        + "{'type':'time','points':1,'timeUnit':'hours','timeInterval':36},"
                        + "{'type':'user_creation','points':2},"
                        + "{'type':'leaderboard','points':4," + ranks + "}]");
        items.put(
                ObjectKind.WEBHOOK,
                "[{'name':'Hook','description':'Text','url':'https://pool.example/h',"
                        + "'events':['points.changed','emails.recap_due'],'status':'inactive'}]");
        items.put(
                ObjectKind.TEMPLATE,
                "[{'name':'Mail','type':'recap','channel':'email','status':'active',"
                        + "'subject':'S','body':'B','variations':[{'subject':'S2','body':'B2'}]," + user + "},"
                        + "{'name':'Push','type':'recap','channel':'push','title':'T','body':'B',"
                        + "'variations':[{'title':'T2','body':'B2'}]}]");
        return items;
    }

    @Test
    void shouldShowAndExportEveryFieldOfEveryKind() {
        var created = new LinkedHashMap<ObjectKind, List<Object>>();
        COMPLETE.forEach((kind, items) -> {
            assertFieldsIn(kind.description(), items);
            String answer = edits.create(kind, parentOf(kind), items);
            assertTrue(answer.endsWith("'issues':[]}"), answer);
            created.put(kind, json(items));
        });
        COMPLETE_SETTINGS.forEach((kind, fields) -> {
            String answer = edits.patch(kind, fields);
            assertTrue(answer.startsWith("200 "), answer);
            assertShown(json("[" + fields + "]"), json("[" + answer.substring(4) + "]"), kind.path());
        });
        List.of(Settings.KIND, StreakSettings.KIND, Notifications.Timing.KIND, Notifications.Sender.KIND)
                .forEach(kind -> assertFieldsIn(kind, COMPLETE_SETTINGS.values().toString()));

        created.forEach((kind, items) -> assertShown(items, json(edits.list(kind, parentOf(kind))), kind.path()));
        COMPLETE_SETTINGS.forEach((kind, fields) ->
                assertShown(json("[" + fields + "]"), json("[" + edits.show(kind) + "]"), kind.path()));

        Map<Object, String> shown = shown();
        RulesetSource exported = Json.read(Json.write(RulesetSource.of(edits.ruleset, edits.now)), RulesetSource.class);
        edits.ruleset = Ruleset.empty(TenantId.NONE);
        edits.ruleset = assertInstanceOf(Result.Changed.class, RulesetEditor.apply(edits.ruleset, exported, edits.now))
                .ruleset();
        assertEquals(shown, shown());
        assertEquals(exported, RulesetSource.of(edits.ruleset, edits.now));
    }

    private static UUID parentOf(ObjectKind kind) {
        return kind.hasParent() ? AdminEdits.id(4) : null;
    }

    /** All objects and settings, as their bodies show them. */
    private Map<Object, String> shown() {
        var shown = new LinkedHashMap<Object, String>();
        COMPLETE.keySet().forEach(kind -> shown.put(kind, edits.list(kind, parentOf(kind))));
        COMPLETE_SETTINGS.keySet().forEach(kind -> shown.put(kind, edits.show(kind)));
        return shown;
    }

    private static List<Object> json(String array) {
        try {
            return Json.readForeignArray(array.replace('\'', '"').getBytes(UTF_8));
        } catch (BadInputException e) {
            throw new IllegalArgumentException(array, e);
        }
    }

    /** Checks that the objects above have every field, so that a new one is not forgotten. */
    private static void assertFieldsIn(Kind<?> kind, String items) {
        for (Field field : kind.fields()) {
            // Objects of a points system are created for themselves; 'backdate' cannot be read.
            boolean isShown = !field.isHidden() && !(field.type() instanceof Type.Entries);
            for (String name : isShown ? field.adminName().split("\\.") : new String[0]) {
                assertTrue(items.contains("'" + name + "':"), kind.name() + " without " + field.adminName());
            }
            if (field.type() instanceof Type.Part(Kind<?> part)) {
                assertFieldsIn(part, items);
            }
        }
    }

    /** Checks that everything given is shown, as exactly; more may be shown. */
    private static void assertShown(Object given, Object shown, String where) {
        switch (given) {
            case Map<?, ?> fields -> {
                Map<?, ?> others = assertInstanceOf(Map.class, shown, where);
                // What a public field cannot show is exact beside it (docs/admin-api.md B2).
                fields.forEach((name, value) -> assertShown(
                        value,
                        name.equals("threshold") && others.containsKey("exactThreshold")
                                ? others.get("exactThreshold")
                                : others.get(name),
                        where + "/" + name));
            }
            case List<?> list -> {
                List<?> others = assertInstanceOf(List.class, shown, where);
                assertEquals(list.size(), others.size(), where);
                for (int i = 0; i < list.size(); i++) {
                    assertShown(list.get(i), others.get(i), where + "/" + i);
                }
            }
            case Number number ->
                assertEquals(
                        new BigDecimal(number.toString()),
                        new BigDecimal(
                                assertInstanceOf(Number.class, shown, where).toString()),
                        where);
            default -> assertEquals(given, shown, where);
        }
    }

    private void edit() {
        UUID system = any(ObjectKind.POINTS_SYSTEM, null);
        String metric = quoted(any(ObjectKind.METRIC, null));
        String named = "'name':'N" + ++names + "','key':'k" + random.nextInt(40) + "'";
        switch (random.nextInt(12)) {
            case 0 -> create(ObjectKind.METRIC, null, named + (random.nextBoolean() ? ",'units':'km'" : ""));
            case 1 -> create(ObjectKind.ATTRIBUTE, null, named + ",'type':'" + pick("user", "event") + "'");
            case 2 -> create(ObjectKind.POINTS_SYSTEM, null, named + ",'maxPoints':" + (1 + random.nextInt(99)));
            case 3 -> create(ObjectKind.LEVEL, system, named + ",'points':" + random.nextInt(50));
            case 4 ->
                create(
                        ObjectKind.TRIGGER,
                        system,
                        "'type':'metric','metricThreshold':5,'points':3,'metricId':" + metric + ",'status':'"
                                + pick("active", "inactive") + "'");
            case 5 ->
                create(
                        ObjectKind.ACHIEVEMENT,
                        null,
                        "'name':'A','trigger':'metric','metricValue':4,'metricId':" + metric + ",'status':'"
                                + pick("active", "inactive") + "'" + filter());
            case 6 ->
                create(
                        ObjectKind.ACHIEVEMENT,
                        null,
                        named + ",'trigger':'achievement','achievementIds':["
                                + quoted(any(ObjectKind.ACHIEVEMENT, null)) + "]");
            case 7 ->
                create(
                        ObjectKind.LEADERBOARD,
                        null,
                        named + ",'rankBy':'metric','metricId':" + metric + ",'status':'" + pick("active", "inactive")
                                + "','runUnit':'day','runInterval':2");
            case 8 ->
                update(
                        ObjectKind.LEADERBOARD,
                        "'status':'" + pick("active", "inactive", "finished") + "'," + "'key':'r" + random.nextInt(9)
                                + "'");
            case 9 ->
                update(
                        ObjectKind.ACHIEVEMENT,
                        "'status':'" + pick("active", "locked") + "','key':'a" + random.nextInt(9) + "'");
            case 10 -> {
                ObjectKind kind = List.of(ObjectKind.METRIC, ObjectKind.ACHIEVEMENT, ObjectKind.LEADERBOARD)
                        .get(random.nextInt(3));
                edits.delete(kind, null, any(kind, null));
            }
            default -> {
                edits.patch(
                        SettingsKind.STREAK,
                        "{'freezesEnabled':" + random.nextBoolean() + ",'maxFreezes':" + (1 + random.nextInt(9))
                                + ",'metrics':[{'threshold':2,'metricId':" + metric + "}]}");
                edits.patch(SettingsKind.ACCOUNT, "{'controlRatio':" + random.nextInt(9) + "}");
            }
        }
    }

    private String filter() {
        return random.nextBoolean()
                ? ""
                : ",'userAttributes':[{'attributeValue':'x','attributeId':" + quoted(any(ObjectKind.ATTRIBUTE, null))
                        + "}]";
    }

    private void create(ObjectKind kind, UUID parent, String fields) {
        edits.create(kind, parent, "[{" + fields + "}]");
    }

    private void update(ObjectKind kind, String fields) {
        edits.update(kind, null, "[{'id':" + quoted(any(kind, null)) + "," + fields + "}]");
    }

    /** Returns the id of an existing object, or an unknown id if there is none. */
    private UUID any(ObjectKind kind, UUID parent) {
        var ids = new ArrayList<UUID>();
        ObjectBodies.of(kind, edits.ruleset, parent, edits.now).forEach(body -> ids.add(body.id()));
        return ids.isEmpty() ? new UUID(0, 9) : ids.get(random.nextInt(ids.size()));
    }

    private static String quoted(UUID id) {
        return "'" + id + "'";
    }

    private String pick(String... words) {
        return words[random.nextInt(words.length)];
    }
}
