package dev.laurel.schemas.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class RulesetDiffTest {

    private final AdminEdits edits = new AdminEdits();

    @Test
    void shouldReportWholeObjectsAndSingleFields() {
        Ruleset before = of("""
            {"metrics":{"laps":{"units":"laps"},"runs":{}},"points":{"gems":{"levels":{"gold":{"points":10}}}},
             "settings":{"controlRatio":5}}\
            """);
        Ruleset after = of("""
            {"metrics":{"laps":{"units":"m","name":"Laps"}},"attributes":{"user":{"city":{}}},
             "points":{"gems":{"levels":{"gold":{"points":20}},"triggers":{"t":{"type":"user_creation","points":1}}}}}
            """);

        assertEquals(
                List.of(
                        "added /metrics/laps/name null -> 'Laps'",
                        "changed /metrics/laps/units 'laps' -> 'm'",
                        "removed /metrics/runs",
                        "added /attributes/user/city",
                        "changed /points/gems/levels/gold/points 10 -> 20",
                        "added /points/gems/triggers/t",
                        "removed /settings/controlRatio 5 -> null"),
                told(before, after));
    }

    @Test
    void shouldReportChangedOrder() {
        Ruleset before = of("{\"metrics\":{\"a\":{},\"b\":{}}}");
        Ruleset after = of("{\"metrics\":{\"b\":{},\"c\":{},\"a\":{}}}");

        assertEquals(List.of("added /metrics/c", "changed /metrics ['a','b'] -> ['b','a']"), told(before, after));
    }

    @Test
    void shouldFindNoDifferenceBetweenEqualRulesets() {
        Ruleset before = of("{\"metrics\":{\"a\":{}},\"streak\":{\"enabled\":false}}");

        assertEquals(List.of(), told(before, before));
    }

    @Test
    void shouldSummarizeByObject() {
        Ruleset before = of("{\"metrics\":{\"a\":{},\"b\":{}},\"points\":{\"gems\":{}}}");
        Ruleset after = of("""
            {"metrics":{"a":{"name":"A","units":"km"}},"points":{"gems":{"levels":{"gold":{"points":10}}}},
             "attributes":{"event":{"pool":{}}},"settings":{"controlRatio":5,"weekStartsOn":"monday"}}\
            """);

        assertEquals(
                "{'version':2,'published':'2026-03-04T12:00:00.000Z','author':null,'added':2,'changed':2,'removed':1,"
                        + "'objects':[{'change':'changed','object':'metric"
                        + " 'a''},{'change':'removed','object':'metric 'b''},{'change':'added','object':'event attribute"
                        + " 'pool''},{'change':'added','object':'level 'gold' of the points system"
                        + " 'gems''},{'change':'changed','object':'account settings'}]}",
                text(RulesetDiff.summary(before, after)));
    }

    private Ruleset of(String source) {
        edits.replace(source);
        return edits.ruleset;
    }

    /** Formats the changes and omits values that are objects. */
    private List<String> told(Ruleset before, Ruleset after) {
        return RulesetDiff.between(before, after, edits.now).stream()
                .map(change -> {
                    String was = text(change.before().orElse(null));
                    String is = text(change.after().orElse(null));
                    return change.change() + " " + change.path()
                            + (was.contains("{") || is.contains("{") ? "" : " " + was + " -> " + is);
                })
                .toList();
    }

    private static String text(Object value) {
        return new String(Json.write(value), UTF_8).replace('"', '\'');
    }
}
