package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.kind.IssueList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RulesetIssuesTest {

    private static final String ACHIEVEMENT = "{`metrics`:{`m`:{}},`achievements`:{`a`:{`trigger`:`metric`,`metric`:`m`,`value`:1}}}";
    private static final String TRIGGER = "{`metrics`:{`m`:{}},`points`:{`xp`:{`triggers`:"
            + "{`t`:{`type`:`metric`,`metric`:`m`,`threshold`:1,`points`:1}}}}}";

    @ParameterizedTest
    @ValueSource(strings = {"{}", ACHIEVEMENT, TRIGGER, "{`metrics`:{`A-z_0`:{`unitType`:`currency`,`units`:`EUR`}}}",
            "{`settings`:{`controlRatio`:100,`defaultTimeZone`:`Asia/Tokyo`}}", "{`settings`:{`controlRatio`:0}}",
            "{`metrics`:{`m`:{}},`streak`:{`enabled`:false,`frequency`:`daily`,`evaluationMode`:`OR`,`metrics`:{`m`:0.000000001}}}",
            "{`points`:{`xp`:{`maxPoints`:1,`badgeUrl`:`https://example.net/a.png`,`description`:``}}}"})
    void shouldFindNoIssueInValidSource(String source) {
        assertEquals(List.of(), issues(source));
    }

    @Test
    void shouldFindNoIssueInSourceWithAllFields() {
        assertEquals(List.of(), issues(Sources.EVERYTHING));
        assertEquals(List.of(), issues("{`metrics`:{`m`:{}},`streak`:{`evaluationMode`:`ALL`,`maxFreezes`:100,"
                + "`personalizationMetrics`:{`m`:{`min`:1,`max`:1}}}}"));
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
            "{`settings`:{`messageTimeZone`:`EST5`}}|/settings/messageTimeZone|IANA",
            "{`settings`:{`rateLimits`:{`tier1`:0}}}|/settings/rateLimits/tier1|1 to 1000000",
            "{`settings`:{`rateLimits`:{`tier2`:1000001}}}|/settings/rateLimits/tier2|1 to 1000000",
            "{`settings`:{`branding`:{`appUrl`:`pool.example`}}}|/settings/branding/appUrl|http or https",
            "{`settings`:{`branding`:{`logoUrl`:`javascript:alert(1)`}}}|/settings/branding/logoUrl|http or https",
            "{`settings`:{`branding`:{`brandColor`:`red`}}}|/settings/branding/brandColor|#1A2B3C",
            "{`settings`:{`branding`:{`font`:`Arial;x:y`}}}|/settings/branding/font|names of fonts",
            "{`settings`:{`weekStartsOn`:`Monday`}}|/settings/weekStartsOn|one of sunday, monday; is 'Monday'",
            "{`webhooks`:{`w`:{`events`:[`streak.lost`]}}}|/webhooks/w/url|is required",
            "{`webhooks`:{`w`:{`url`:`https://a.example`}}}|/webhooks/w/events|is required",
            "{`webhooks`:{`w`:{`url`:`https://a.example`,`events`:[null]}}}|/webhooks/w/events/0|is required",
            "{`notifications`:{`settings`:{`enabled`:{`a/b`:true}}}}|/notifications/settings/enabled/a~1b|one of",
            "{`notifications`:{`settings`:{`reactivationDays`:[null]}}}|/notifications/settings/reactivationDays/0|required",
            "{`notifications`:{`templates`:{`t`:{`type`:`recap`,`channel`:`push`,`title`:`T`,`body`:`B`,`variations`:[null]}}}}|/notifications/templates/t/variations/0|is required",
            "{`streak`:{`frequency`:`hourly`}}|/streak/frequency|one of daily, weekly, monthly; is 'hourly'",
            "{`streak`:{`evaluationMode`:`and`}}|/streak/evaluationMode|one of AND, OR",
            "{`streak`:{`metrics`:{`m`:1}}}|/streak/metrics/m|unknown metric 'm'; known: none",
            "{`streak`:{`metrics`:{`a/b`:1}}}|/streak/metrics/a~1b|unknown metric",
            "{`metrics`:{`m`:{}},`streak`:{`metrics`:{`m`:0}}}|/streak/metrics/m|above 0",
            "{`metrics`:{`m`:{}},`streak`:{`metrics`:{`m`:null}}}|/streak/metrics/m|is required",
            "{`points`:{`xp`:{`maxPoints`:0}}}|/points/xp/maxPoints|whole number from 1",
            "{`points`:{`xp`:{`badgeUrl`:`ftp://x/y`}}}|/points/xp/badgeUrl|http or https",
            "{`points`:{`xp`:{`badgeUrl`:`/a.png`}}}|/points/xp/badgeUrl|http or https",
            "{`points`:{`xp`:{`badgeUrl`:`http://a b`}}}|/points/xp/badgeUrl|http or https"})
    void shouldReportIssueWithPath(String source, String path, String words) {
        assertOneIssue(source, path, words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {"`value`:1|`value`:0|value|above 0",
            "`value`:1|`value`:-1|value|above 0", "`value`:1|`value`:1000000000000.1|value|at most 1000000000000",
            "`value`:1|`value`:1e999999999|value|at most 1000000000000",
            "`value`:1|`value`:1e-10|value|9 fractional digits",
            "`value`:1|`value`:null|value|is required", "`metric`:`m`|`metric`:`n`|metric|unknown metric 'n'; known: m",
            "`metric`:`m`|`metric`:null|metric|is required",
            "`trigger`:`metric`|`trigger`:`apis`|trigger|must be one of metric, streak, api, achievement, anniversary; is 'apis'",
            "`trigger`:`metric`|`name`:`x`|trigger|is required",
            "`value`:1|`value`:1,`status`:`open`|status|one of inactive, active, locked; is 'open'",
            "`value`:1|`value`:1,`streakLength`:1|streakLength|belongs to trigger streak, not to trigger metric",
            "`value`:1|`value`:1,`achievements`:[`a`]|achievements|belongs to trigger achievement, not to trigger metric",
            "`value`:1|`value`:1,`userAttributes`:{`u`:`x`}|userAttributes/u|unknown user attribute 'u'; known: none",
            "`value`:1|`value`:1,`eventAttributes`:{`e/`:`x`}|eventAttributes/e~1|unknown event attribute 'e/'; known: none",
            "`metric`:`m`,`value`:1|`value`:1|metric|is required"})
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
            "`points`:1|`points`:null|points|is required",
            "`type`:`metric`|`type`:`weather`|type|must be one of metric, achievement, streak, time, user_creation; is",
            "`metric`:`m`|`metric`:`n`|metric|unknown metric 'n'",
            "`type`:`metric`|`type`:`metric`,`status`:`locked`|status|one of active, inactive; is 'locked'",
            "`type`:`metric`|`type`:`metric`,`achievement`:`a`|achievement|belongs to type achievement, not to type metric",
            "`type`:`metric`|`type`:`metric`,`streakLength`:1|streakLength|belongs to type streak, not to type metric",
            "`type`:`metric`|`type`:`metric`,`timeUnit`:`days`|timeUnit|belongs to type time, not to type metric",
            "`type`:`metric`|`type`:`metric`,`timeInterval`:1|timeInterval|belongs to type time, not to type metric",
            "`type`:`metric`|`type`:`metric`,`userAttributes`:{`u`:`x`}|userAttributes/u|unknown user attribute",
            "`type`:`metric`|`type`:`metric`,`eventAttributes`:{`e`:`x`}|eventAttributes/e|unknown event attribute"})
    void shouldCheckPointsTriggers(String before, String after, String field, String words) {
        assertOneIssue(TRIGGER.replace(before, after), "/points/xp/triggers/t/" + field, words);
    }

    /** Each row contains the fields of one achievement and causes one issue. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {"`trigger`:`streak`|streakLength|is required",
            "`trigger`:`streak`,`streakLength`:0|streakLength|from 1 to 100000",
            "`trigger`:`streak`,`streakLength`:100001|streakLength|from 1 to 100000",
            "`trigger`:`streak`,`streakLength`:1,`metric`:`m`|metric|belongs to trigger metric, not to trigger streak",
            "`trigger`:`streak`,`streakLength`:1,`eventAttributes`:{`e`:`x`}|eventAttributes|belongs to trigger metric",
            "`trigger`:`anniversary`|anniversaryYears|is required",
            "`trigger`:`anniversary`,`anniversaryYears`:0|anniversaryYears|from 1 to 1000",
            "`trigger`:`anniversary`,`anniversaryYears`:1001|anniversaryYears|from 1 to 1000",
            "`trigger`:`anniversary`,`anniversaryYears`:1,`streakLength`:1|streakLength|belongs to trigger streak",
            "`trigger`:`streak`,`streakLength`:1,`anniversaryYears`:1|anniversaryYears|belongs to trigger anniversary",
            "`trigger`:`api`,`value`:1|value|belongs to trigger metric, not to trigger api",
            "`trigger`:`api`,`userAttributes`:{`e`:`x`}|userAttributes/e|unknown user attribute 'e'; known: u",
            "`trigger`:`api`,`userAttributes`:{`u`:null}|userAttributes/u|is required",
            "`trigger`:`api`,`userAttributes`:{`u`:`\\ud83d`}|userAttributes/u|Unicode",
            "`trigger`:`achievement`|achievements|is required",
            "`trigger`:`achievement`,`achievements`:[]|achievements|1 to 100",
            "`trigger`:`achievement`,`achievements`:[null]|achievements/0|is required",
            "`trigger`:`achievement`,`achievements`:[`done`,`gone`]|achievements/1|unknown achievement 'gone'; known: done, a",
            "`trigger`:`achievement`,`achievements`:[`done`,`done`]|achievements/1|is named twice",
            "`trigger`:`achievement`,`achievements`:[`a`]|achievements|leads in a circle: a needs 'a'"})
    void shouldCheckAchievementsWithOtherTriggers(String fields, String path, String words) {
        assertOneIssue("{`metrics`:{`m`:{}},`attributes`:{`user`:{`u`:{}},`event`:{`e`:{}}},"
                + "`achievements`:{`done`:{`trigger`:`api`},`a`:{" + fields + "}}}", "/achievements/a/" + path, words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {"`type`:`achievement`|achievement|is required",
            "`type`:`achievement`,`achievement`:`b`|achievement|unknown achievement 'b'; known: a",
            "`type`:`streak`|streakLength|is required", "`type`:`streak`,`streakLength`:0|streakLength|from 1 to",
            "`type`:`time`,`timeInterval`:1|timeUnit|is required",
            "`type`:`time`,`timeUnit`:`days`|timeInterval|is required",
            "`type`:`time`,`timeUnit`:`weeks`,`timeInterval`:1|timeUnit|one of hours, days; is 'weeks'",
            "`type`:`time`,`timeUnit`:`hours`,`timeInterval`:0|timeInterval|from 1 to 100000",
            "`type`:`user_creation`,`metric`:`m`|metric|belongs to type metric, not to type user_creation",
            "`type`:`user_creation`,`threshold`:1|threshold|belongs to type metric, not to type user_creation",
            "`type`:`user_creation`,`eventAttributes`:{`e`:`x`}|eventAttributes|belongs to type metric",
            "`type`:`user_creation`,`blockIfOutOfPoints`:false|blockIfOutOfPoints|belongs to type metric"})
    void shouldCheckPointsTriggersOfOtherTypes(String fields, String path, String words) {
        assertOneIssue("{`metrics`:{`m`:{}},`attributes`:{`event`:{`e`:{}}},`achievements`:{`a`:{`trigger`:`api`}},"
                + "`points`:{`p`:{`triggers`:{`t`:{`points`:1," + fields + "}}}}}", "/points/p/triggers/t/" + path,
                words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {"`levelAt`:`passes`|levelAt|one of exceeds, reaches",
            "`levels`:{`l`:{}}|levels/l/points|is required", "`levels`:{`l`:{`points`:-1}}|levels/l/points|from 0 to",
            "`levels`:{`l`:{`points`:1000000000001}}|levels/l/points|from 0 to",
            "`levels`:{`a b`:{`points`:1}}|levels/a b|bad key", "`levels`:{`l`:null}|levels/l|is required",
            "`levels`:{`l`:{`points`:1,`badgeUrl`:`x`}}|levels/l/badgeUrl|http or https",
            "`levels`:{`k`:{`points`:1},`l`:{`points`:1}}|levels/l/points|is also that of /points/p/levels/k",
            "`boosts`:{`b`:{`multiplier`:2}}|boosts/b/start|is required",
            "`boosts`:{`b`:{`start`:`2026-02-29`,`multiplier`:2}}|boosts/b/start|must be a date, such as 2026-03-04; is '2026-02-29'",
            "`boosts`:{`b`:{`start`:`today`,`multiplier`:2}}|boosts/b/start|must be a date",
            "`boosts`:{`b`:{`start`:`+12026-01-01`,`multiplier`:2}}|boosts/b/start|must be a date",
            "`boosts`:{`b`:{`start`:`2026-03-01`,`end`:`2026-02-28`,`multiplier`:2}}|boosts/b/end|must not be before start, 2026-03-01",
            "`boosts`:{`b`:{`start`:`2026-03-01`}}|boosts/b/multiplier|is required",
            "`boosts`:{`b`:{`start`:`2026-03-01`,`multiplier`:0}}|boosts/b/multiplier|above 0",
            "`boosts`:{`b`:{`start`:`2026-03-01`,`multiplier`:-2}}|boosts/b/multiplier|above 0",
            "`boosts`:{`b`:{`start`:`2026-03-01`,`multiplier`:1.0}}|boosts/b/multiplier|not 1",
            "`boosts`:{`b`:{`start`:`2026-03-01`,`multiplier`:100}}|boosts/b/multiplier|below 100",
            "`boosts`:{`b`:{`start`:`2026-03-01`,`multiplier`:1e999999999}}|boosts/b/multiplier|below 100",
            "`boosts`:{`b`:{`start`:`2026-03-01`,`multiplier`:1.0000000001}}|boosts/b/multiplier|9 fractional",
            "`boosts`:{`b`:{`start`:`2026-03-01`,`multiplier`:2,`rounding`:`even`}}|boosts/b/rounding|one of down, up, nearest",
            "`boosts`:{`b`:{`start`:`2026-03-01`,`multiplier`:2,`userAttributes`:{`u`:`x`}}}|boosts/b/userAttributes/u|unknown user"})
    void shouldCheckLevelsAndBoosts(String fields, String path, String words) {
        assertOneIssue("{`points`:{`p`:{" + fields + "}}}", "/points/p/" + path, words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {"`initialFreezes`:-1|initialFreezes|from 0 to 100",
            "`initialFreezes`:101|initialFreezes|from 0 to 100", "`maxFreezes`:0|maxFreezes|from 1 to 100",
            "`maxFreezes`:101|maxFreezes|from 1 to 100",
            "`initialFreezes`:4|initialFreezes|is 4, must not be above maxFreezes, which is 3",
            "`initialFreezes`:2,`maxFreezes`:1|initialFreezes|is 2, must not be above maxFreezes, which is 1",
            "`freezeAutoEarnInterval`:1|freezeAutoEarnAmount|is required beside freezeAutoEarnInterval",
            "`freezeAutoEarnAmount`:1|freezeAutoEarnInterval|is required beside freezeAutoEarnAmount",
            "`freezeAutoEarnAmount`:1,`freezeAutoEarnInterval`:0|freezeAutoEarnInterval|from 1 to",
            "`freezeAutoEarnAmount`:101,`freezeAutoEarnInterval`:1|freezeAutoEarnAmount|from 1 to 100",
            "`personalizationMetrics`:{`n`:{}}|personalizationMetrics/n|unknown metric 'n'; known: m",
            "`personalizationMetrics`:{`m`:null}|personalizationMetrics/m|is required",
            "`personalizationMetrics`:{`m`:{`min`:0}}|personalizationMetrics/m/min|above 0",
            "`personalizationMetrics`:{`m`:{`max`:1e13}}|personalizationMetrics/m/max|at most 1000000000000",
            "`personalizationMetrics`:{`m`:{`min`:2,`max`:1}}|personalizationMetrics/m/max|must not be below min"})
    void shouldCheckFreezesAndPersonalizationEvenIfTheyAreOff(String fields, String path, String words) {
        assertOneIssue("{`metrics`:{`m`:{}},`streak`:{" + fields + "}}", "/streak/" + path, words);
    }

    /** Each row contains the fields of one leaderboard and causes one issue. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {"`status`:`active`|rankBy|is required",
            "`rankBy`:`luck`|rankBy|one of metric, points, streak; is 'luck'",
            "`rankBy`:`metric`|metric|is required",
            "`rankBy`:`metric`,`metric`:`n`|metric|unknown metric 'n'; known: m",
            "`rankBy`:`points`|pointsSystem|is required",
            "`rankBy`:`points`,`pointsSystem`:`m`|pointsSystem|unknown points system 'm'; known: p",
            "`rankBy`:`points`,`pointsSystem`:`p`,`metric`:`m`|metric|belongs to rankBy metric, not to rankBy points",
            "`rankBy`:`streak`,`pointsSystem`:`p`|pointsSystem|belongs to rankBy points, not to rankBy streak",
            "`rankBy`:`streak`,`startTime`:`09:00`|startTime|belongs to rankBy metric or points, not to rankBy streak",
            "`rankBy`:`streak`,`endTime`:`09:00`|endTime|not to rankBy streak",
            "`rankBy`:`streak`,`name`:``|name|1 to 255",
            "`rankBy`:`streak`,`status`:`locked`|status|one of inactive, active, scheduled, finished; is 'locked'",
            "`rankBy`:`streak`,`maxParticipants`:0|maxParticipants|whole number from 1 to 1000",
            "`rankBy`:`streak`,`maxParticipants`:1001|maxParticipants|whole number from 1 to 1000",
            "`rankBy`:`streak`,`start`:`2026-02-29`|start|must be a date",
            "`rankBy`:`streak`,`end`:`never`|end|must be a date, such as 2026-03-04; is 'never'",
            "`rankBy`:`streak`,`start`:`2026-03-02`,`end`:`2026-03-01`|end|must not be before start, 2026-03-02",
            "`rankBy`:`metric`,`metric`:`m`,`startTime`:`9:00`|startTime|time of day, such as 09:30 or 17:00:30; is '9:00'",
            "`rankBy`:`metric`,`metric`:`m`,`endTime`:`24:00`|endTime|time of day",
            "`rankBy`:`metric`,`metric`:`m`,`endTime`:`23:00:00.5`|endTime|time of day",
            "`rankBy`:`metric`,`metric`:`m`,`startTime`:`09:00`,`endTime`:`09:00:00`|endTime|must be after startTime, 09:00",
            "`rankBy`:`metric`,`metric`:`m`,`runUnit`:`day`|runInterval|is required beside runUnit",
            "`rankBy`:`metric`,`metric`:`m`,`runInterval`:1|runUnit|is required beside runInterval",
            "`rankBy`:`metric`,`metric`:`m`,`runUnit`:`week`,`runInterval`:1|runUnit|one of day, month, year; is 'week'",
            "`rankBy`:`metric`,`metric`:`m`,`runUnit`:`day`,`runInterval`:0|runInterval|whole number from 1 to 100000",
            "`rankBy`:`metric`,`metric`:`m`,`runUnit`:`day`,`runInterval`:100001|runInterval|from 1 to 100000",
            "`rankBy`:`metric`,`metric`:`m`,`runUnit`:`month`,`runInterval`:1201|runInterval|from 1 to 1200",
            "`rankBy`:`metric`,`metric`:`m`,`runUnit`:`year`,`runInterval`:101|runInterval|from 1 to 100",
            "`rankBy`:`streak`,`breakdownAttributes`:[null]|breakdownAttributes/0|is required",
            "`rankBy`:`streak`,`breakdownAttributes`:[`u`,`e`]|breakdownAttributes/1|unknown user attribute 'e'; known: u",
            "`rankBy`:`streak`,`breakdownAttributes`:[`u`,`u`]|breakdownAttributes/1|is named twice"})
    void shouldCheckLeaderboards(String fields, String path, String words) {
        assertOneIssue("{`metrics`:{`m`:{}},`attributes`:{`user`:{`u`:{}},`event`:{`e`:{}}},`points`:{`p`:{}},"
                + "`leaderboards`:{`b`:{" + fields + "}}}", "/leaderboards/b/" + path, words);
    }

    @Test
    void shouldRefuseRunsOfStreakLeaderboards() {
        assertEquals(List.of("/leaderboards/b/runUnit", "/leaderboards/b/runInterval"),
                issues("{`leaderboards`:{`b`:{`rankBy`:`streak`,`runUnit`:`day`,`runInterval`:1}}}").stream()
                        .map(Issue::path).toList());
    }

    @Test
    void shouldRefuseTooManyBreakdownAttributes() {
        String attributes = IntStream.range(0, 11).mapToObj(i -> "`u" + i + "`:{}").collect(Collectors.joining(","));
        String keys = IntStream.range(0, 11).mapToObj(i -> "`u" + i + "`").collect(Collectors.joining(","));

        assertOneIssue("{`attributes`:{`user`:{" + attributes + "}},`leaderboards`:{`b`:{`rankBy`:`streak`,"
                + "`breakdownAttributes`:[" + keys + "]}}}", "/leaderboards/b/breakdownAttributes",
                "at most 10 keys of user attributes");
    }

    @Test
    void shouldNameTheWholeCircleOfAchievements() {
        assertOneIssue("{`achievements`:{" + composite("d", "a") + "," + composite("a", "b") + ","
                + composite("b", "x`,`c") + "," + composite("c", "a") + ",`x`:{`trigger`:`api`}}}",
                "/achievements/a/achievements", "leads in a circle: a needs b needs c needs 'a', so none");
    }

    @Test
    void shouldAcceptSeveralPathsToOneAchievement() {
        assertEquals(List.of(), issues("{`achievements`:{" + composite("a", "b`,`c") + "," + composite("b", "d") + ","
                + composite("c", "d") + ",`d`:{`trigger`:`api`}}}"));
    }

    /** The chain is as long as a ruleset allows; the second source ends it in a circle. */
    @Test
    void shouldFollowLongChainsOfAchievements() {
        String chain = IntStream.range(0, 9_999).mapToObj(i -> composite("a" + i, "a" + (i + 1)))
                .collect(Collectors.joining(","));

        assertEquals(List.of(), issues("{`achievements`:{" + chain + ",`a9999`:{`trigger`:`api`}}}"));
        assertOneIssue("{`achievements`:{" + chain + "," + composite("a9999", "a9998") + "}}",
                "/achievements/a9998/achievements", "a9998 needs a9999 needs 'a9998'");
    }

    /** Each achievement requires all others, so there are too many circles to count. */
    @Test
    void shouldLimitReportOfCircles() {
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "a" + i).toList();
        String all = keys.stream().map(key -> composite(key,
                keys.stream().filter(k -> !k.equals(key)).collect(Collectors.joining("`,`"))))
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
        String attributes = IntStream.range(0, 101).mapToObj(i -> "`u" + i + "`:{}").collect(Collectors.joining(","));
        String filters = attributes.replace("{}", "`x`");
        List<String> prerequisites = IntStream.range(0, 1001).mapToObj(i -> "`u" + i + "`").toList();
        String achievements = prerequisites.stream().map(key -> key + ":{`trigger`:`api`}")
                .collect(Collectors.joining(","));
        String keys = String.join(",", prerequisites);

        assertOneIssue("{`attributes`:{`user`:{" + attributes + "}},`achievements`:{`a`:{`trigger`:`api`,"
                + "`userAttributes`:{" + filters + "}}}}", "/achievements/a/userAttributes", "at most 100");
        assertOneIssue("{`achievements`:{" + achievements + ",`a`:{`trigger`:`achievement`,`achievements`:[" + keys
                + "]}}}", "/achievements/a/achievements", "1 to 1000");
        assertOneIssue("{`attributes`:{`user`:{`u`:{}}},`achievements`:{`a`:{`trigger`:`api`,`userAttributes`:{`u`:`"
                + "x".repeat(4001) + "`}}}}", "/achievements/a/userAttributes/u", "at most 4000");
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
        assertEquals(List.of("/metrics/a b", "/points/xp/maxPoints", "/settings/controlRatio"),
                issues("{`settings`:{`controlRatio`:-1},`points`:{`xp`:{`maxPoints`:0}},`metrics`:{`a b`:{}}}").stream()
                        .map(Issue::path).toList());
    }

    /** A report that lists thousands of metrics in each of thousands of issues would not fit into memory. */
    @Test
    void shouldLimitNumberAndLengthOfIssues() {
        String metrics = IntStream.range(0, 3000).mapToObj(i -> "`metric-" + i + "`:{}")
                .collect(Collectors.joining(","));
        String streak = IntStream.range(0, 3000).mapToObj(i -> "`unknown-" + i + "`:1")
                .collect(Collectors.joining(","));

        List<Issue> issues = issues("{`metrics`:{" + metrics + "},`streak`:{`metrics`:{" + streak + "}}}");

        assertEquals(IssueList.MAX_ISSUES + 1, issues.size());
        assertEquals(new Issue("", "has more issues than these"), issues.getLast());
        assertTrue(issues.getFirst().message().length() < 1000, issues.getFirst().message());
    }

    @Test
    void shouldRefuseTooManyObjects() {
        String metrics = IntStream.range(0, 10_001).mapToObj(i -> "`m" + i + "`:{}").collect(Collectors.joining(","));

        assertOneIssue("{`metrics`:{" + metrics + "}}", "/metrics", "at most 10000");
    }

    private static void assertOneIssue(String source, String path, String words) {
        List<Issue> issues = issues(source);
        assertEquals(1, issues.size(), issues::toString);
        assertEquals(path, issues.getFirst().path());
        assertTrue(issues.getFirst().message().contains(words), issues.getFirst().message());
    }

    private static List<Issue> issues(String source) {
        return Sources.read(source.replace('`', '"')).issues();
    }
}
