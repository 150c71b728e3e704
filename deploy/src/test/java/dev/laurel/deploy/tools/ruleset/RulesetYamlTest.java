package dev.laurel.deploy.tools.ruleset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RulesetYamlTest {

    private static final String SERVER = "http://127.0.0.1:8080";

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");

    @Test
    void shouldWriteReadableYaml() {
        RulesetSource source = RulesetFile.parse("laurel.yaml", """
            points: { xp: { triggers: { a: { metric: laps, type: metric, threshold: 5, points: -1 } } } }
            metrics: { laps: { id: 11111111-2222-3333-4444-555555555555, name: "yes" }, miles: {} }
            settings: { controlRatio: 5 }
            """).source();

        assertEquals("""
            # yaml-language-server: $schema=http://127.0.0.1:8080/v1/schemas/laurel-ruleset.schema.json

            metrics:
              laps:
                name: yes
                id: 11111111-2222-3333-4444-555555555555
              miles: {}

            points:
              xp:
                triggers:
                  a:
                    type: metric
                    metric: laps
                    threshold: 5
                    points: -1

            settings:
              controlRatio: 5
            """, RulesetYaml.write(source, SERVER));
    }

    @Test
    void shouldReadWrittenYaml() {
        var source = RulesetFile.parse("laurel.yaml", """
            metrics: { "1e3": { name: "42" }, "null": { name: "a: #b", units: "true" }, id: { units: "~" } }
            streak: { metrics: { id: 0.000000001 } }
            achievements: { a: { trigger: metric, metric: "1e3", value: 2.5, description: "two\\nlines" } }
            """).source();

        assertEquals(
                source,
                RulesetFile.parse("again.yaml", RulesetYaml.write(source, SERVER))
                        .source());
    }

    @Test
    void shouldReadWrittenYamlOfEveryKind() {
        var source = RulesetFile.parse("laurel.yaml", """
            metrics: { laps: {} }
            attributes: { user: { id: {}, city: {} }, event: { pool: {} } }
            achievements:
              forty:
                trigger: metric
                metric: laps
                value: 40
                userAttributes: { id: "7", city: "true" }
                eventAttributes: { pool: 50m }
                backdate: false
              week: { trigger: streak, streakLength: 7, status: inactive }
              profile: { trigger: api }
              all: { trigger: achievement, achievements: [week, forty, "profile"] }
            points:
              gems:
                levelAt: reaches
                levels: { gold: { points: 100 }, bronze: { points: 0, name: Bronze } }
                boosts:
                  weekend: { start: 2026-03-07, end: 2026-03-08, multiplier: 1.5, rounding: nearest }
                triggers:
                  rent: { type: time, timeUnit: days, timeInterval: 30, points: -5 }
                  forty: { type: achievement, achievement: forty, points: 40 }
            streak:
              freezesEnabled: true
              freezeAutoEarnInterval: 7
              freezeAutoEarnAmount: 1
              personalizationEnabled: true
              personalizationMetrics: { laps: }
            leaderboards:
              night:
                rankBy: metric
                metric: laps
                start: 2026-03-07
                startTime: 20:30
                endTime: 22:00:05
                runUnit: month
                runInterval: 3
                breakdownAttributes: [city, id]
              id: { rankBy: streak, status: active }
            settings: { weekStartsOn: monday }
            """).source();

        assertEquals(
                List.of("week", "forty", "profile"),
                source.content().part("achievements").part("all").list("achievements"));
        assertEquals(
                "20:30", source.content().part("leaderboards").part("night").get("startTime"));
        assertEquals(
                "2026-03-07",
                source.content()
                        .part("points")
                        .at(List.of("gems", "boosts", "weekend"))
                        .get("start"));
        assertEquals(
                source,
                RulesetFile.parse("again.yaml", RulesetYaml.write(source, SERVER))
                        .source());
    }

    @ParameterizedTest
    @ValueSource(strings = {"e\n\u0085", "\u0085e", "a\u2028", "\n\u2029b\n", " a\u0085 b\n", "a\n", "a\r\nb"})
    void shouldKeepAllEndsOfLines(String name) {
        RulesetSource source = RulesetSource.of(Map.of("metrics", Map.of("laps", Map.of("name", name))));

        assertEquals(
                source,
                RulesetFile.parse("again.yaml", RulesetYaml.write(source, SERVER))
                        .source());
    }

    @Test
    void shouldWriteRulesetWithoutRules() {
        var nothing = RulesetSource.EMPTY;

        assertEquals(
                RulesetSource.of(Map.of()),
                RulesetFile.parse("laurel.yaml", RulesetYaml.write(nothing, SERVER))
                        .source());
    }

    @Test
    void shouldChangeNothingIfExportIsApplied() {
        var source = RulesetFile.parse("laurel.yaml", """
            metrics: { laps: }
            points: { xp: { triggers: { a: { metric: laps, type: metric, threshold: 5, points: 1 } } } }
            """).source();
        Ruleset ruleset = assertInstanceOf(
                        RulesetEditor.Result.Changed.class,
                        RulesetEditor.apply(Ruleset.empty(TenantId.NONE), source, NOON))
                .ruleset();

        String yaml = RulesetYaml.write(RulesetSource.of(ruleset, NOON), SERVER);

        var again = RulesetFile.parse("export.yaml", yaml).source();
        assertInstanceOf(
                RulesetEditor.Result.Unchanged.class, RulesetEditor.apply(ruleset, again, NOON.plusSeconds(9)));
    }
}
