package dev.laurel.schemas.ruleset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.serde.Json;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesetValidatorTest {

    private static final String ACHIEVEMENT = "{`metrics`:{`m`:{}},`achievements`:{`a`:{`trigger`:`metric`,`metric`:`m`,`value`:1}}}";
    private static final String TRIGGER = "{`metrics`:{`m`:{}},`points`:{`xp`:{`triggers`:"
            + "{`t`:{`type`:`metric`,`metric`:`m`,`threshold`:1,`points`:1}}}}}";

    @ParameterizedTest
    @ValueSource(strings = {"{}", ACHIEVEMENT, TRIGGER, "{`metrics`:{`A-z_0`:{`unitType`:`currency`,`units`:`EUR`}}}",
            "{`settings`:{`controlRatio`:100,`defaultTimeZone`:`Asia/Tokyo`}}", "{`settings`:{`controlRatio`:0}}",
            "{`metrics`:{`m`:{}},`streak`:{`enabled`:false,`frequency`:`daily`,`evaluationMode`:`OR`,`metrics`:{`m`:0.000000001}}}",
            "{`points`:{`xp`:{`maxPoints`:1,`badgeUrl`:`https://example.net/a.png`,`description`:``}}}"})
    void shouldFindNothingWrong(String source) {
        assertEquals(List.of(), issues(source));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {"{`metrics`:{``:{}}}|/metrics/|bad key",
            "{`metrics`:{`a b`:{}}}|/metrics/a b|bad key", "{`metrics`:{`a/~`:{}}}|/metrics/a~1~0|bad key",
            "{`metrics`:{`m`:null}}|/metrics/m|is required", "{`metrics`:{`m`:{`name`:``}}}|/metrics/m/name|1 to 255",
            "{`metrics`:{`m`:{`unitType`:`mass`}}}|/metrics/m/unitType|one of number, currency; is 'mass'",
            "{`metrics`:{`m`:{`unitType`:`currency`}}}|/metrics/m/units|ISO 4217",
            "{`metrics`:{`m`:{`unitType`:`currency`,`units`:`eur`}}}|/metrics/m/units|ISO 4217",
            "{`attributes`:{`user`:{`a b`:{}}}}|/attributes/user/a b|bad key",
            "{`attributes`:{`event`:{`a`:{`name`:``}}}}|/attributes/event/a/name|1 to 255",
            "{`settings`:{`controlRatio`:-1}}|/settings/controlRatio|0 to 100",
            "{`settings`:{`controlRatio`:101}}|/settings/controlRatio|0 to 100",
            "{`settings`:{`defaultTimeZone`:`+02:00`}}|/settings/defaultTimeZone|IANA",
            "{`settings`:{`defaultTimeZone`:`Mars`}}|/settings/defaultTimeZone|IANA",
            "{`streak`:{`frequency`:`hourly`}}|/streak/frequency|must be",
            "{`streak`:{`evaluationMode`:`and`}}|/streak/evaluationMode|one of AND, OR",
            "{`streak`:{`metrics`:{`m`:1}}}|/streak/metrics/m|unknown metric 'm'; known: none",
            "{`streak`:{`metrics`:{`a/b`:1}}}|/streak/metrics/a~1b|unknown metric",
            "{`metrics`:{`m`:{}},`streak`:{`metrics`:{`m`:0}}}|/streak/metrics/m|above 0",
            "{`metrics`:{`m`:{}},`streak`:{`metrics`:{`m`:null}}}|/streak/metrics/m|is required",
            "{`points`:{`xp`:{`maxPoints`:0}}}|/points/xp/maxPoints|whole number from 1",
            "{`points`:{`xp`:{`badgeUrl`:`ftp://x/y`}}}|/points/xp/badgeUrl|http or https",
            "{`points`:{`xp`:{`badgeUrl`:`/a.png`}}}|/points/xp/badgeUrl|http or https",
            "{`points`:{`xp`:{`badgeUrl`:`http://a b`}}}|/points/xp/badgeUrl|http or https"})
    void shouldFindWhatIsWrongAndWhere(String source, String path, String words) {
        assertOneIssue(source, path, words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {"`value`:1|`value`:0|value|above 0",
            "`value`:1|`value`:-1|value|above 0", "`value`:1|`value`:1000000000000.1|value|at most 1000000000000",
            "`value`:1|`value`:1e999999999|value|at most 1000000000000",
            "`value`:1|`value`:1e-10|value|9 fractional digits",
            "`value`:1|`value`:null|value|is required", "`metric`:`m`|`metric`:`n`|metric|unknown metric 'n'; known: m",
            "`metric`:`m`|`metric`:null|metric|is required",
            "`trigger`:`metric`|`trigger`:`api`|trigger|must be metric; is 'api'",
            "`trigger`:`metric`|`name`:`x`|trigger|is required"})
    void shouldCheckAchievements(String before, String after, String field, String words) {
        assertOneIssue(ACHIEVEMENT.replace(before, after), "/achievements/a/" + field, words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {"`threshold`:1|`threshold`:0|threshold|from 1 to",
            "`threshold`:1|`threshold`:1000000000001|threshold|from 1 to",
            "`threshold`:1|`threshold`:null|threshold|is required",
            "`points`:1|`points`:0|points|not 0", "`points`:1|`points`:1000000001|points|1000000000",
            "`points`:1|`points`:-1000000001|points|-1000000000",
            "`points`:1|`points`:-9223372036854775808|points|-1000000000",
            "`points`:1|`points`:null|points|is required", "`type`:`metric`|`type`:`time`|type|must be metric",
            "`metric`:`m`|`metric`:`n`|metric|unknown metric 'n'"})
    void shouldCheckPointsTriggers(String before, String after, String field, String words) {
        assertOneIssue(TRIGGER.replace(before, after), "/points/xp/triggers/t/" + field, words);
    }

    @Test
    void shouldRefuseOneIdForTwoObjects() {
        String id = "`id`:`3f0c8f1e-7c1b-4d5a-9a39-0d0f6b1c2a10`";

        assertOneIssue("{`metrics`:{`m`:{" + id + "}},`points`:{`xp`:{" + id + "}}}", "/points/xp/id", "used twice");
    }

    @Test
    void shouldRefuseTextsBeyondTheirLimit() {
        assertOneIssue("{`metrics`:{`m`:{`name`:`" + "x".repeat(256) + "`}}}", "/metrics/m/name", "1 to 255");
        assertOneIssue("{`metrics`:{`m`:{`units`:`" + "x".repeat(51) + "`}}}", "/metrics/m/units", "at most 50");
        assertOneIssue("{`points`:{`p`:{`description`:`" + "x".repeat(2001) + "`}}}", "/points/p/description", "2000");
        assertOneIssue("{`points`:{`p`:{`name`:`\\ud83d`}}}", "/points/p/name", "Unicode");
    }

    @Test
    void shouldReportEverythingAtOnceInTheOrderOfTheDocument() {
        assertEquals(List.of("/metrics/a b", "/points/xp/maxPoints", "/settings/controlRatio"),
                issues("{`settings`:{`controlRatio`:-1},`points`:{`xp`:{`maxPoints`:0}},`metrics`:{`a b`:{}}}").stream()
                        .map(RulesetIssue::path).toList());
    }

    /** Thousands of metrics named in each of thousands of issues would not fit into memory. */
    @Test
    void shouldKeepItsReportShort() {
        String metrics = IntStream.range(0, 3000).mapToObj(i -> "`metric-" + i + "`:{}")
                .collect(Collectors.joining(","));
        String streak = IntStream.range(0, 3000).mapToObj(i -> "`unknown-" + i + "`:1")
                .collect(Collectors.joining(","));

        List<RulesetIssue> issues = issues("{`metrics`:{" + metrics + "},`streak`:{`metrics`:{" + streak + "}}}");

        assertEquals(RulesetValidator.MAX_ISSUES + 1, issues.size());
        assertEquals(new RulesetIssue("", "has more issues than these"), issues.getLast());
        assertTrue(issues.getFirst().message().length() < 1000, issues.getFirst().message());
    }

    @Test
    void shouldRefuseTooManyObjects() {
        String metrics = IntStream.range(0, 10_001).mapToObj(i -> "`m" + i + "`:{}").collect(Collectors.joining(","));

        assertOneIssue("{`metrics`:{" + metrics + "}}", "/metrics", "at most 10000");
    }

    private static void assertOneIssue(String source, String path, String words) {
        List<RulesetIssue> issues = issues(source);
        assertEquals(1, issues.size(), issues::toString);
        assertEquals(path, issues.getFirst().path());
        assertTrue(issues.getFirst().message().contains(words), issues.getFirst().message());
    }

    private static List<RulesetIssue> issues(String source) {
        try {
            return RulesetValidator
                    .check(Json.readForeign(source.replace('`', '"').getBytes(UTF_8), RulesetSource.class));
        } catch (BadInputException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }
}
