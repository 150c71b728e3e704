package dev.laurel.schemas.admin;

import dev.laurel.schemas.edit.ObjectKind;
import dev.laurel.schemas.edit.SettingsKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetEditor.Result;
import dev.laurel.schemas.ruleset.RulesetEditor;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Checks that an exported document contains everything that the admin API has configured. */
class RoundTripTest {

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
        RulesetSource exported = Json.read(Json.write(RulesetSource.of(edits.ruleset, edits.now)),
                RulesetSource.class);

        assertInstanceOf(Result.Unchanged.class, RulesetEditor.apply(edits.ruleset, exported, edits.now));
        Ruleset elsewhere = assertInstanceOf(Result.Changed.class,
                RulesetEditor.apply(Ruleset.empty(TenantId.NONE), exported, edits.now)).ruleset();
        // The export includes the ids.
        assertEquals(exported, RulesetSource.of(elsewhere, edits.now));
        assertInstanceOf(Result.Unchanged.class, RulesetEditor.apply(elsewhere, exported, edits.now));
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
            case 4 -> create(ObjectKind.TRIGGER, system, "'type':'metric','metricThreshold':5,'points':3,'metricId':"
                    + metric + ",'status':'" + pick("active", "inactive") + "'");
            case 5 -> create(ObjectKind.ACHIEVEMENT, null, "'name':'A','trigger':'metric','metricValue':4,'metricId':"
                    + metric + ",'status':'" + pick("active", "inactive") + "'" + filter());
            case 6 -> create(ObjectKind.ACHIEVEMENT, null, named + ",'trigger':'achievement','achievementIds':["
                    + quoted(any(ObjectKind.ACHIEVEMENT, null)) + "]");
            case 7 -> create(ObjectKind.LEADERBOARD, null, named + ",'rankBy':'metric','metricId':" + metric
                    + ",'status':'" + pick("active", "inactive") + "','runUnit':'day','runInterval':2");
            case 8 -> update(ObjectKind.LEADERBOARD, "'status':'" + pick("active", "inactive", "finished") + "',"
                    + "'key':'r" + random.nextInt(9) + "'");
            case 9 -> update(ObjectKind.ACHIEVEMENT, "'status':'" + pick("active", "locked") + "','key':'a"
                    + random.nextInt(9) + "'");
            case 10 -> {
                ObjectKind kind = List.of(ObjectKind.METRIC, ObjectKind.ACHIEVEMENT, ObjectKind.LEADERBOARD)
                        .get(random.nextInt(3));
                edits.delete(kind, null, any(kind, null));
            }
            default -> {
                edits.patch(SettingsKind.STREAK, "{'freezesEnabled':" + random.nextBoolean() + ",'maxFreezes':"
                        + (1 + random.nextInt(9)) + ",'metrics':[{'threshold':2,'metricId':" + metric + "}]}");
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
