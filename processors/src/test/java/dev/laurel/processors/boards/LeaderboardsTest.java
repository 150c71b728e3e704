package dev.laurel.processors.boards;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.RulesPublished;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.TeamScores;
import dev.laurel.core.leaderboard.PartitionLeaderboards.DayEnd;
import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.core.leaderboard.RunFigures.DayChanges;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.core.leaderboard.TeamRanking.TeamPart;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.topology.LeaderboardsDriver;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength;
import dev.laurel.schemas.ruleset.Leaderboard.TeamScore;
import dev.laurel.schemas.ruleset.Leaderboard.Teams;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The boards application on one partition. The test plays the partitions of the log. */
class LeaderboardsTest {

    private static final int ALL_TIME = 11;
    private static final int CITY = 12;
    private static final int DAILY = 13;
    private static final String ALWAYS = "2026-03-04T09:00:00Z";

    private static final LeaderboardGroup ALL = group(ALL_TIME, Runs.PERPETUAL);
    private static final LeaderboardGroup TURKU = group(CITY, Runs.PERPETUAL, "Turku");
    private static final LeaderboardGroup OULU = group(CITY, Runs.PERPETUAL, "Oulu");

    private final LedgerDriver.Published published = new LedgerDriver.Published();

    @AutoClose
    private LeaderboardsDriver boards;

    private static LeaderboardGroup group(int board, int run, String... values) {
        return new LeaderboardGroup(TenantId.NONE, board, run, List.of(values));
    }

    private static Leaderboard board(
            int number, String key, int max, LeaderboardStatus status, RunLength runs, String... attributes) {
        return new Leaderboard(
                number,
                UUID.nameUUIDFromBytes(key.getBytes(UTF_8)),
                key,
                key,
                null,
                status,
                new RankBy.MetricTotal("laps"),
                LocalDate.parse("2026-03-01"),
                null,
                null,
                null,
                max,
                List.of(attributes),
                runs,
                Instant.EPOCH,
                Instant.EPOCH,
                status == LeaderboardStatus.FINISHED ? Instant.parse(ALWAYS) : null,
                false,
                false,
                null);
    }

    private static Ruleset rules(long version, int max, LeaderboardStatus status) {
        Ruleset base = TestRulesets.first("metrics: {laps: {}}");
        return new Ruleset(
                TenantId.NONE,
                version,
                Instant.parse("2026-03-02T00:00:00Z").plusSeconds(version),
                20,
                base.metrics(),
                base.attributes(),
                base.achievements(),
                base.streak(),
                base.pointsSystems(),
                List.of(
                        board(ALL_TIME, "all-time", max, status, null),
                        board(CITY, "by-city", max, status, null, "city"),
                        board(DAILY, "daily", max, status, new RunLength(RunLength.RunUnit.DAY, 1))),
                base.settings(),
                base.webhooks(),
                base.notifications(),
                base.retired(),
                null,
                null);
    }

    /** A leaderboard of up to three participants. */
    private void start(int logPartitions) {
        boards = new LeaderboardsDriver(published, logPartitions);
        boards.publish(rules(1, 3, LeaderboardStatus.ACTIVE), 0);
    }

    private static Scored scored(LeaderboardGroup group, String user, String value, Score.Kind kind, String at) {
        long atMs = Instant.parse(at).toEpochMilli();
        return new Scored(
                TenantId.NONE,
                1,
                group.board(),
                group.run(),
                true,
                new UserId(user),
                null,
                Visibility.PUBLIC,
                group.values(),
                new BigDecimal(value),
                atMs,
                kind,
                atMs,
                false);
    }

    private static Scored scored(LeaderboardGroup group, String user, String value) {
        return scored(group, user, value, Score.Kind.CHANGED, ALWAYS);
    }

    /** Sends scores at successive offsets. @param scores users and values, such as "ann 30" */
    private void score(int partition, int offset, LeaderboardGroup group, String... scores) {
        for (int i = 0; i < scores.length; i++) {
            String[] score = scores[i].split(" ");
            boards.pipe(partition, offset + i, scored(group, score[0], score[1]));
        }
    }

    private void round(long offset, String at) {
        boards.clock(offset, at);
        boards.round();
    }

    /** The leaderboard's final results among the next effects. */
    private List<JsonNode> finished(String leaderboard) {
        return boards.effects().stream()
                .filter(e -> e.get("type").asString().equals("leaderboard.finished")
                        && e.get("leaderboardKey").asString().equals(leaderboard))
                .toList();
    }

    private static int day(String date) {
        return (int) LocalDate.parse(date).toEpochDay();
    }

    private static void assertPlace(JsonNode body, Integer previousRank, Integer rank) {
        assertEquals(
                previousRank,
                body.get("previousRank").isNull()
                        ? null
                        : body.get("previousRank").asInt());
        assertEquals(rank, body.get("rank").isNull() ? null : body.get("rank").asInt());
    }

    // Marks: records that change nothing, appended so that a task knows when it has read everything.

    @Test
    void shouldNotChangeForAMark() {
        start(1);
        boards.pipe(0, 1, scored(ALL, "ann", "30"));
        round(2, "2026-03-05T00:00:00Z");
        boards.effects();

        boards.pipe(
                ScoresCatchUpSource.MARK_ORIGIN.partition(),
                ScoresCatchUpSource.MARK_ORIGIN.offset(),
                ScoresCatchUpSource.MARK);
        boards.round();

        assertEquals(List.of(), boards.effects());
        boards.pipe(0, 3, scored(ALL, "bo", "40"));
        assertEquals(List.of("bo 40", "ann 30"), boards.ranking(ALL));
    }

    @Test
    void shouldAcceptAMarkAsTheFirstMessage() {
        boards = new LeaderboardsDriver(published, 2);
        boards.pipe(
                ScoresCatchUpSource.MARK_ORIGIN.partition(),
                ScoresCatchUpSource.MARK_ORIGIN.offset(),
                ScoresCatchUpSource.MARK);
        boards.round();

        boards.publish(rules(1, 3, LeaderboardStatus.ACTIVE), 0);
        boards.pipe(0, 1, scored(ALL, "ann", "30"));

        assertEquals(List.of("ann 30"), boards.ranking(ALL));
    }

    // Answers.

    @Test
    void shouldAnswerWithoutBodyForAUserWhoDoesNotParticipate() {
        start(1);
        score(0, 1, ALL, "u0 30", "u1 30", "u2 30");
        assertNull(boards.ask(0, 4, scored(ALL, "zoe", "30")).body());
        assertNull(boards.ask(0, 5, scored(ALL, "eve", "0", Score.Kind.SAME, ALWAYS))
                .body());
    }

    @Test
    void shouldAnswerARepeatedRecordAsBefore() {
        start(1);
        score(0, 1, ALL, "ann 30", "bob 20");
        Scored up = scored(ALL, "bob", "40");
        assertPlace(boards.ask(0, 3, up).body(), 2, 1);
        assertPlace(boards.ask(0, 3, up).body(), 2, 1);
        Scored out = scored(ALL, "bob", "-1");
        assertPlace(boards.ask(0, 4, out).body(), 1, null);
        assertPlace(boards.ask(0, 4, out).body(), 1, null);
        boards.effects();
        boards.pipe(0, 4, out);
        assertEquals(List.of(), boards.effects());
    }

    /** Moves a user from group to group, as the ledger does. @return the answer of the group that the user enters */
    private JsonNode move(int offset, LeaderboardGroup from, LeaderboardGroup to, String user, String value) {
        return boards.ask(0, offset, scored(from, user, "0"), scored(to, user, value))
                .body();
    }

    @Test
    void shouldAnswerAMoveBetweenGroupsWithTheRankInTheOldOne() {
        start(1);
        score(0, 1, TURKU, "ann 30", "bob 20");
        for (int i = 0; i < 2; i++) {
            JsonNode body = move(3, TURKU, OULU, "bob", "20");
            assertPlace(body, 2, 1);
            assertEquals("Oulu", body.get("breakdownAttributeValue").asString());
        }
        assertEquals(List.of("ann 30"), boards.ranking(TURKU));
        assertEquals(List.of("bob 20"), boards.ranking(OULU));
        assertEquals(List.of("Oulu"), boards.reads().groupOf(TenantId.NONE, CITY, Runs.PERPETUAL, new UserId("bob")));
        assertEquals(
                2,
                boards.reads().groups(TenantId.NONE, CITY, Runs.PERPETUAL, 10).size());
        assertEquals(
                1, boards.reads().groups(TenantId.NONE, CITY, Runs.PERPETUAL, 1).size());
    }

    @Test
    void shouldAnswerAMoveIntoAFullGroupWithTheRankInTheOldOne() {
        start(1);
        score(0, 1, TURKU, "ann 30", "bob 20");
        score(0, 3, OULU, "cid 30", "dan 30", "eve 30");

        assertPlace(move(6, TURKU, OULU, "bob", "20"), 2, null);
        assertPlace(move(7, TURKU, OULU, "bob", "31"), null, 1);
    }

    @Test
    void shouldKeepThatAUserHasChangedRankInAnotherGroup() {
        start(1);
        score(0, 1, TURKU, "ann 30", "bob 20", "bob 40");
        move(4, TURKU, OULU, "bob", "40");

        assertEquals(1, figures(OULU).changedRank());
        assertEquals(2, figures(OULU).participants());
        boards.forget(0, 5, "bob");
        assertEquals(0, figures(OULU).changedRank());
        assertEquals(changes("2026-03-04", 1), figures(OULU).rankChanges(), "of the past");
    }

    // Groups do not know of each other.

    @Test
    void shouldRankEachGroupByItsOwnScores() {
        start(1);
        boards.pipe(0, 1, scored(TURKU, "ann", "30"));
        assertPlace(boards.ask(0, 2, scored(OULU, "ann", "31")).body(), null, 1);
        assertEquals(List.of("ann 30"), boards.ranking(TURKU), "no other group knows that she left");

        assertPlace(boards.ask(0, 2, scored(TURKU, "ann", "0")).body(), 1, null);
        assertEquals(List.of(), boards.ranking(TURKU));
        assertEquals(List.of("ann 31"), boards.ranking(OULU));
    }

    @Test
    void shouldIgnoreAnOlderScoreOfAGroupThatTheUserHasLeft() {
        start(1);
        boards.pipe(0, 1, scored(TURKU, "ann", "30"));
        boards.pipe(0, 3, scored(TURKU, "ann", "0"));
        boards.effects();

        boards.pipe(0, 3, scored(TURKU, "ann", "0"));
        boards.pipe(0, 2, scored(TURKU, "ann", "31"));
        assertEquals(List.of(), boards.ranking(TURKU));
        assertEquals(List.of(), boards.effects());

        boards.pipe(0, 4, scored(TURKU, "ann", "32"));
        assertEquals(List.of("ann 32"), boards.ranking(TURKU));
    }

    // Entering and leaving.

    @Test
    void shouldEvictTheLowestAndWriteBothEffects() {
        start(1);
        score(0, 1, ALL, "ann 30", "bob 20", "cem 10");
        boards.effects();
        boards.pipe(0, 4, scored(ALL, "dot", "25"));
        assertEquals(List.of("ann 30", "dot 25", "bob 20"), boards.ranking(ALL));
        List<JsonNode> effects = boards.effects();
        assertEquals(2, effects.size());
        assertEquals("cem", effects.get(0).get("user").asString());
        assertEquals(3, effects.get(0).get("previousRank").asInt());
        assertTrue(effects.get(0).get("rank").isNull());
        assertEquals("dot", effects.get(1).get("user").asString());
        assertEquals(2, effects.get(1).get("rank").asInt());
        assertEquals("2026-03-04T09:00:00.000Z", effects.get(1).get("at").asString());
    }

    // Changes of rank.

    private RunFigures figures(LeaderboardGroup group) {
        return boards.reads().figures(TenantId.NONE, group.board(), group.run());
    }

    private static List<DayChanges> changes(String day, long count) {
        return List.of(new DayChanges(day(day), count));
    }

    @Test
    void shouldCountChangesOfRankOnceWhenARestartReadsScoresAgain() {
        start(2);
        boards.pipe(0, 1, scored(ALL, "ann", "30"));
        score(1, 1, ALL, "bob 20", "bob 40");
        boards.pipe(0, 2, scored(ALL, "ann", "50"));
        assertEquals(changes("2026-03-04", 2), figures(ALL).rankChanges());
        assertEquals(2, figures(ALL).changedRank());

        boards = boards.restarted();
        assertEquals(2, figures(ALL).changedRank(), "read from the store");
        boards.pipe(1, 2, scored(ALL, "bob", "40"));
        boards.pipe(0, 2, scored(ALL, "ann", "50"));
        assertEquals(changes("2026-03-04", 2), figures(ALL).rankChanges());
        boards.pipe(1, 3, scored(ALL, "bob", "60"));

        assertEquals(changes("2026-03-04", 3), figures(ALL).rankChanges());
        assertEquals(2, figures(ALL).changedRank(), "held in memory");
    }

    @Test
    void shouldCountAgainForAUserWhoHasLeftAndEnters() {
        start(1);
        score(0, 1, ALL, "ann 30", "bob 20", "bob 40", "bob -1", "bob 10");

        assertEquals(0, figures(ALL).changedRank());
        assertEquals(changes("2026-03-04", 1), figures(ALL).rankChanges());
    }

    @Test
    void shouldDeleteOldDaysWhenABlockOfDaysBegins() {
        start(1);
        score(0, 1, ALL, "ann 30", "bob 20");
        boards.pipe(0, 3, scored(ALL, "bob", "40", Score.Kind.CHANGED, "2026-03-04T09:00:00Z"));
        boards.pipe(0, 4, scored(ALL, "bob", "10", Score.Kind.CHANGED, "2027-03-04T09:00:00Z"));
        assertEquals(2, figures(ALL).rankChanges().size());

        // 1,096 days are kept.
        boards.pipe(0, 5, scored(ALL, "bob", "41", Score.Kind.CHANGED, "2029-05-04T09:00:00Z"));

        assertEquals(
                List.of(new DayChanges(day("2027-03-04"), 1), new DayChanges(day("2029-05-04"), 1)),
                figures(ALL).rankChanges());
    }

    @Test
    void shouldReadGroupsThatAreFinalOrNotInMemory() {
        start(1);
        LeaderboardGroup daily = group(DAILY, day("2026-03-04"));
        boards.clock(1, "2026-03-04T10:00:00Z");
        score(0, 2, daily, "ann 30", "bob 10", "bob 31");
        RunFigures before = figures(daily);
        assertFalse(before.isFinal());
        round(5, "2026-03-05T12:00:00Z");
        boards = boards.restarted();

        RunFigures after = figures(daily);

        assertTrue(after.isFinal());
        assertEquals(before.histogram(), after.histogram());
        assertEquals(2, after.participants());
        assertEquals(1, after.changedRank());
        assertEquals(changes("2026-03-04", 1), after.rankChanges());
        assertFalse(figures(group(DAILY, day("2026-03-07"))).isFinal(), "nobody takes part");
    }

    // Repeated and late scores.

    @Test
    void shouldIgnoreScoresOlderThanTheStoredOne() {
        start(2);
        boards.pipe(0, 5, scored(ALL, "ann", "30"));
        boards.pipe(1, 9, scored(ALL, "bob", "20"));
        boards.effects();
        assertPlace(boards.ask(0, 4, scored(ALL, "ann", "10")).body(), 1, 1);
        boards.pipe(0, 4, scored(ALL, "cem", "50"));
        assertEquals(List.of("ann 30", "bob 20"), boards.ranking(ALL));
        assertEquals(List.of(), boards.effects());
        boards.pipe(0, 5, scored(ALL, "cem", "50"));
        assertEquals(List.of("cem 50", "ann 30", "bob 20"), boards.ranking(ALL));
    }

    @Test
    void shouldReachTheSameStateWhenARestartReadsScoresAgain() {
        start(1);
        var all = List.of(
                scored(ALL, "ann", "30"),
                scored(ALL, "bob", "20"),
                scored(ALL, "cem", "10"),
                scored(ALL, "dot", "25"),
                scored(ALL, "ann", "0"),
                scored(ALL, "bob", "5"));
        for (int i = 0; i < all.size(); i++) {
            boards.pipe(0, 1 + i, all.get(i));
        }
        List<String> before = boards.ranking(ALL);
        assertEquals(List.of("dot 25", "cem 10", "bob 5"), before);
        boards = boards.restarted();
        assertEquals(before, boards.ranking(ALL));
        for (int i = 0; i < all.size(); i++) {
            boards.pipe(0, 1 + i, all.get(i));
        }
        assertEquals(before, boards.ranking(ALL));
        assertEquals(
                List.of(), boards.effects().stream().filter(e -> e.has("user")).toList());
    }

    @Test
    void shouldRestoreTheOffsetsAfterARestart() {
        start(1);
        boards.pipe(0, 5, scored(ALL, "ann", "30"));
        boards.round();
        boards = boards.restarted();
        boards.pipe(0, 4, scored(ALL, "cem", "50"));
        assertEquals(List.of("ann 30"), boards.ranking(ALL));
    }

    @Test
    void shouldFinishARunIfARestartFollowsItsEndAtOnce() {
        start(1);
        LeaderboardGroup fourth = group(DAILY, day("2026-03-04"));
        boards.pipe(0, 1, scored(fourth, "ann", "30"));
        boards.clock(2, "2026-03-05T12:00:00Z");
        // The committed offsets may already include the time, so that it is not read again.
        boards = boards.restarted();
        boards.round();

        assertEquals(1, finished("daily").size());
        assertNull(boards.ask(0, 3, scored(fourth, "cem", "90")).body());
    }

    @Test
    void shouldFinishByHandIfARestartFollowsTheRulesAtOnce() {
        start(2);
        boards.pipe(0, 1, scored(ALL, "ann", "30"));
        Ruleset finished = published.add(rules(2, 3, LeaderboardStatus.FINISHED));
        boards.pipe(0, 2, new RulesPublished(TenantId.NONE, finished.version()));
        boards.pipe(1, 1, new RulesPublished(TenantId.NONE, finished.version()));
        boards = boards.restarted();
        boards.round();

        assertEquals(1, finished("all-time").size());
    }

    /** Ranks u1 with 10, u2 with 20 and u3 with 30. */
    private void rankThree(LeaderboardGroup group) {
        for (int i = 1; i <= 3; i++) {
            boards.pipe(0, i, scored(group, "u" + i, "" + i * 10));
        }
    }

    @Test
    void shouldRemoveTheLowestIfARestartFollowsTheRulesAtOnce() {
        start(1);
        rankThree(OULU);
        boards.round();
        boards.effects();
        boards.publish(rules(2, 1, LeaderboardStatus.ACTIVE), 4);
        boards = boards.restarted();
        boards.round();

        assertEquals(List.of("u3 30"), boards.ranking(OULU));
        assertEquals(
                List.of("u1", "u2"),
                boards.effects().stream()
                        .filter(e -> e.has("user"))
                        .map(e -> e.get("user").asString())
                        .toList());
    }

    @Test
    void shouldAcceptNoUserInAFinalGroupAfterARestart() {
        start(1);
        LeaderboardGroup today = group(DAILY, day("2026-03-04"));
        boards.pipe(0, 1, scored(today, "ann", "30"));
        boards.clock(2, "2026-03-05T12:00:00Z");
        boards.pipe(0, 3, scored(today, "ann", "40"));
        boards = boards.restarted();
        boards.pipe(0, 1, scored(today, "cem", "50"));
        assertEquals(List.of("ann 30"), boards.ranking(today));
    }

    // Time.

    @Test
    void shouldNotMoveTimeBeforeEveryPartitionHasReportedIt() {
        start(2);
        boards.pipe(0, 1, scored(ALL, "ann", "30"));
        boards.pipe(0, 2, new ClockMoved(Instant.parse("2026-03-06T00:00:00Z").toEpochMilli()));
        boards.round();
        assertEquals(List.of(), boards.reads().dayEnds(ALL, new UserId("ann"), 10));
        boards.pipe(1, 2, new ClockMoved(Instant.parse("2026-03-05T00:00:00Z").toEpochMilli()));
        boards.round();
        assertEquals(
                List.of(new DayEnd(day("2026-03-04"), 1, new BigDecimal("30"))),
                boards.reads().dayEnds(ALL, new UserId("ann"), 10));
    }

    @Test
    void shouldNotDateTodaysChangeYesterdayWithTheFirstTime() {
        start(1);
        Scored ann = scored(ALL, "ann", "30");
        String today = Instant.ofEpochMilli(ann.changedMs()).toString().substring(0, 10);
        boards.pipe(0, 1, ann);

        round(2, today + "T23:59:00Z");
        assertEquals(List.of(), boards.reads().dayEnds(ALL, new UserId("ann"), 10));

        round(3, LocalDate.parse(today).plusDays(1) + "T00:00:00Z");
        assertEquals(
                List.of(new DayEnd(day(today), 1, new BigDecimal("30"))),
                boards.reads().dayEnds(ALL, new UserId("ann"), 10));
    }

    @Test
    void shouldRecordDifferentDayEndsAlsoOfFormerParticipantsAndAfterARestart() {
        start(1);
        boards.clock(1, "2026-03-04T00:00:00Z");
        score(0, 2, ALL, "ann 30", "bob 20");
        round(4, "2026-03-05T00:00:00Z");
        boards = boards.restarted();
        boards.clock(5, "2026-03-06T00:00:00Z");
        boards.pipe(0, 6, scored(ALL, "ann", "0"));
        boards = boards.restarted();
        boards.clock(7, "2026-03-09T00:00:00Z");
        boards.pipe(0, 8, scored(ALL, "bob", "21"));
        round(9, "2026-03-10T00:00:00Z");
        assertEquals(
                List.of(
                        new DayEnd(day("2026-03-04"), 1, new BigDecimal("30")),
                        new DayEnd(day("2026-03-06"), null, null)),
                boards.reads().dayEnds(ALL, new UserId("ann"), 10));
        assertEquals(
                List.of(
                        new DayEnd(day("2026-03-04"), 2, new BigDecimal("20")),
                        new DayEnd(day("2026-03-06"), 1, new BigDecimal("20")),
                        new DayEnd(day("2026-03-09"), 1, new BigDecimal("21"))),
                boards.reads().dayEnds(ALL, new UserId("bob"), 10));
        assertEquals(
                List.of(new DayEnd(day("2026-03-09"), 1, new BigDecimal("21"))),
                boards.reads().dayEnds(ALL, new UserId("bob"), 1));
        assertEquals(List.of(4, 6), datesOf("bob", "2026-03-05", "2026-03-08"), "and the one before");
        assertEquals(List.of(4, 6, 9), datesOf("bob", "2026-03-06", "2026-03-09"));
        assertEquals(List.of(9), datesOf("bob", "2026-03-10", "2026-12-31"));
        assertEquals(List.of(), datesOf("bob", "2026-01-01", "2026-03-03"));
    }

    /** The days of March with an entry of the user. */
    private List<Integer> datesOf(String user, String first, String last) {
        return boards.reads().dayEnds(ALL, new UserId(user), day(first), day(last)).stream()
                .map(end -> end.day() - day("2026-03-01") + 1)
                .toList();
    }

    @Test
    void shouldFindTheGroupsOfAUserInSomeRuns() {
        start(1);
        for (int day = 3; day <= 6; day++) {
            boards.pipe(0, day, scored(group(DAILY, day("2026-03-0" + day)), "ann", "30"));
        }
        boards.pipe(0, 7, scored(ALL, "ann", "30"));
        boards.pipe(0, 8, scored(group(DAILY, day("2026-03-04")), "an", "30"));
        boards.pipe(0, 9, scored(group(DAILY, day("2026-03-05")), "ann", "0"));
        boards.pipe(0, 10, scored(group(CITY, Runs.PERPETUAL, "Turku"), "ann", "4"));
        boards.round();

        assertEquals(
                List.of(group(DAILY, day("2026-03-04")), group(DAILY, day("2026-03-05"))),
                groupsOf(DAILY, day("2026-03-04"), day("2026-03-05"), 9),
                "also former groups");
        assertEquals(
                List.of(group(DAILY, day("2026-03-03"))), groupsOf(DAILY, day("2026-01-01"), day("2026-12-31"), 1));
        assertEquals(List.of(ALL), groupsOf(ALL.board(), Runs.PERPETUAL, Runs.PERPETUAL, 9));
        assertEquals(List.of(group(CITY, Runs.PERPETUAL, "Turku")), groupsOf(CITY, Runs.PERPETUAL, Runs.PERPETUAL, 9));
        assertEquals(List.of(), groupsOf(DAILY, day("2026-03-07"), day("2026-12-31"), 9));
    }

    private List<LeaderboardGroup> groupsOf(int board, int firstRun, int lastRun, int limit) {
        return boards.reads().groupsOf(TenantId.NONE, board, new UserId("ann"), firstRun, lastRun, limit);
    }

    @Test
    void shouldAnnounceTheNewestRunOnce() {
        start(1);
        round(1, "2026-03-04T09:59:59Z");
        List<String> keys = new ArrayList<>();
        boards.effects()
                .forEach(e -> keys.add(e.get("leaderboardKey").asString() + " "
                        + e.get("runStart").asString() + " " + e.get("at").asString()));
        assertEquals(
                List.of(
                        "all-time 2026-03-01 2026-02-28T10:00:00.000Z",
                        "by-city 2026-03-01 2026-02-28T10:00:00.000Z",
                        "daily 2026-03-04 2026-03-03T10:00:00.000Z"),
                keys);
        round(2, "2026-03-04T10:00:00Z");
        List<JsonNode> next = boards.effects();
        assertEquals(1, next.size());
        assertEquals("leaderboard.started", next.getFirst().get("type").asString());
        assertEquals("2026-03-05", next.getFirst().get("runStart").asString());
        boards = boards.restarted();
        round(3, "2026-03-04T12:00:00Z");
        assertEquals(List.of(), boards.effects());
    }

    /** The rules of hundreds of tenants would have to be read. */
    @Test
    void shouldNotReadTheRulesOfAllTenantsInOneStep() {
        start(1);
        round(1, "2026-03-04T10:00:00Z");
        int tenants = 250;
        for (int i = 0; i < tenants; i++) {
            boards.publish(of(new TenantId("tenant-" + i), rules(1, 3, LeaderboardStatus.ACTIVE)), 2);
        }
        while (boards.ask(
                        0,
                        3,
                        new ClockMoved(Instant.parse("2026-03-04T10:00:00Z").toEpochMilli()))
                .body()
                .get("more")
                .asBoolean()) {
            boards.effects();
        }
        boards.effects();

        var clock = new ClockMoved(Instant.parse("2026-03-05T10:00:00Z").toEpochMilli());
        assertTrue(boards.ask(0, 4, clock).body().get("more").asBoolean());
        assertEquals(200, started());
        while (boards.ask(0, 4, clock).body().get("more").asBoolean()) {
            assertTrue(started() <= 200);
        }
    }

    private static Ruleset of(TenantId tenant, Ruleset rules) {
        return new Ruleset(
                tenant,
                rules.version(),
                rules.published(),
                rules.nextNumber(),
                rules.metrics(),
                rules.attributes(),
                rules.achievements(),
                rules.streak(),
                rules.pointsSystems(),
                rules.leaderboards(),
                rules.settings(),
                rules.webhooks(),
                rules.notifications(),
                rules.retired(),
                null,
                null);
    }

    /** A step examines up to a thousand groups. */
    @Test
    void shouldGoThroughTheGroupsOfTheTenantWhoseRulesHaveChanged() {
        start(1);
        round(1, "2026-03-04T10:00:00Z");
        for (int i = 0; i < 1_200; i++) {
            boards.pipe(0, 2, scored(group(CITY, Runs.PERPETUAL, "city " + i), "u" + i, "5"));
        }
        var tenant = new TenantId("other");
        boards.publish(of(tenant, rules(1, 3, LeaderboardStatus.ACTIVE)), 3);
        var theirs = new LeaderboardGroup(tenant, ALL_TIME, Runs.PERPETUAL, List.of());
        long atMs = Instant.parse(ALWAYS).toEpochMilli();
        for (String user : List.of("ann", "bob")) {
            boards.pipe(
                    0,
                    4,
                    new Scored(
                            tenant,
                            1,
                            ALL_TIME,
                            Runs.PERPETUAL,
                            true,
                            new UserId(user),
                            null,
                            Visibility.PUBLIC,
                            List.of(),
                            new BigDecimal("5"),
                            atMs,
                            Score.Kind.CHANGED,
                            atMs,
                            false));
        }
        var clock = new ClockMoved(Instant.parse("2026-03-04T10:00:00Z").toEpochMilli());
        while (boards.ask(0, 5, clock).body().get("more").asBoolean()) {
            assertEquals(2, boards.ranking(theirs).size());
        }

        boards.publish(of(tenant, rules(2, 1, LeaderboardStatus.ACTIVE)), 6);
        assertFalse(boards.ask(0, 7, clock).body().get("more").asBoolean(), "one step is enough");
        assertEquals(1, boards.ranking(theirs).size());
    }

    private long started() {
        return boards.effects().stream()
                .filter(e -> e.get("type").asString().equals("leaderboard.started"))
                .count();
    }

    @Test
    void shouldKeyEffectsByTheLeaderboard() {
        start(1);
        boards.pipe(0, 1, scored(ALL, "ann", "30"));
        assertEquals(List.of("//all-time"), boards.effectKeys());
    }

    @Test
    void shouldFinishARunAtItsTimeAndAcceptNoMoreScores() {
        start(1);
        LeaderboardGroup fourth = group(DAILY, day("2026-03-04"));
        boards.clock(1, "2026-03-04T10:00:00Z");
        score(0, 2, fourth, "ann 30", "bob 20");
        boards.clock(4, "2026-03-05T11:59:59Z");
        boards.pipe(0, 5, scored(fourth, "bob", "40"));
        boards.effects();
        boards.clock(6, "2026-03-05T12:00:00Z");
        assertPlace(boards.ask(0, 7, scored(fourth, "ann", "90")).body(), 2, 2);
        assertNull(boards.ask(0, 8, scored(fourth, "cem", "90")).body());
        boards.round();
        assertEquals(List.of("bob 40", "ann 30"), boards.ranking(fourth));
        List<JsonNode> finished = boards.effects().stream()
                .filter(e -> e.get("type").asString().equals("leaderboard.finished"))
                .toList();
        assertEquals(1, finished.size());
        assertEquals("2026-03-05T12:00:00.000Z", finished.getFirst().get("at").asString());
        assertEquals(
                "bob", finished.getFirst().get("rankings").get(0).get("userId").asString());
        assertEquals(
                List.of(
                        new DayEnd(day("2026-03-04"), 2, new BigDecimal("20")),
                        new DayEnd(day("2026-03-05"), 1, new BigDecimal("40"))),
                boards.reads().dayEnds(fourth, new UserId("bob"), 10));
        assertEquals(List.of(List.of()), boards.reads().groups(TenantId.NONE, DAILY, day("2026-03-04"), 10));
        boards = boards.restarted();
        boards.pipe(0, 9, scored(fourth, "ann", "90"));
        assertEquals(List.of("bob 40", "ann 30"), boards.ranking(fourth));
    }

    @Test
    void shouldFinishByHandOnlyWhenAllPartitionsOfTheLogHaveTheRules() {
        start(2);
        boards.pipe(0, 1, scored(ALL, "ann", "30"));
        Ruleset finished = published.add(rules(2, 3, LeaderboardStatus.FINISHED));
        boards.pipe(0, 2, new RulesPublished(TenantId.NONE, finished.version()));
        boards.pipe(1, 3, scored(ALL, "bob", "40"));
        assertEquals(List.of("bob 40", "ann 30"), boards.ranking(ALL));
        boards.pipe(1, 4, new RulesPublished(TenantId.NONE, finished.version()));
        boards.effects();
        boards.pipe(1, 5, scored(ALL, "bob", "10"));
        boards.round();
        assertEquals(List.of("bob 40", "ann 30"), boards.ranking(ALL));
        assertEquals(1, finished("all-time").size());
    }

    @Test
    void shouldContinueIfTheEndWasChangedWhileInactive() {
        start(1);
        boards.publish(endingOn("2026-03-05", 2, LeaderboardStatus.ACTIVE), 1);
        boards.pipe(0, 2, scored(ALL, "ann", "30"));
        boards.publish(endingOn("2026-03-05", 3, LeaderboardStatus.INACTIVE), 3);
        round(4, "2026-03-08T00:00:00Z");
        boards.effects();
        boards.publish(endingOn("2026-03-20", 4, LeaderboardStatus.ACTIVE), 5);
        boards.round();

        assertPlace(boards.ask(0, 6, scored(ALL, "ann", "40")).body(), 1, 1);
        assertEquals(List.of("ann 40"), boards.ranking(ALL));
        round(7, "2026-03-21T12:00:00Z");
        assertEquals(
                List.of("2026-03-21T12:00:00.000Z"),
                boards.effects().stream()
                        .filter(e -> e.get("type").asString().equals("leaderboard.finished"))
                        .map(e -> e.get("at").asString())
                        .toList());
    }

    @Test
    void shouldKeepARunFinalIfItsEndChangesAtTheSameMoment() {
        start(1);
        boards.publish(endingOn("2026-03-05", 2, LeaderboardStatus.ACTIVE), 1);
        boards.pipe(0, 2, scored(ALL, "ann", "30"));
        round(3, "2026-03-06T12:00:00Z");
        boards.publish(endingOn("2026-03-20", 3, LeaderboardStatus.ACTIVE), 4);

        assertPlace(boards.ask(0, 5, scored(ALL, "ann", "40")).body(), 1, 1);
        assertNull(boards.ask(0, 6, scored(ALL, "bob", "40")).body());
        assertEquals(List.of("ann 30"), boards.ranking(ALL));
    }

    /** The first leaderboard alone, with an end. */
    private static Ruleset endingOn(String end, long version, LeaderboardStatus status) {
        Ruleset rules = rules(version, 3, status);
        Leaderboard b = rules.leaderboards().getFirst();
        var ending = new Leaderboard(
                b.number(),
                b.id(),
                b.key(),
                b.name(),
                b.description(),
                b.status(),
                b.rankBy(),
                b.start(),
                LocalDate.parse(end),
                b.startTime(),
                b.endTime(),
                b.maxParticipants(),
                b.breakdownAttributes(),
                b.runs(),
                b.created(),
                b.activated(),
                b.finished(),
                false,
                b.spreadGroups(),
                b.teams());
        return new Ruleset(
                rules.tenant(),
                rules.version(),
                rules.published(),
                rules.nextNumber(),
                rules.metrics(),
                rules.attributes(),
                rules.achievements(),
                rules.streak(),
                rules.pointsSystems(),
                List.of(ending),
                rules.settings(),
                rules.webhooks(),
                rules.notifications(),
                rules.retired(),
                null,
                null);
    }

    @Test
    void shouldRemoveTheLowestWhenFewerMayParticipateAndTakeThemBackWhenMoreMay() {
        start(1);
        rankThree(ALL);
        boards.round();
        boards.effects();
        boards.publish(rules(2, 1, LeaderboardStatus.ACTIVE), 4);
        boards.round();
        assertEquals(List.of("u3 30"), boards.ranking(ALL));
        assertEquals(
                List.of("u1", "u2"),
                boards.effects().stream().map(e -> e.get("user").asString()).toList());
        boards.publish(rules(3, 2, LeaderboardStatus.ACTIVE), 5);
        boards.round();
        assertEquals(List.of("u3 30", "u2 20"), boards.ranking(ALL));
        assertEquals(
                List.of("u2"),
                boards.effects().stream().map(e -> e.get("user").asString()).toList());
    }

    @Test
    void shouldAnswerWhetherWorkIsLeft() {
        start(1);
        round(1, "2026-03-04T10:00:00Z");
        int groups = 450;
        for (int i = 0; i < groups; i++) {
            boards.pipe(0, 2, scored(group(CITY, Runs.PERPETUAL, "city " + i), "u" + i, "5"));
        }
        var clock = new ClockMoved(Instant.parse("2026-03-05T00:00:00Z").toEpochMilli());
        var answers = new ArrayList<Boolean>();
        do {
            LeaderboardsDriver.Part part = boards.ask(0, 3, clock);
            assertEquals("0", part.name());
            answers.add(part.body().get("more").asBoolean());
        } while (answers.getLast() && answers.size() < 10);
        assertEquals(List.of(true, true, false), answers);
        for (int i = 0; i < groups; i++) {
            assertEquals(
                    1,
                    boards.reads()
                            .dayEnds(group(CITY, Runs.PERPETUAL, "city " + i), new UserId("u" + i), 5)
                            .size());
        }
    }

    @Test
    void shouldNotBringUpManyLargeGroupsInOneStep() {
        boards = new LeaderboardsDriver(published, 1);
        boards.publish(rules(1, 1_000, LeaderboardStatus.ACTIVE), 0);
        round(1, "2026-03-04T10:00:00Z");
        for (int i = 0; i < 6_000; i++) {
            boards.pipe(0, 2, scored(group(CITY, Runs.PERPETUAL, "city " + i % 6), "u" + i, "5"));
        }
        var clock = new ClockMoved(Instant.parse("2026-03-05T00:00:00Z").toEpochMilli());

        assertTrue(boards.ask(0, 3, clock).body().get("more").asBoolean());
        assertFalse(boards.ask(0, 3, clock).body().get("more").asBoolean());
    }

    // Memory and erasure.

    @Test
    void shouldKeepALimitedNumberInMemoryAndReadOthersFromTheStore() {
        boards = new LeaderboardsDriver(published, 1, 10);
        boards.publish(rules(1, 3, LeaderboardStatus.ACTIVE), 0);
        for (int i = 0; i < 20; i++) {
            boards.pipe(0, 1, scored(group(CITY, Runs.PERPETUAL, "city " + i), "u" + i, "5"));
        }
        LeaderboardGroup first = group(CITY, Runs.PERPETUAL, "city 0");
        assertNull(boards.views().find(0, first));
        assertNotNull(boards.views().find(0, group(CITY, Runs.PERPETUAL, "city 19")));
        assertEquals(List.of("u0 5"), boards.ranking(first));
        boards.pipe(0, 2, scored(first, "ann", "9"));
        assertEquals(List.of("ann 9", "u0 5"), boards.ranking(first));
    }

    @Test
    void shouldKeepUsedGroupsInMemoryWhenAUserOfManyRunsIsForgotten() {
        boards = new LeaderboardsDriver(published, 1, 10);
        boards.publish(rules(1, 3, LeaderboardStatus.ACTIVE), 0);
        for (int i = 0; i < 20; i++) {
            boards.pipe(0, 1, scored(group(CITY, Runs.PERPETUAL, "city " + i), "ann", "5"));
            boards.pipe(0, 1, scored(group(DAILY, day("2026-03-04") + i), "ann", "5"));
        }
        boards.pipe(0, 2, scored(ALL, "bob", "5"));
        boards.forget(0, 3, "ann");

        assertNotNull(boards.views().find(0, ALL));
        assertEquals(0, boards.entriesWith(StoreNames.LEADERBOARD_ENTRIES, "ann"));
    }

    @Test
    void shouldShowNothingFromMemoryAfterThePartitionIsClosed() {
        start(1);
        boards.pipe(0, 1, scored(ALL, "ann", "30"));
        assertNotNull(boards.views().find(0, ALL));
        LeaderboardsDriver next = boards.restarted();
        assertNull(boards.views().find(0, ALL));
        boards = next;
    }

    @Test
    void shouldForgetAUserEverywhere() {
        start(1);
        LeaderboardGroup fourth = group(DAILY, day("2026-03-04"));
        boards.clock(1, "2026-03-04T10:00:00Z");
        boards.pipe(0, 2, scored(fourth, "ann-x", "30"));
        boards.pipe(0, 3, scored(TURKU, "ann-x", "30"));
        boards.pipe(0, 4, scored(ALL, "ann-x", "30"));
        boards.pipe(0, 4, scored(ALL, "bob", "20"));
        round(5, "2026-03-06T00:00:00Z");
        boards.pipe(0, 6, scored(OULU, "ann-x", "30"));
        round(7, "2026-03-07T00:00:00Z");
        assertEquals(List.of("ann-x 30"), boards.ranking(fourth));
        boards.effects();
        boards = boards.restarted();
        boards.forget(0, 8, "ann-x");
        assertEquals(List.of("bob 20"), boards.ranking(ALL));
        assertEquals(List.of(), boards.ranking(fourth));
        assertEquals(List.of(), boards.ranking(OULU));
        for (String store :
                List.of(StoreNames.LEADERBOARD_ENTRIES, StoreNames.LEADERBOARD_DAYS, StoreNames.LEADERBOARD_RUNS)) {
            assertEquals(0, boards.entriesWith(store, "ann-x"), store);
        }
        round(9, "2026-03-08T00:00:00Z");
        assertEquals(0, boards.entriesWith(StoreNames.LEADERBOARD_DAYS, "ann-x"));
        assertEquals(
                1, boards.reads().dayEnds(ALL, new UserId("bob"), 1).getFirst().rank());
    }

    // Teams.

    private static final int CLUBS = 14;
    private static final LeaderboardGroup CLUB = group(CLUBS, Runs.PERPETUAL);

    private static LeaderboardGroup team(String name) {
        return Records.with(CLUB, "values", List.of(name));
    }

    private void startTeams(Teams teams) {
        boards = new LeaderboardsDriver(published, 2);
        Ruleset rules = rules(1, 3, LeaderboardStatus.ACTIVE);
        boards.publish(
                Records.with(
                        rules,
                        "leaderboards",
                        List.of(Records.with(
                                board(CLUBS, "clubs", 3, LeaderboardStatus.ACTIVE, null), "teams", teams))),
                0);
    }

    private static TeamScores.Team part(String team, long changes, int members, String sum, long changedMs) {
        return new TeamScores.Team(1, team(team), new TeamPart(changes, members, new BigDecimal(sum), changedMs));
    }

    private static TeamScores parts(TeamScores.Team... parts) {
        return new TeamScores(List.of(parts), List.of());
    }

    private String teams() {
        return boards.reads().teams(CLUB).bestFirst().stream()
                .map(team -> team.name() + " " + team.members() + " " + team.value())
                .collect(Collectors.joining(", "));
    }

    @Test
    void shouldAddUpThePartsOfPartitions() {
        startTeams(new Teams("club", TeamScore.SUM, null, 1));
        boards.pipe(0, 1, parts(part("Otters", 1, 1, "5", 10), part("Seals", 2, 1, "7", 20)));
        boards.pipe(1, 1, parts(part("Otters", 7, 2, "3.5", 30)));
        assertEquals("Otters 3 8.5, Seals 1 7", teams());

        boards.pipe(1, 1, parts(part("Otters", 6, 2, "9", 40)));
        assertEquals("Otters 3 8.5, Seals 1 7", teams(), "an earlier state of the same command");
        boards.pipe(1, 0, parts(part("Otters", 9, 2, "9", 40)));
        assertEquals("Otters 3 8.5, Seals 1 7", teams(), "an earlier command");

        boards = boards.restarted();
        assertEquals("Otters 3 8.5, Seals 1 7", teams());
        boards.pipe(1, 2, parts(part("Otters", 8, 0, "0", 50)));
        assertEquals("Seals 1 7, Otters 1 5", teams());
    }

    @Test
    void shouldAnswerWithTheRankOfTheTeamAfterTheChange() {
        startTeams(new Teams("club", TeamScore.MAX, null, 2));
        LeaderboardGroup otters = team("Otters");
        JsonNode alone = boards.ask(
                        0,
                        1,
                        new TeamScores(List.of(part("Otters", 1, 1, "5", 10)), List.of(scored(otters, "ann", "5"))))
                .body();
        assertEquals("Otters", alone.get("team").asString());
        assertTrue(alone.get("teamRank").isNull() && alone.get("teamValue").isNull());
        JsonNode both = boards.ask(
                        0,
                        2,
                        new TeamScores(List.of(part("Otters", 2, 2, "11", 20)), List.of(scored(otters, "bea", "6"))))
                .body();
        assertEquals(1, both.get("teamRank").asInt());
        assertEquals(6, both.get("teamValue").asInt());
        assertEquals(List.of(), List.copyOf(both.get("breakdownAttributes").values()));
        assertNull(both.get("breakdownAttributeValues"));
    }

    @Test
    void shouldRankAgainWhenThereAreNoLongerTooManyTeams() {
        startTeams(new Teams("club", TeamScore.SUM, null, 1));
        for (int team = 0; team <= TeamRanking.MAX_TEAMS; team++) {
            boards.pipe(0, 1, parts(part("t" + team, 1, 1, Integer.toString(team + 1), 10)));
        }
        assertTrue(boards.reads().teams(CLUB).areTooMany());
        boards = boards.restarted();
        assertTrue(boards.reads().teams(CLUB).areTooMany(), "read from the store");
        JsonNode body = boards.ask(
                        0,
                        2,
                        new TeamScores(List.of(part("t5", 2, 1, "9", 10)), List.of(scored(team("t5"), "ann", "9"))))
                .body();
        assertEquals("t5", body.get("team").asString());
        assertTrue(body.get("teamRank").isNull());

        boards.pipe(0, 3, parts(part("t5", 3, 0, "0", 10)));
        TeamRanking ranking = boards.reads().teams(CLUB);
        assertEquals(TeamRanking.MAX_TEAMS, ranking.bestFirst().size());
        assertEquals(1, ranking.rankOf("t" + TeamRanking.MAX_TEAMS));
    }

    @Test
    void shouldKeepTheTeamsThatAreDroppedFromMemory() {
        boards = new LeaderboardsDriver(published, 1, 3);
        boards.publish(
                Records.with(
                        rules(1, 3, LeaderboardStatus.ACTIVE),
                        "leaderboards",
                        List.of(
                                Records.with(
                                        board(CLUBS, "clubs", 3, LeaderboardStatus.ACTIVE, null),
                                        "teams",
                                        new Teams("club", TeamScore.SUM, null, 1)),
                                board(ALL_TIME, "all-time", 3, LeaderboardStatus.ACTIVE, null))),
                0);
        boards.pipe(0, 1, parts(part("Otters", 1, 1, "5", 10), part("Seals", 2, 1, "7", 20)));
        score(0, 2, ALL, "ann 1", "bea 2", "cid 3");
        boards.pipe(0, 9, parts(part("Otters", 2, 2, "8", 30)));
        score(0, 10, ALL, "ann 4", "bea 5", "cid 6");
        assertEquals("Otters 2 8, Seals 1 7", teams());
    }
}
