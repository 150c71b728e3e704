package dev.laurel.schemas.ruleset.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Sources;
import dev.laurel.schemas.ruleset.edit.RulesetEditor.Result;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaderboardEditorTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final Instant LATER = Instant.parse("2026-03-04T13:00:00Z");
    private static final Instant IN_APRIL = Instant.parse("2026-04-15T12:00:00Z");
    private static final Ruleset EMPTY = Ruleset.empty(new TenantId("acme"));

    private static final String LAPS = "`rankBy`:`metric`,`metric`:`laps`";
    private static final String FULL = LAPS + ",`status`:`active`,`start`:`2026-03-01`,`end`:`2026-03-31`,"
            + "`startTime`:`06:00`,`endTime`:`21:00:30`,`breakdownAttributes`:[`city`,`plan`],`runUnit`:`day`,"
            + "`runInterval`:7,`maxParticipants`:10,`name`:`Lanes`,`description`:`Who swims most.`";

    @Test
    void shouldBuildTheWholeLeaderboard() {
        Leaderboard board = board(changed(EMPTY, FULL, NOON));

        assertEquals(
                new Leaderboard(
                        board.number(),
                        board.id(),
                        "b",
                        "Lanes",
                        "Who swims most.",
                        LeaderboardStatus.ACTIVE,
                        new RankBy.MetricTotal("laps"),
                        LocalDate.of(2026, 3, 1),
                        LocalDate.of(2026, 3, 31),
                        LocalTime.of(6, 0),
                        LocalTime.of(21, 0, 30),
                        10,
                        List.of("city", "plan"),
                        new RunLength(RunLength.RunUnit.DAY, 7),
                        NOON,
                        NOON,
                        null,
                        false,
                        false,
                        null),
                board);
    }

    @Test
    void shouldFillInDefaults() {
        Leaderboard board = board(changed(EMPTY, "`rankBy`:`streak`", Instant.parse("2026-03-04T23:59:59Z")));

        assertEquals("b", board.name());
        assertNull(board.description());
        assertEquals(LeaderboardStatus.INACTIVE, board.status());
        assertEquals(LocalDate.of(2026, 3, 4), board.start());
        assertNull(board.end());
        assertEquals(1000, board.maxParticipants());
        assertEquals(List.of(), board.breakdownAttributes());
        assertNull(board.runs());
        assertNull(board.activated());
    }

    @Test
    void shouldReadRankingByPointsAndStreak() {
        assertEquals(
                new RankBy.PointsTotal("gems"),
                board(changed(EMPTY, "`rankBy`:`points`,`pointsSystem`:`gems`", NOON))
                        .rankBy());
        assertEquals(
                new RankBy.StreakLength(),
                board(changed(EMPTY, "`rankBy`:`streak`", NOON)).rankBy());
    }

    @Test
    void shouldKeepDefaultStartOnLaterEdits() {
        Ruleset first = changed(EMPTY, LAPS, NOON);

        assertInstanceOf(Result.Unchanged.class, edit(first, LAPS, IN_APRIL));
        assertEquals(
                LocalDate.of(2026, 3, 4),
                board(changed(first, LAPS + ",`name`:`x`", IN_APRIL)).start());
    }

    @Test
    void shouldFindNoChangeInOtherSpellingOfTime() {
        Ruleset first = changed(EMPTY, FULL, NOON);

        assertInstanceOf(Result.Unchanged.class, edit(first, FULL.replace("`06:00`", "`06:00:00`"), LATER));
    }

    @Test
    void shouldReadBackFromTheLog() {
        Ruleset first = changed(EMPTY, FULL, NOON);

        assertEquals(first, Json.read(Json.write(first), Ruleset.class));
    }

    // Creation.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "`status`:`inactive`,`start`:`2020-01-01`",
                "`status`:`inactive`,`start`:`2030-01-01`",
                "`status`:`scheduled`,`start`:`2026-03-05`",
                "`status`:`active`",
                "`status`:`active`,`start`:`2026-03-04`",
                "`status`:`active`,`start`:`2020-01-01`,`end`:`2020-01-01`",
                "`status`:`finished`,`start`:`2026-01-01`,`end`:`2026-03-03`"
            })
    void shouldCreateInStatusThatDatesAllow(String fields) {
        Leaderboard board = board(changed(EMPTY, LAPS + "," + fields, NOON));

        boolean isOpen = board.status() == LeaderboardStatus.ACTIVE || board.status() == LeaderboardStatus.SCHEDULED;
        assertEquals(isOpen ? NOON : null, board.activated());
        assertNull(board.finished());
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "LeaderboardEditorTest.shouldRefuseToCreateWithInconsistentDates.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldRefuseToCreateWithInconsistentDates(String fields, String field, String words) {
        assertRefused(EMPTY, LAPS + "," + fields, NOON, field, words);
    }

    // Transitions.

    @ParameterizedTest
    @CsvFileSource(
            resources = "LeaderboardEditorTest.shouldAllowTransitions.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldAllowTransitions(String before, String after, LeaderboardStatus status) {
        Ruleset first = changed(EMPTY, LAPS + "," + before, NOON);
        Leaderboard board = board(changed(first, LAPS + "," + after, LATER));

        assertEquals(status, board.status());
        assertEquals(status == LeaderboardStatus.FINISHED ? LATER : null, board.finished());
        boolean wasOpen = board(first).activated() != null;
        assertEquals(status == LeaderboardStatus.INACTIVE ? null : wasOpen ? NOON : LATER, board.activated());
        assertEquals(board(first).number(), board.number());
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "LeaderboardEditorTest.shouldRefuseTransitions.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldRefuseTransitions(String before, String after, String words) {
        assertRefused(changed(EMPTY, LAPS + "," + before, NOON), LAPS + "," + after, LATER, "status", words);
    }

    @Test
    void shouldKeepScoresWhenReactivatedWithSameRules() {
        Ruleset active = changed(EMPTY, LAPS + ",`status`:`active`", NOON);
        Ruleset inactive = changed(active, LAPS, LATER);

        assertEquals(
                board(active).number(),
                board(changed(inactive, LAPS + ",`status`:`active`", IN_APRIL)).number());
        assertEquals(
                IN_APRIL,
                board(changed(inactive, LAPS + ",`status`:`active`", IN_APRIL)).activated());
    }

    // Automatic transitions.

    /** A leaderboard scheduled for 5 March is active in April; the document may state either status. */
    @ParameterizedTest
    @ValueSource(strings = {"scheduled", "active"})
    void shouldTreatStartedLeaderboardAsActive(String said) {
        String fields = LAPS + ",`status`:`scheduled`,`start`:`2026-03-05`";
        Ruleset first = changed(EMPTY, fields, NOON);
        String again = fields.replace("scheduled", said);

        assertSame(
                first,
                assertInstanceOf(Result.Unchanged.class, edit(first, again, IN_APRIL))
                        .ruleset());
        assertRefused(
                first,
                again.replace("03-05", "05-05"),
                IN_APRIL,
                "start",
                "must stay 2026-03-05 for one that is active");
        Leaderboard finished = board(changed(first, fields.replace("scheduled", "finished"), IN_APRIL));
        assertEquals(LeaderboardStatus.FINISHED, finished.status());
        assertEquals(IN_APRIL, finished.finished());
        assertEquals(NOON, finished.activated());
    }

    /** At UTC+14, 5 March begins at 10:00 UTC on 4 March; for operators, it begins at midnight UTC. */
    @Test
    void shouldStartBeforeUtcDateBegins() {
        String fields = LAPS + ",`status`:`scheduled`,`start`:`2026-03-05`";
        Ruleset first = changed(EMPTY, fields, Instant.parse("2026-03-03T12:00:00Z"));

        assertEquals(LeaderboardStatus.ACTIVE, board(first).statusAt(NOON));
        assertInstanceOf(Result.Unchanged.class, edit(first, fields.replace("scheduled", "active"), NOON));
        assertEquals(
                "scheduled",
                RulesetSource.of(first, NOON)
                        .content()
                        .part("leaderboards")
                        .part("b")
                        .text("status"));
        assertEquals(
                "active",
                RulesetSource.of(first, IN_APRIL)
                        .content()
                        .part("leaderboards")
                        .part("b")
                        .text("status"));
    }

    @ParameterizedTest
    @CsvSource({"active,active", "active,finished", "scheduled,scheduled", "scheduled,active", "scheduled,finished"})
    void shouldAcceptEarlierStatusOfFinishedLeaderboard(String written, String said) {
        String start = written.equals("active") ? "2026-03-01" : "2026-03-05";
        String fields = LAPS + ",`start`:`" + start + "`,`end`:`2026-03-31`,`status`:";
        Ruleset first = changed(EMPTY, fields + "`" + written + "`", NOON);

        assertInstanceOf(Result.Unchanged.class, edit(first, fields + "`" + said + "`", IN_APRIL));
        assertRefused(first, fields + "`inactive`", IN_APRIL, "status", "must be finished for one that is finished");
        assertRefused(
                first,
                (fields + "`" + said + "`").replace("`2026-03-31`", "`2026-05-31`"),
                IN_APRIL,
                "end",
                "must stay 2026-03-31 for one that is finished");
    }

    // Fields.

    @ParameterizedTest
    @CsvFileSource(
            resources = "LeaderboardEditorTest.shouldRefuseToChangeRulesOfActiveLeaderboard.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldRefuseToChangeRulesOfActiveLeaderboard(String before, String after, String field, String words) {
        Ruleset first = changed(EMPTY, FULL, NOON);

        assertRefused(first, FULL.replace(before, after == null ? "" : after), LATER, field, words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "`maxParticipants`:10|`maxParticipants`:5",
                "`Lanes`|`Other lanes`",
                "`Who swims most.`|`Who swam most.`",
                "`end`:`2026-03-31`|`end`:`2026-03-04`",
                "`end`:`2026-03-31`|`end`:null",
                "`end`:`2026-03-31`|`end`:`2027-03-31`"
            })
    void shouldChangeOtherFieldsOfActiveLeaderboard(String before, String after) {
        Ruleset first = changed(EMPTY, FULL, NOON);
        Leaderboard next = board(changed(first, FULL.replace(before, after), LATER));

        assertNotEquals(board(first), next);
        assertEquals(board(first).number(), next.number());
        assertEquals(NOON, next.activated());
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "LeaderboardEditorTest.shouldStartScoresAnewWhenRulesChange.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldStartScoresAnewWhenRulesChange(String before, String after) {
        String inactive = FULL.replace("`active`", "`inactive`");
        Ruleset first = changed(EMPTY, inactive, NOON);
        Ruleset second = changed(first, inactive.replace(before, after == null ? "" : after), LATER);

        assertEquals(first.nextNumber(), board(second).number());
        assertEquals(board(first).id(), board(second).id());
        assertEquals(NOON, board(second).created());
    }

    /** A leaderboard without times and runs ranks the whole total, whenever the user gathered it. */
    @Test
    void shouldKeepScoresWhenStartOfWholeTotalsChanges() {
        Ruleset first = changed(EMPTY, LAPS + ",`start`:`2026-03-01`", NOON);

        assertEquals(
                board(first).number(),
                board(changed(first, LAPS + ",`start`:`2026-02-01`", LATER)).number());
    }

    @Test
    void shouldStartScoresAnewWhenStartOfWindowChanges() {
        String fields = LAPS + ",`endTime`:`12:00`,`start`:`2026-03-01`";
        Ruleset first = changed(EMPTY, fields, NOON);

        assertNotEquals(
                board(first).number(),
                board(changed(first, fields.replace("03-01", "02-01"), LATER)).number());
    }

    @Test
    void shouldStartScoresAnewWhenLeaderboardIsRevived() {
        Ruleset first = changed(EMPTY, LAPS, NOON);
        Ruleset without = assertInstanceOf(Result.Changed.class, RulesetEditor.apply(first, Sources.read("{}"), LATER))
                .ruleset();
        Leaderboard back = board(changed(without, LAPS, IN_APRIL));

        assertTrue(without.retired().stream()
                .anyMatch(r -> r.kind().equals("leaderboard") && r.key().equals("b")));
        assertEquals(without.nextNumber(), back.number());
        assertEquals(board(first).id(), back.id());
        assertEquals(NOON, back.created());
        assertEquals(LocalDate.of(2026, 4, 15), back.start());
    }

    // Export.

    /** The leaderboard has no end and is finished by hand; the export gives the day of finishing as its end. */
    @Test
    void shouldKeepFinishedLeaderboard() {
        Ruleset active = changed(EMPTY, LAPS + ",`status`:`active`,`start`:`2026-03-01`", NOON);
        Ruleset finished = changed(active, LAPS + ",`status`:`finished`", LATER);

        RulesetSource exported = RulesetSource.of(finished, IN_APRIL);

        assertEquals(
                "2026-03-04", exported.content().part("leaderboards").part("b").get("end"));
        var edit = exported;
        assertInstanceOf(Result.Unchanged.class, RulesetEditor.apply(finished, edit, IN_APRIL));
        Ruleset elsewhere = assertInstanceOf(
                        Result.Changed.class, RulesetEditor.apply(Ruleset.empty(TenantId.NONE), edit, IN_APRIL))
                .ruleset();
        assertEquals(LeaderboardStatus.FINISHED, board(elsewhere).status());
        assertEquals(exported, RulesetSource.of(elsewhere, IN_APRIL));
    }

    @Test
    void shouldExportStartedLeaderboardAsActive() {
        Ruleset here = changed(EMPTY, LAPS + ",`status`:`scheduled`,`start`:`2026-03-05`", NOON);
        var edit = RulesetSource.of(here, IN_APRIL);

        assertInstanceOf(Result.Unchanged.class, RulesetEditor.apply(here, edit, IN_APRIL));
        assertEquals(
                LeaderboardStatus.ACTIVE,
                board(assertInstanceOf(
                                        Result.Changed.class,
                                        RulesetEditor.apply(Ruleset.empty(TenantId.NONE), edit, IN_APRIL))
                                .ruleset())
                        .status());
    }

    // Limits.

    @Test
    void shouldRefuseMoreThanHundredUnfinishedLeaderboards() {
        assertInstanceOf(Result.Changed.class, editMany(100, "`status`:`active`"));
        var refused = assertInstanceOf(Result.Invalid.class, editMany(101, "`status`:`inactive`"));
        assertEquals(
                List.of(new Issue(
                        "/leaderboards",
                        "must have at most 100 entries that are not finished; has 101: finish or remove leaderboards"
                                + " that are not needed")),
                refused.issues());
        assertInstanceOf(
                Result.Changed.class, editMany(101, "`status`:`active`,`start`:`2026-01-01`,`end`:`2026-01-01`"));
    }

    private static Result editMany(int count, String fields) {
        String boards = IntStream.range(0, count)
                .mapToObj(i -> "`b" + i + "`:{`rankBy`:`streak`," + fields + "}")
                .collect(Collectors.joining(","));
        return RulesetEditor.apply(EMPTY, Sources.read(("{`leaderboards`:{" + boards + "}}").replace('`', '"')), NOON);
    }

    private static void assertRefused(Ruleset current, String fields, Instant now, String field, String words) {
        List<Issue> issues = assertInstanceOf(Result.Invalid.class, edit(current, fields, now))
                .issues();

        assertEquals(
                List.of("/leaderboards/b/" + field),
                issues.stream().map(Issue::path).distinct().toList(),
                issues::toString);
        assertTrue(issues.getFirst().message().contains(words), issues::toString);
    }

    private static Ruleset changed(Ruleset current, String fields, Instant now) {
        return assertInstanceOf(Result.Changed.class, edit(current, fields, now))
                .ruleset();
    }

    private static Result edit(Ruleset current, String fields, Instant now) {
        String source = "{`metrics`:{`laps`:{},`dives`:{}},`attributes`:{`user`:{`city`:{},`plan`:{},`team`:{}}},"
                + "`points`:{`gems`:{}},`leaderboards`:{`b`:{" + fields + "}}}";
        return RulesetEditor.apply(current, Sources.read(source.replace('`', '"')), now);
    }

    private static Leaderboard board(Ruleset ruleset) {
        return ruleset.leaderboards().getFirst();
    }
}
