package dev.laurel.deploy.tools.ruleset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RulesetFileTest {

    private static final String GOOD = """
        metrics:
          commits: { units: commits }
          lines-changed:
        achievements:
          ten: { trigger: metric, metric: commits, value: 10 }
        points:
          xp:
            maxPoints: 5000
            triggers:
              per-commit: { type: metric, metric: commits, threshold: 1, points: 10 }
        streak:
          metrics: { commits: 1.5 }
        settings:
          controlRatio: 5
          defaultTimeZone: Europe/Helsinki
        """;

    @Test
    void shouldReadEverySection() {
        RulesetSource source = parse(GOOD).source();

        assertEquals(
                List.of("commits", "lines-changed"),
                List.copyOf(source.content().part("metrics").names()));
        assertEquals("commits", source.content().part("metrics").part("commits").get("units"));
        assertEquals(
                BigDecimal.TEN,
                source.content().part("achievements").part("ten").get("value"));
        assertEquals(
                10L,
                source.content()
                        .at(List.of("points", "xp", "triggers", "per-commit"))
                        .get("points"));
        assertEquals(
                new BigDecimal("1.5"),
                source.content().at(List.of("streak", "metrics")).get("commits"));
        assertEquals(5, source.content().part("settings").get("controlRatio"));
    }

    /** Each row replaces one part of the valid file, which then has exactly one problem with this text. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        metric: commits, threshold | metric: comits, threshold | 10:35: /points/xp/triggers/per-commit/metric: names an unknown metric 'comits'; known: commits, lines-changed
        metric: commits, value  | metirc: commits, metric: commits, value | 5:27: /achievements/ten/metirc: is not a field here, did you mean 'metric'?; fields: name, description, badgeUrl, trigger, status, metric, value, streakLength, achievements, anniversaryYears, leaderboard, rankFrom, rankTo, userAttributes, eventAttributes, backdate, id
        value: 10 }             | }                     | 5:3: /achievements/ten/value: is required
        value: 10 }             | value: ten }          | 5:44: /achievements/ten/value: must be a number, is the text 'ten'
        value: 10 }             | value: 0 }            | 5:44: /achievements/ten/value: must be a number above 0, at most 1000000000000, with at most 9 fractional digits
        value: 10 }             | value: 1e999999999 }  | 5:44: /achievements/ten/value: is out of range: 1e999999999
        value: 10 }             | value: .inf }         | 5:44: /achievements/ten/value: must be a decimal number, is .inf
        threshold: 1,           | threshold: 1.5,       | 10:52: /points/xp/triggers/per-commit/threshold: must be a whole number, is 1.5
        threshold: 1,           | threshold: 0,         | 10:52: /points/xp/triggers/per-commit/threshold: must be a whole number from 1 to 1000000000000
        points: 10 }            | points: 0 }           | 10:66: /points/xp/triggers/per-commit/points: must be a whole number from -1000000000 to 1000000000, not 0
        points: 10 }            | points: 99999999999999999999 } | 10:66: /points/xp/triggers/per-commit/points: must be a whole number from -1000000000 to 1000000000
        type: metric            | type: strike          | 10:21: /points/xp/triggers/per-commit/type: must be one of metric, achievement, streak, time, user_creation, leaderboard; is 'strike'
        type: metric            | streakLength: 7, type: metric | 10:21: /points/xp/triggers/per-commit/streakLength: belongs to type streak, not to type metric
        type: metric            | status: on, type: metric | 10:21: /points/xp/triggers/per-commit/status: must be one of active, inactive; is 'on'
        type: metric            | userAttributes: { plan: pro }, type: metric | 10:39: /points/xp/triggers/per-commit/userAttributes/plan: names an unknown user attribute 'plan'; known: none
        { trigger: metric, metric: commits, value: 10 } | { trigger: achievement, achievements: [5] } | 5:47: /achievements/ten/achievements/0: must be a text, is 5; put it in quotes
        { trigger: metric, metric: commits, value: 10 } | { trigger: achievement, achievements: ten } | 5:32: /achievements/ten/achievements: must be a list, is the text 'ten'
        { trigger: metric, metric: commits, value: 10 } | { trigger: achievement, achievements: [ten] } | 5:32: /achievements/ten/achievements: leads in a circle: ten needs 'ten', so none of them can be completed
        { trigger: metric, metric: commits, value: 10 } | { trigger: achievement, achievements: [] } | 5:32: /achievements/ten/achievements: must have 1 to 1000 keys of achievements
        { trigger: metric, metric: commits, value: 10 } | { trigger: streak } | 5:3: /achievements/ten/streakLength: is required
        maxPoints: 5000         | levels: { gold: { points: -1 } } | 8:23: /points/xp/levels/gold/points: must be a whole number from 0 to 1000000000000
        maxPoints: 5000         | levels: { gold: }     | 8:15: /points/xp/levels/gold/points: is required
        maxPoints: 5000         | boosts: { b: { start: today, multiplier: 2 } } | 8:20: /points/xp/boosts/b/start: must be a date, such as 2026-03-04; is 'today'
        maxPoints: 5000         | boosts: { b: { start: 2026-01-01, multiplier: 1 } } | 8:39: /points/xp/boosts/b/multiplier: must be a number above 0 and below 100, not 1, with at most 9 fractional digits
        units: commits          | units: 7              | 2:14: /metrics/commits/units: must be a text, is 7; put it in quotes
        units: commits          | unitType: currency    | 2:3: /metrics/commits/units: must be an upper-case ISO 4217 code, such as EUR, for unitType currency
        units: commits          | id: nonsense          | 2:14: /metrics/commits/id: must be a UUID, is the text 'nonsense'
        units: commits          | units: !!java.net.URL x | 2:14: /metrics/commits/units: has the tag tag:yaml.org,2002:java.net.URL; tags are not allowed
        controlRatio: 5         | controlRatio: 101     | 14:3: /settings/controlRatio: must be a whole number from 0 to 100
        Europe/Helsinki         | Helsinki              | 15:3: /settings/defaultTimeZone: must be an IANA time zone, such as Europe/Helsinki
        settings:               | setings:              | 13:1: /setings: is not a field here, did you mean 'settings'?; fields: metrics, attributes, achievements, points, streak, leaderboards, settings, webhooks, notifications
        { commits: 1.5 }        | { commits: }          | 12:14: /streak/metrics/commits: must be a number, is empty
        { commits: 1.5 }        | [commits]             | 12:3: /streak/metrics: must be a map of names to values, is a list
        maxPoints: 5000         | maxPoints: 'many'     | 8:5: /points/xp/maxPoints: must be a whole number, is the text 'many'
        maxPoints: 5000         | badgeUrl: ftp://x/y   | 8:5: /points/xp/badgeUrl: must be an absolute http or https address
        lines-changed:          | lines changed:        | 3:3: /metrics/lines changed: has a bad key: 1 to 255 letters, digits, '-' and '_' are allowed
        lines-changed:          | commits:              | 3:3: /metrics/commits: is written twice, first in line 2
        lines-changed:          | ? [a, b]              | 3:5: /metrics: has a key that is not a plain text
        """)
    void shouldReportProblemWithLocation(String piece, String broken, String problem) {
        assertTrue(GOOD.contains(piece));

        RulesetFile file = parse(GOOD.replace(piece, broken));

        assertEquals("laurel.yaml:" + problem, messagesOf(file));
    }

    /** Each row is a leaderboard with exactly one problem with this text. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        { rankBy: luck }                    | 17:8: /leaderboards/b/rankBy: must be one of metric, points, streak; is 'luck'
        { status: active }                  | 17:3: /leaderboards/b/rankBy: is required
                                            | 17:3: /leaderboards/b/rankBy: is required
        { rankBy: metric, metric: comits }  | 17:24: /leaderboards/b/metric: names an unknown metric 'comits'; known: commits, lines-changed
        { rankBy: points }                  | 17:3: /leaderboards/b/pointsSystem: is required
        { rankBy: streak, startTime: 09:00 } | 17:24: /leaderboards/b/startTime: belongs to rankBy metric or points, not to rankBy streak
        { rankBy: streak, endTim: never }  | 17:24: /leaderboards/b/endTim: is not a field here, did you mean 'endTime'?; fields: name, description, status, rankBy, metric, pointsSystem, maxParticipants, start, end, startTime, endTime, breakdownAttributes, teams, runUnit, runInterval, rankAll, spreadGroups, id
        { rankBy: streak, maxParticipants: 0 } | 17:24: /leaderboards/b/maxParticipants: must be a whole number from 1 to 1000
        { rankBy: points, pointsSystem: xp, runUnit: year, runInterval: 101 } | 17:57: /leaderboards/b/runInterval: must be a whole number from 1 to 100
        { rankBy: points, pointsSystem: xp, runUnit: year } | 17:3: /leaderboards/b/runInterval: is required beside runUnit
        { rankBy: streak, breakdownAttributes: [city] } | 17:46: /leaderboards/b/breakdownAttributes/0: names an unknown user attribute 'city'; known: none
        """)
    void shouldReportProblemOfLeaderboardWithLocation(String board, String problem) {
        RulesetFile file = parse(GOOD + "leaderboards:\n  b: " + (board == null ? "" : board) + "\n");

        assertEquals("laurel.yaml:" + problem, messagesOf(file));
    }

    @Test
    void shouldAcceptExample() {
        RulesetFile file = RulesetFile.read(Path.of("examples/swimming.yaml"), new PrintWriter(System.err));

        assertEquals(List.of(), file.problems());
        assertInstanceOf(
                RulesetEditor.Result.Changed.class,
                RulesetEditor.apply(
                        Ruleset.empty(TenantId.NONE), file.source(), Instant.parse("2026-03-04T12:00:00Z")));
    }

    @Test
    void shouldReportProblemsInTextOrder() {
        RulesetFile file = parse(GOOD.replace("commits: { units: commits }", "commits: { units: 7, colour: red }")
                .replace("value: 10", "value: -1")
                .replace("metric: commits, threshold", "metric: miles, threshold")
                .replace("controlRatio: 5", "controlRatio: high"));

        assertEquals(
                List.of(
                        "/metrics/commits/units",
                        "/metrics/commits/colour",
                        "/achievements/ten/value",
                        "/points/xp/triggers/per-commit/metric",
                        "/settings/controlRatio"),
                file.problems().stream().map(RulesetOutput.Problem::path).toList());
    }

    @Test
    void shouldNotReportReferencesIfAllMetricsAreBroken() {
        assertEquals(
                List.of("/metrics"),
                parse(GOOD.replace("metrics:\n  commits: { units: commits }\n  lines-changed:", "metrics: [commits]"))
                        .problems()
                        .stream()
                        .map(RulesetOutput.Problem::path)
                        .toList());
    }

    @Test
    void shouldNotReportReferencesToBrokenMetric() {
        assertEquals(
                List.of("/metrics/commits"),
                parse(GOOD.replace("{ units: commits }", "lots")).problems().stream()
                        .map(RulesetOutput.Problem::path)
                        .toList());
    }

    @Test
    void shouldReportSyntaxErrorWithLocation() {
        RulesetFile file = parse("metrics:\n\tcommits:\n");

        assertEquals(1, file.problems().size());
        assertEquals(2, file.problems().getFirst().line());
        assertTrue(messagesOf(file).contains("is not valid YAML"), messagesOf(file));
    }

    /** The parser reads a file in parts. */
    @Test
    void shouldReadSurrogatePairsAtEveryPlace() {
        for (int before = 0; before < 4; before++) {
            String name = "x".repeat(before) + "\ud83d\ude00".repeat(100);
            String text = "metrics:\n"
                    + IntStream.range(0, 20)
                            .mapToObj(i -> "  m" + i + ": {name: '" + name + "'}\n")
                            .collect(Collectors.joining());
            RulesetFile file = RulesetFile.parse("laurel.yaml", text);
            assertEquals(List.of(), file.problems());
            file.source()
                    .content()
                    .part("metrics")
                    .values()
                    .values()
                    .forEach(metric -> assertEquals(
                            name, assertInstanceOf(FieldMap.class, metric).text("name")));
        }
    }

    @Test
    void shouldRefuseEmptyFile() {
        assertTrue(messagesOf(parse("# nothing yet\n")).contains("is empty"));
    }

    @Test
    void shouldAcceptEmptyMapAsRulesetWithoutRules() {
        assertEquals(RulesetSource.of(Map.of()), parse("{}").source());
    }

    @Test
    void shouldRefuseSecondDocument() {
        assertEquals(1, parse("metrics: {}\n---\nmetrics: {}\n").problems().size());
    }

    @Test
    void shouldRefuseAliasesThatGrowWithoutBound() {
        var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 9; i++) {
            String item = "*a" + (i - 1);
            bomb.append("a%d: &a%d [%s]\n"
                    .formatted(
                            i,
                            i,
                            String.join(", ", List.of(item, item, item, item, item, item, item, item, item, item))));
        }
        assertTrue(messagesOf(parse(bomb.toString())).contains("has more than"), "the bomb went off");
    }

    @Test
    void shouldRefuseRecursiveValue() {
        assertTrue(messagesOf(parse("metrics: &m\n  commits: *m\n")).contains("refers to itself"));
    }

    @Test
    void shouldExpandAlias() {
        var source = parse("metrics:\n  a: &unit { units: km }\n  b: *unit\n").source();

        assertEquals("km", source.content().part("metrics").part("b").get("units"));
    }

    @Test
    void shouldLocateIssuesOfServer() {
        var located = parse(GOOD).locate(List.of(new Issue("/points/xp/triggers/gone", "is odd")));

        assertEquals(
                "laurel.yaml:9:5: /points/xp/triggers/gone: is odd",
                located.getFirst().toString());
    }

    @Test
    void shouldReportMissingFile() {
        CommandFailed failed = assertThrows(
                CommandFailed.class, () -> RulesetFile.read(Path.of("no-such.yaml"), new PrintWriter(System.err)));

        assertEquals("there is no file no-such.yaml", failed.getMessage());
    }

    private static RulesetFile parse(String text) {
        return RulesetFile.parse("laurel.yaml", text);
    }

    private static String messagesOf(RulesetFile file) {
        return file.problems().stream().map(RulesetOutput.Problem::toString).collect(Collectors.joining("\n"));
    }
}
