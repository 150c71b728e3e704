package dev.laurel.schemas.ruleset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.IssueList.Issue;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesetIssuesTest {

    private static final String ACHIEVEMENT =
            "{`metrics`:{`m`:{}},`achievements`:{`a`:{`trigger`:`metric`,`metric`:`m`,`value`:1}}}";
    private static final String TRIGGER = "{`metrics`:{`m`:{}},`points`:{`xp`:{`triggers`:"
            + "{`t`:{`type`:`metric`,`metric`:`m`,`threshold`:1,`points`:1}}}}}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                ACHIEVEMENT,
                TRIGGER,
                "{`metrics`:{`A-z_0`:{`unitType`:`currency`,`units`:`EUR`}}}",
                "{`settings`:{`controlRatio`:100,`defaultTimeZone`:`Asia/Tokyo`}}",
                "{`settings`:{`controlRatio`:0}}",
                "{`metrics`:{`m`:{}},`streak`:{`enabled`:false,`frequency`:`daily`,`evaluationMode`:`OR`,`metrics`:{`m`:0.000000001}}}",
                "{`points`:{`xp`:{`maxPoints`:1,`badgeUrl`:`https://example.net/a.png`,`description`:``}}}"
            })
    void shouldFindNoIssueInValidSource(String source) {
        assertEquals(List.of(), issues(source));
    }

    @Test
    void shouldFindNoIssueInSourceWithAllFields() {
        assertEquals(List.of(), issues(Sources.EVERYTHING));
        assertEquals(
                List.of(),
                issues("{`metrics`:{`m`:{}},`streak`:{`evaluationMode`:`ALL`,`maxFreezes`:100,"
                        + "`personalizationMetrics`:{`m`:{`min`:1,`max`:1}}}}"));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "RulesetIssuesTest.shouldReportIssueWithPath.csv", delimiter = '|', quoteCharacter = '^')
    void shouldReportIssueWithPath(String source, String path, String words) {
        assertOneIssue(source, path, words);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "RulesetIssuesTest.shouldCheckAchievements.csv", delimiter = '|', quoteCharacter = '^')
    void shouldCheckAchievements(String before, String after, String field, String words) {
        assertOneIssue(ACHIEVEMENT.replace(before, after), "/achievements/a/" + field, words);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "RulesetIssuesTest.shouldCheckPointsTriggers.csv", delimiter = '|', quoteCharacter = '^')
    void shouldCheckPointsTriggers(String before, String after, String field, String words) {
        assertOneIssue(TRIGGER.replace(before, after), "/points/xp/triggers/t/" + field, words);
    }

    /** Each row contains the fields of one achievement and causes one issue. */
    @ParameterizedTest
    @CsvFileSource(
            resources = "RulesetIssuesTest.shouldCheckAchievementsWithOtherTriggers.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldCheckAchievementsWithOtherTriggers(String fields, String path, String words) {
        assertOneIssue(
                "{`metrics`:{`m`:{}},`attributes`:{`user`:{`u`:{}},`event`:{`e`:{}}},"
                        + "`leaderboards`:{`l`:{`rankBy`:`streak`}},"
                        + "`achievements`:{`done`:{`trigger`:`api`},`a`:{" + fields + "}}}",
                "/achievements/a/" + path,
                words);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "RulesetIssuesTest.shouldCheckPointsTriggersOfOtherTypes.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldCheckPointsTriggersOfOtherTypes(String fields, String path, String words) {
        assertOneIssue(
                "{`metrics`:{`m`:{}},`attributes`:{`event`:{`e`:{}}},`achievements`:{`a`:{`trigger`:`api`}},"
                        + "`leaderboards`:{`l`:{`rankBy`:`streak`}},"
                        + "`points`:{`p`:{`triggers`:{`t`:{`points`:1," + fields + "}}}}}",
                "/points/p/triggers/t/" + path,
                words);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "RulesetIssuesTest.shouldCheckLevelsAndBoosts.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldCheckLevelsAndBoosts(String fields, String path, String words) {
        assertOneIssue("{`points`:{`p`:{" + fields + "}}}", "/points/p/" + path, words);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "RulesetIssuesTest.shouldCheckFreezesAndPersonalizationEvenIfTheyAreOff.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldCheckFreezesAndPersonalizationEvenIfTheyAreOff(String fields, String path, String words) {
        assertOneIssue("{`metrics`:{`m`:{}},`streak`:{" + fields + "}}", "/streak/" + path, words);
    }

    /** Each row contains the fields of one leaderboard and causes one issue. */
    @ParameterizedTest
    @CsvFileSource(resources = "RulesetIssuesTest.shouldCheckLeaderboards.csv", delimiter = '|', quoteCharacter = '^')
    void shouldCheckLeaderboards(String fields, String path, String words) {
        assertOneIssue(
                "{`metrics`:{`m`:{}},`attributes`:{`user`:{`u`:{}},`event`:{`e`:{}}},`points`:{`p`:{}},"
                        + "`leaderboards`:{`b`:{" + fields + "}}}",
                "/leaderboards/b/" + path,
                words);
    }

    @Test
    void shouldRefuseRunsOfStreakLeaderboards() {
        assertEquals(
                List.of("/leaderboards/b/runUnit", "/leaderboards/b/runInterval"),
                issues("{`leaderboards`:{`b`:{`rankBy`:`streak`,`runUnit`:`day`,`runInterval`:1}}}").stream()
                        .map(Issue::path)
                        .toList());
    }

    @Test
    void shouldRefuseTooManyBreakdownAttributes() {
        String attributes =
                IntStream.range(0, 11).mapToObj(i -> "`u" + i + "`:{}").collect(Collectors.joining(","));
        String keys = IntStream.range(0, 11).mapToObj(i -> "`u" + i + "`").collect(Collectors.joining(","));

        assertOneIssue(
                "{`attributes`:{`user`:{" + attributes + "}},`leaderboards`:{`b`:{`rankBy`:`streak`,"
                        + "`breakdownAttributes`:[" + keys + "]}}}",
                "/leaderboards/b/breakdownAttributes",
                "at most 10 keys of user attributes");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        `attribute`:`team`,`score`:`sum`            | `spreadGroups`:true                                 | spreadGroups    | must be false beside teams, which are ranked together
        `attribute`:`team`,`score`:`sum`            | `breakdownAttributes`:[`team`]                      | teams/attribute | must not be one of breakdownAttributes
        `attribute`:`city`,`score`:`sum`            | `maxParticipants`:5                                 | teams/attribute | names an unknown user attribute 'city'
        `attribute`:`team`,`score`:`top`            | `maxParticipants`:5                                 | teams/top       | is required
        `attribute`:`team`,`score`:`top`,`top`:6    | `maxParticipants`:5                                 | teams/top       | must be at most maxParticipants, 5
        `attribute`:`team`,`score`:`top`,`top`:1001 | `maxParticipants`:1000                              | teams/top       | from 1 to 1000
        `attribute`:`team`,`score`:`max`,`top`:1    | `maxParticipants`:5                                 | teams/top       | belongs to score top, not to score max
        `attribute`:`team`                          | `maxParticipants`:5                                 | teams/score     | is required
        """)
    void shouldRefuseTeamsThatCannotBeRanked(String teams, String others, String field, String problem) {
        List<Issue> issues = issues("{`attributes`:{`user`:{`team`:{}}},`leaderboards`:{`b`:{`rankBy`:`streak`,"
                + others + ",`teams`:{" + teams + "}}}}");

        assertEquals("/leaderboards/b/" + field, issues.getFirst().path());
        assertTrue(
                issues.getFirst().message().contains(problem), issues.getFirst().message());
    }

    @Test
    void shouldNameTheWholeCircleOfAchievements() {
        assertOneIssue(
                "{`achievements`:{" + composite("d", "a") + "," + composite("a", "b") + "," + composite("b", "x`,`c")
                        + "," + composite("c", "a") + ",`x`:{`trigger`:`api`}}}",
                "/achievements/a/achievements",
                "leads in a circle: a needs b needs c needs 'a', so none");
    }

    @Test
    void shouldAcceptSeveralPathsToOneAchievement() {
        assertEquals(
                List.of(),
                issues("{`achievements`:{" + composite("a", "b`,`c") + "," + composite("b", "d") + ","
                        + composite("c", "d") + ",`d`:{`trigger`:`api`}}}"));
    }

    /** The chain is as long as a ruleset allows; the second source ends it in a circle. */
    @Test
    void shouldFollowLongChainsOfAchievements() {
        String chain = IntStream.range(0, 9_999)
                .mapToObj(i -> composite("a" + i, "a" + (i + 1)))
                .collect(Collectors.joining(","));

        assertEquals(List.of(), issues("{`achievements`:{" + chain + ",`a9999`:{`trigger`:`api`}}}"));
        assertOneIssue(
                "{`achievements`:{" + chain + "," + composite("a9999", "a9998") + "}}",
                "/achievements/a9998/achievements",
                "a9998 needs a9999 needs 'a9998'");
    }

    /** Each achievement requires all others, so there are too many circles to count. */
    @Test
    void shouldLimitReportOfCircles() {
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "a" + i).toList();
        String all = keys.stream()
                .map(key ->
                        composite(key, keys.stream().filter(k -> !k.equals(key)).collect(Collectors.joining("`,`"))))
                .collect(Collectors.joining(","));

        List<Issue> issues = issues("{`achievements`:{" + all + "}}");

        assertEquals(IssueList.MAX_ISSUES + 1, issues.size());
        assertTrue(issues.stream().allMatch(i -> i.message().length() < 1000));
    }

    private static String composite(String key, String prerequisites) {
        return "`" + key + "`:{`trigger`:`achievement`,`achievements`:[`" + prerequisites + "`]}";
    }

    @Test
    void shouldRefuseTooManyFiltersAndPrerequisites() {
        String attributes =
                IntStream.range(0, 101).mapToObj(i -> "`u" + i + "`:{}").collect(Collectors.joining(","));
        String filters = attributes.replace("{}", "`x`");
        List<String> prerequisites =
                IntStream.range(0, 1001).mapToObj(i -> "`u" + i + "`").toList();
        String achievements =
                prerequisites.stream().map(key -> key + ":{`trigger`:`api`}").collect(Collectors.joining(","));
        String keys = String.join(",", prerequisites);

        assertOneIssue(
                "{`attributes`:{`user`:{" + attributes + "}},`achievements`:{`a`:{`trigger`:`api`,"
                        + "`userAttributes`:{" + filters + "}}}}",
                "/achievements/a/userAttributes",
                "at most 100");
        assertOneIssue(
                "{`achievements`:{" + achievements + ",`a`:{`trigger`:`achievement`,`achievements`:[" + keys + "]}}}",
                "/achievements/a/achievements",
                "1 to 1000");
        assertOneIssue(
                "{`attributes`:{`user`:{`u`:{}}},`achievements`:{`a`:{`trigger`:`api`,`userAttributes`:{`u`:`"
                        + "x".repeat(4001) + "`}}}}",
                "/achievements/a/userAttributes/u",
                "at most 4000");
    }

    @Test
    void shouldRefuseOneIdForTwoObjects() {
        String id = "`id`:`3f0c8f1e-7c1b-4d5a-9a39-0d0f6b1c2a10`";

        assertOneIssue("{`metrics`:{`m`:{" + id + "}},`points`:{`xp`:{" + id + "}}}", "/points/xp/id", "used twice");
    }

    @Test
    void shouldRefuseTooLongTexts() {
        assertOneIssue("{`metrics`:{`m`:{`name`:`" + "x".repeat(256) + "`}}}", "/metrics/m/name", "1 to 255");
        assertOneIssue("{`metrics`:{`m`:{`units`:`" + "x".repeat(51) + "`}}}", "/metrics/m/units", "at most 50");
        assertOneIssue("{`points`:{`p`:{`description`:`" + "x".repeat(2001) + "`}}}", "/points/p/description", "2000");
        assertOneIssue("{`points`:{`p`:{`name`:`\\ud83d`}}}", "/points/p/name", "Unicode");
    }

    @Test
    void shouldReportAllIssuesInDocumentOrder() {
        assertEquals(
                List.of("/metrics/a b", "/points/xp/maxPoints", "/settings/controlRatio"),
                issues("{`settings`:{`controlRatio`:-1},`points`:{`xp`:{`maxPoints`:0}},`metrics`:{`a b`:{}}}").stream()
                        .map(Issue::path)
                        .toList());
    }

    /** A report that lists thousands of metrics in each of thousands of issues would not fit into memory. */
    @Test
    void shouldLimitNumberAndLengthOfIssues() {
        String metrics =
                IntStream.range(0, 3000).mapToObj(i -> "`metric-" + i + "`:{}").collect(Collectors.joining(","));
        String streak =
                IntStream.range(0, 3000).mapToObj(i -> "`unknown-" + i + "`:1").collect(Collectors.joining(","));

        List<Issue> issues = issues("{`metrics`:{" + metrics + "},`streak`:{`metrics`:{" + streak + "}}}");

        assertEquals(IssueList.MAX_ISSUES + 1, issues.size());
        assertEquals(new Issue("", "has more issues than these"), issues.getLast());
        assertTrue(
                issues.getFirst().message().length() < 1000, issues.getFirst().message());
    }

    @Test
    void shouldRefuseTooManyObjects() {
        String metrics =
                IntStream.range(0, 10_001).mapToObj(i -> "`m" + i + "`:{}").collect(Collectors.joining(","));

        assertOneIssue("{`metrics`:{" + metrics + "}}", "/metrics", "at most 10000");
    }

    private static void assertOneIssue(String source, String path, String words) {
        List<Issue> issues = issues(source);
        assertEquals(1, issues.size(), issues::toString);
        assertEquals(path, issues.getFirst().path());
        assertTrue(
                issues.getFirst().message().contains(words), issues.getFirst().message());
    }

    private static List<Issue> issues(String source) {
        return Sources.read(source.replace('`', '"')).issues();
    }
}
