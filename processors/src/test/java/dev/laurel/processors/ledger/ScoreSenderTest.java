package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.TestRulesets;
import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.leaderboard.LeaderboardFloors;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserForgotten;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.leaderboard.Score.Kind;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LeaderboardLayout.ScoreKey;
import dev.laurel.processors.stream.TaskTrace;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scores that are sent, and their fields. The user's partition of the log is 3, the command's offset 50. */
class ScoreSenderTest {

    private static final UserKey ANN = UserKey.of("ann");
    private static final CommandContext AT = new CommandContext(ANN, 1_000, 3, 50, 0);
    private static final CommandContext EARLY = new CommandContext(ANN, 900, 3, 1, 0);
    private static final Origin HERE = new Origin(3, 50);
    private static final long CLOCK_MS = 800;
    private static final ReplyTo ASKED = new ReplyTo(5, new UUID(1, 2));
    private static final long RULES = 9;
    private static final List<String> TURKU = List.of("Turku");
    private static final List<String> OULU = List.of("Oulu");
    private static final LeaderboardRules BOARD =
            new LeaderboardRules(TestLeaderboard.ofMetric(7, "laps").build());
    private static final LeaderboardRules CITIES =
            new LeaderboardRules(TestLeaderboard.ofMetric(8, "laps").by("city").build());
    private static final LeaderboardRules SPREAD = new LeaderboardRules(
            TestLeaderboard.ofMetric(9, "laps").by("city").spread().build());
    private static final LeaderboardLayout LAYOUT = new LeaderboardLayout(4);
    private static final UserState USER = newUser(null);

    private final MockProcessorContext<Object, Object> context = new MockProcessorContext<>(new Properties());
    private final Said said = new Said();
    private final ScoreSender sender = new ScoreSender(
            new ScoreForwarder(context, new TaskTrace(), "scores", "replies"),
            said,
            LAYOUT,
            0,
            () -> false,
            _ -> false);

    @BeforeEach
    void begin() {
        sender.send(List.of(unchanged("1", -1, Kind.SAME)), USER, RULES, EARLY, null);
    }

    /** The floors and offsets that the leaderboards have published, for the user's partition of the log. */
    private static final class Said implements LeaderboardFloors {

        private final Map<LeaderboardGroup, BigDecimal> floors = new HashMap<>();
        private final Map<Integer, Long> heard = new HashMap<>();

        Said floor(LeaderboardRules board, List<String> group, String floor, long processedTo) {
            var id = new LeaderboardGroup(TenantId.NONE, board.number(), 0, group);
            floors.put(id, new BigDecimal(floor));
            heard.put(LAYOUT.partitionOf(id, board), processedTo);
            return this;
        }

        @Override
        public BigDecimal floorOf(LeaderboardGroup group) {
            return floors.get(group);
        }

        @Override
        public long processedTo(int boardPartition, int logPartition) {
            return logPartition == AT.partition() ? heard.getOrDefault(boardPartition, -1L) : Long.MAX_VALUE;
        }
    }

    private static UserState newUser(String name) {
        var rules = new CompiledRuleset(TestRulesets.first("metrics: {laps: {}}"));
        var mention = UserChange.mention(ANN.user());
        var identify = new IdentifyUser(name == null ? mention : mention.withName(name), false);
        return ((Outcome.Applied) UserEngine.apply(null, rules, identify, AT, null)).state();
    }

    private static Score score(
            LeaderboardRules board,
            List<String> formerGroup,
            List<String> group,
            String before,
            String value,
            long formerOffset,
            Kind kind) {
        return new Score(
                board,
                0,
                true,
                group,
                formerGroup,
                new BigDecimal(before),
                new BigDecimal(value),
                900,
                formerOffset,
                kind);
    }

    private static Score changed(String before, String value, long formerOffset) {
        return score(BOARD, List.of(), List.of(), before, value, formerOffset, Kind.CHANGED);
    }

    private static Score unchanged(String value, long formerOffset, Kind kind) {
        return score(BOARD, List.of(), List.of(), value, value, formerOffset, kind);
    }

    private static Score moved(List<String> from, List<String> to, String before, String value, long formerOffset) {
        return score(CITIES, from, to, before, value, formerOffset, Kind.CHANGED);
    }

    private boolean travels(Score score, ReplyTo replyTo) {
        context.resetForwards();
        sender.send(List.of(score), USER, RULES, AT, replyTo);
        return !context.forwarded().isEmpty();
    }

    private boolean travels(Score score) {
        return travels(score, null);
    }

    private LeaderboardCodecs.Sent sent(int number) {
        return LeaderboardCodecs.MESSAGE.decode(
                (byte[]) context.forwarded().get(number).record().value());
    }

    private ReplyTo asked(int number) {
        return ReplyHeaders.read(context.forwarded().get(number).record().headers());
    }

    @Test
    void shouldSendAllFieldsOfAScore() {
        sender.send(List.of(changed("1", "2.5", -1)), USER, RULES, AT, null);

        var forwarded = context.forwarded().getFirst();
        assertEquals("scores", forwarded.childName().orElseThrow());
        assertEquals(new ScoreKey(TenantId.NONE, 7, 0), forwarded.record().key());
        assertEquals(1_000, forwarded.record().timestamp());
        assertEquals(new Origin(3, 50), sent(0).origin());
        assertEquals(
                new Scored(
                        TenantId.NONE,
                        RULES,
                        7,
                        0,
                        true,
                        ANN.user(),
                        null,
                        List.of(),
                        new BigDecimal("2.5"),
                        900,
                        Kind.CHANGED,
                        1_000,
                        false),
                sent(0).message());
        assertNull(asked(0));
    }

    private void assertSentToGroup(int number, List<String> group, String value, ReplyTo replyTo) {
        var scored = (Scored) sent(number).message();
        assertEquals(group, scored.group());
        assertEquals(new BigDecimal(value), scored.value());
        assertTrue(scored.isSpread());
        assertEquals(replyTo, asked(number));
        assertEquals(
                LAYOUT.partitionOf(new LeaderboardGroup(TenantId.NONE, 9, 0, group), SPREAD),
                LAYOUT.partitionOf(
                        (ScoreKey) context.forwarded().get(number).record().key()));
    }

    @Test
    void shouldSendAMoveToBothGroupsOfASpreadLeaderboard() {
        context.resetForwards();
        assertEquals(
                List.of("board-9"),
                sender.send(List.of(score(SPREAD, TURKU, OULU, "2", "3", 10, Kind.CHANGED)), USER, RULES, AT, ASKED));

        assertEquals(2, context.forwarded().size());
        assertSentToGroup(0, TURKU, "0", null);
        assertSentToGroup(1, OULU, "3", ASKED);
    }

    @Test
    void shouldAskTheFormerGroupOfASpreadLeaderboardIfThereIsNoOther() {
        context.resetForwards();
        assertEquals(
                List.of("board-9"),
                sender.send(List.of(score(SPREAD, TURKU, null, "2", "2", 10, Kind.CHANGED)), USER, RULES, AT, ASKED));

        assertEquals(1, context.forwarded().size());
        assertSentToGroup(0, TURKU, "0", ASKED);
    }

    @Test
    void shouldJudgeEachGroupOfASpreadLeaderboardByItsOwnFloor() {
        said.floor(SPREAD, TURKU, "10", 40).floor(SPREAD, OULU, "10", 40);
        assertFalse(travels(score(SPREAD, TURKU, OULU, "2", "3", 10, Kind.CHANGED)));
        said.floor(SPREAD, OULU, "2", 40);

        assertTrue(travels(score(SPREAD, TURKU, OULU, "2", "3", 10, Kind.CHANGED)));
        assertEquals(1, context.forwarded().size());
        assertSentToGroup(0, OULU, "3", null);
    }

    @Test
    void shouldSendMoreScoresBelowFloorsForWaitingClients() {
        said.floor(BOARD, List.of(), "10", 40);
        var withSpare = new ScoreSender(
                new ScoreForwarder(context, new TaskTrace(), "scores", "replies"),
                said,
                LAYOUT,
                1,
                () -> false,
                _ -> false);
        withSpare.send(List.of(unchanged("1", -1, Kind.SAME)), USER, RULES, EARLY, null);

        for (int round = 0; round < 2; round++) {
            context.resetForwards();
            for (int i = 0; i < 2 * ScoreSender.AWAITED_FACTOR; i++) {
                withSpare.send(List.of(changed("1", "2", 39)), USER, RULES, other(i), null);
            }
            assertEquals(1, context.forwarded().size());
            for (int i = 0; i < 2 * ScoreSender.AWAITED_FACTOR; i++) {
                withSpare.send(List.of(changed("1", "2", 39)), USER, RULES, other(100 + i), ASKED);
            }
            assertEquals(1 + ScoreSender.AWAITED_FACTOR, context.forwarded().size());
            withSpare.judge(new Origin(3, 50), 0);
        }
    }

    private static CommandContext other(int number) {
        return new CommandContext(UserKey.of("user-" + number), 1_000, 3, 50, 0);
    }

    @Test
    void shouldSendTheUsersName() {
        sender.send(List.of(changed("1", "2", -1)), newUser("Ann A."), RULES, AT, null);

        assertEquals("Ann A.", ((Scored) sent(0).message()).name());
    }

    @ParameterizedTest
    @CsvSource({
        // The floor is 10; the leaderboards have published offset 40.
        "0, 10, -1, false", "0, 10.1, -1, true", "3, 4, 39, false", "3, 4, 40, true", "3, 4, 41, true",
        "3, 11, 39, true", "10, 9, 39, true", "11, 2, 39, true", "9.9, -5, 39, false", "9.9, -5, 40, true",
        "0, -5, 40, false", "-1, 0, 40, false"
    })
    void shouldNotSendAValueBelowTheFloorBeforeAndAfter(
            String before, String value, long formerOffset, boolean travels) {
        said.floor(BOARD, List.of(), "10", 40);

        assertEquals(travels, travels(changed(before, value, formerOffset)));
        assertEquals(travels, travels(changed(before, value, formerOffset), ASKED), "whoever waits");
    }

    @ParameterizedTest
    @CsvSource({"0, 5, 39, false", "0, 5, 40, true", "-2, 5, 41, true", "-2, 5, 39, false"})
    void shouldSendAValueThatMayFillARankThatTheUserHasJustLeft(
            String before, String value, long formerOffset, boolean travels) {
        said.floor(BOARD, List.of(), "10", 40);

        assertEquals(travels, travels(changed(before, value, formerOffset)));
    }

    @Test
    void shouldSendAUserWhoReturnsToAGroupThatMayNotKnowOfTheLeaving() {
        said.floor(CITIES, TURKU, "10", 40);

        assertTrue(travels(moved(null, TURKU, "5", "5", 40)));
        assertFalse(travels(moved(null, TURKU, "5", "5", 39)));
    }

    @ParameterizedTest
    @CsvSource({"0, 0.1, -1, true", "5, 6, 20, true", "5, -1, 20, true", "0, -1, 20, false", "-3, 0, 20, false"})
    void shouldSendEveryPositiveValueWithoutAFloor(String before, String value, long formerOffset, boolean travels) {
        assertEquals(travels, travels(changed(before, value, formerOffset)));
    }

    @Test
    void shouldSendUntilOffsetsOfTheUsersPartitionArePublished() {
        said.floors.put(new LeaderboardGroup(TenantId.NONE, 7, 0, List.of()), BigDecimal.TEN);

        assertTrue(travels(changed("1", "2", 0)));
    }

    @Test
    void shouldSendUnchangedScoresOnlyIfAClientWaits() {
        assertFalse(travels(unchanged("5", 20, Kind.SAME)));
        assertTrue(travels(unchanged("5", 20, Kind.SAME), ASKED));
    }

    @ParameterizedTest
    @CsvSource({"9.9, 39, false", "9.9, 40, true", "10, 39, true", "0, 40, false"})
    void shouldCompareUnchangedValuesWithTheFloor(String value, long formerOffset, boolean travels) {
        said.floor(BOARD, List.of(), "10", 40);

        assertEquals(travels, travels(unchanged(value, formerOffset, Kind.SAME), ASKED));
        assertEquals(travels, travels(unchanged(value, formerOffset, Kind.RENAMED)));
    }

    @Test
    void shouldSendANewNameUnlessTheUserCannotParticipate() {
        assertTrue(travels(unchanged("5", 20, Kind.RENAMED)));
    }

    @ParameterizedTest
    @CsvSource({
        // The floor of Turku is 10, that of Oulu 4; the published offset is 40.
        "3, 3, 39, false",
        "3, 5, 39, true",
        "9, 4, 39, false",
        "10, 4, 39, true",
        "9, 4, 40, true"
    })
    void shouldCompareAMoveWithTheFloorsOfBothGroups(String before, String value, long formerOffset, boolean travels) {
        said.floor(CITIES, TURKU, "10", 40).floor(CITIES, OULU, "4", 40);

        assertEquals(travels, travels(moved(TURKU, OULU, before, value, formerOffset)));
    }

    @Test
    void shouldSendThatAUserLeavesAllGroupsUnlessThereWasNone() {
        assertTrue(travels(moved(TURKU, null, "5", "5", 20)));
        assertEquals(TURKU, ((Scored) sent(0).message()).group());
        assertEquals(BigDecimal.ZERO, ((Scored) sent(0).message()).value());
        assertTrue(travels(moved(null, TURKU, "5", "5", 20)));
        said.floor(CITIES, TURKU, "10", 60);
        assertFalse(travels(moved(TURKU, null, "5", "5", 20)));
    }

    @Test
    void shouldNameTheLeaderboardsThatAnswerInTheirOrder() {
        said.floor(CITIES, TURKU, "10", 40);
        var third = new LeaderboardRules(TestLeaderboard.ofMetric(2, "laps").build());
        List<String> awaited = sender.send(
                List.of(
                        changed("1", "2", -1),
                        moved(TURKU, TURKU, "1", "2", 20),
                        score(third, List.of(), List.of(), "1", "1", 20, Kind.SAME)),
                USER,
                RULES,
                AT,
                ASKED);

        assertEquals(List.of("board-7", "board-8", "board-2"), awaited);
        assertEquals(2, context.forwarded().size(), "the second is held back");
        assertEquals(ASKED, asked(0));
        assertEquals(ASKED, asked(1));
    }

    @Test
    void shouldAwaitTheCurrentRunOnly() {
        var late = new Score(
                BOARD, -5, false, List.of(), List.of(), BigDecimal.ONE, BigDecimal.TWO, 900, 20, Kind.CHANGED);
        List<String> awaited = sender.send(List.of(unchanged("5", 20, Kind.SAME), late), USER, RULES, AT, ASKED);

        assertEquals(List.of("board-7"), awaited);
        assertEquals(ASKED, asked(0));
        assertNull(asked(1), "an older run is brought up to date, and answers nobody");
    }

    @Test
    void shouldAwaitNoAnswersWithoutAClient() {
        assertEquals(List.of(), sender.send(List.of(changed("1", "2", -1)), USER, RULES, AT, null));
        assertEquals(List.of(), sender.send(List.of(), USER, RULES, AT, ASKED));
    }

    @Test
    void shouldSendMarkersWithoutAKey() {
        LeaderboardMessage message = new ClockMoved(4_000);
        sender.sendAll(message, new Origin(3, 51), 4_001, ASKED);

        var record = context.forwarded().getFirst().record();
        assertNull(record.key());
        assertEquals(4_001, record.timestamp());
        assertEquals(new LeaderboardCodecs.Sent(new Origin(3, 51), message), sent(0));
        assertEquals(ASKED, asked(0));
        assertEquals(List.of("0", "1", "2", "3"), sender.partitions());
    }

    @Test
    void shouldKnowNoFloorsUntilTheScoresOfTheFormerTaskHaveArrived() {
        var revived = new ScoreSender(
                new ScoreForwarder(context, new TaskTrace(), "scores", "replies"),
                said,
                LAYOUT,
                0,
                () -> false,
                _ -> false);
        said.floor(BOARD, List.of(), "10", 49);
        assertEquals(
                1,
                messagesOf(() -> revived.send(List.of(changed("1", "2", 20)), USER, RULES, AT, null))
                        .size());

        said.floor(BOARD, List.of(), "10", 50);
        assertEquals(
                0,
                messagesOf(() -> revived.send(List.of(changed("1", "2", 20)), USER, RULES, AT, null))
                        .size());
    }

    @Test
    void shouldSendSomeScoresBelowTheFloorInEachRound() {
        var generous = new ScoreSender(
                new ScoreForwarder(context, new TaskTrace(), "scores", "replies"),
                said,
                LAYOUT,
                1,
                () -> false,
                _ -> false);
        generous.send(List.of(unchanged("1", -1, Kind.SAME)), USER, RULES, EARLY, null);
        said.floor(BOARD, List.of(), "10", 40);
        assertEquals(
                1,
                messagesOf(() -> generous.send(List.of(changed("1", "2", 20)), USER, RULES, AT, null))
                        .size());
        assertEquals(
                0,
                messagesOf(() -> generous.send(List.of(changed("1", "3", 20)), USER, RULES, AT, null))
                        .size());

        said.floor(BOARD, List.of(), "10", 50);
        generous.judge(HERE, CLOCK_MS);
        assertEquals(
                1,
                messagesOf(() -> generous.send(List.of(changed("1", "4", 20)), USER, RULES, AT, null))
                        .size());
    }

    @Test
    void shouldAnswerWhenFloorsArePublishedAfterTheScore() {
        said.floor(BOARD, List.of(), "10", 40);
        assertEquals(List.of("board-7"), sender.send(List.of(changed("1", "2", 20)), USER, RULES, AT, ASKED));

        var marks = messagesOf(() -> sender.judge(HERE, CLOCK_MS));
        assertEquals(1, marks.size());
        assertEquals(new ScoreKey(TenantId.NONE, 7, 0), marks.getFirst().key());
        assertEquals(new LeaderboardCodecs.Sent(HERE, new ClockMoved(CLOCK_MS)), sent(0));
        assertEquals(0, messagesOf(() -> sender.judge(HERE, CLOCK_MS)).size(), "one mark is enough");

        said.floor(BOARD, List.of(), "9", 50);
        context.resetForwards();
        sender.judge(HERE, CLOCK_MS);
        var answer = context.forwarded().getFirst();
        assertEquals("replies", answer.childName().orElseThrow());
        assertEquals(ASKED.partition(), answer.record().key());
        assertEquals(ASKED.requestId(), ReplyHeaders.requestId(answer.record().headers()));
        assertEquals("board-7", ReplyHeaders.part(answer.record().headers()));
        assertEquals(0, ((byte[]) answer.record().value()).length);
        assertEquals(0, messagesOf(() -> sender.judge(HERE, CLOCK_MS)).size());
    }

    @Test
    void shouldSendWhatIsAboveAFloorThatHasFallen() {
        said.floor(BOARD, List.of(), "10", 40);
        sender.send(List.of(changed("1", "2", 20)), USER, RULES, AT, ASKED);
        said.floor(BOARD, List.of(), "1.5", 50);

        assertEquals(1, messagesOf(() -> sender.judge(HERE, CLOCK_MS)).size());
        assertEquals(HERE, sent(0).origin());
        assertEquals(new BigDecimal("2"), ((Scored) sent(0).message()).value());
        assertEquals(ASKED, asked(0));
    }

    @Test
    void shouldCompareLaterScoresOfThePartitionWithAFallThatItHasSent() {
        said.floor(BOARD, List.of(), "10", 60);
        assertTrue(travels(changed("11", "3", 20)));
        said.floor(BOARD, List.of(), "10", 45);
        assertTrue(travels(changed("1", "3.1", 20)), "above the fallen value");
        assertFalse(travels(changed("1", "3", 20)));

        said.floor(BOARD, List.of(), "10", 51);
        assertFalse(travels(changed("1", "3.1", 20)), "the floor includes the fall");
    }

    @Test
    void shouldLowerAFloorFromBeforeAFallThatArrivesAfterIt() {
        said.floor(BOARD, List.of(), "3", 45);
        assertTrue(travels(changed("11", "3", 20)));

        said.floor(BOARD, List.of(), "10", 48);
        assertTrue(travels(changed("1", "3.1", 20)));
    }

    @Test
    void shouldSendHeldScoresBeforeAFallInTheSamePartition() {
        said.floor(BOARD, List.of(), "10", 49);
        sender.send(List.of(changed("1", "4", 20)), USER, RULES, AT, null);

        context.resetForwards();
        var bea = new CommandContext(UserKey.of("bea"), 1_100, 3, 51, 0);
        sender.send(List.of(changed("11", "3", 20)), USER, RULES, bea, null);
        assertEquals(2, context.forwarded().size());
        assertEquals(ANN.user(), ((Scored) sent(0).message()).user());
        assertEquals(bea.user().user(), ((Scored) sent(1).message()).user());
    }

    @Test
    void shouldSendHeldScoresBeforeAFallThatATaskWithoutFloorsTakesForOneOfAParticipant() {
        said.floor(BOARD, List.of(), "10", 49);
        sender.send(List.of(changed("1", "4", 20)), USER, RULES, AT, null);

        var bea = new CommandContext(UserKey.of("bea"), 1_100, 3, 51, 0);
        assertEquals(
                1,
                messagesOf(() -> sender.send(List.of(changed("9", "3", 20)), USER, RULES, bea, null))
                        .size(),
                "bea is no participant, so her own score does not matter");
        assertEquals(ANN.user(), ((Scored) sent(0).message()).user());
        var cleo = new CommandContext(UserKey.of("cleo"), 1_100, 3, 52, 0);
        assertEquals(
                0,
                messagesOf(() -> sender.send(List.of(changed("1", "3.5", 20)), USER, RULES, cleo, null))
                        .size(),
                "the floor did not fall to her value");
    }

    @Test
    void shouldSendAScoreThatTheSameCommandHasHeldInThePlaceOfTheCommand() {
        said.floor(BOARD, List.of(), "10", 49);
        var bea = new CommandContext(UserKey.of("bea"), 1_000, 3, 50, 0);
        sender.send(List.of(changed("1", "4", 20)), USER, RULES, AT, null);

        assertEquals(
                2,
                messagesOf(() -> sender.send(List.of(changed("11", "3", 20)), USER, RULES, bea, null))
                        .size());
        assertEquals(HERE, sent(0).origin());
        assertEquals(HERE, sent(1).origin());
    }

    @Test
    void shouldJudgeAgainWhatItSentWhileAFormerTaskMayHaveGotFurther() {
        var repeating = new ScoreSender(
                new ScoreForwarder(context, new TaskTrace(), "scores", "replies"),
                said,
                LAYOUT,
                0,
                () -> false,
                offset -> offset < 60);
        repeating.send(List.of(unchanged("1", -1, Kind.SAME)), USER, RULES, EARLY, null);
        said.floor(BOARD, List.of(), "10", 60);
        assertEquals(
                1,
                messagesOf(() -> repeating.send(List.of(changed("1", "4", 20)), USER, RULES, AT, null))
                        .size(),
                "the leaderboard may ignore this");
        assertEquals(
                0,
                messagesOf(() -> repeating.judge(new Origin(3, 59), CLOCK_MS)).size());

        // The leaderboard reads what comes from here on. Its floor may be from before that.
        var now = new Origin(3, 60);
        assertEquals(1, messagesOf(() -> repeating.judge(now, CLOCK_MS)).size());
        assertEquals(now, sent(0).origin());
        assertEquals(new BigDecimal("4"), ((Scored) sent(0).message()).value());
    }

    @Test
    void shouldSendHeldScoresBeforeAMarkerUnlessTheUserIsErased() {
        said.floor(BOARD, List.of(), "10", 40);
        sender.send(List.of(changed("1", "4", 20)), USER, RULES, AT, null);
        assertEquals(
                2,
                messagesOf(() -> sender.sendAll(new ClockMoved(4_000), HERE, 4_001, null))
                        .size());
        assertEquals(new ClockMoved(4_000), sent(1).message());

        said.floor(BOARD, List.of(), "10", 60);
        sender.send(List.of(changed("1", "4", 20)), USER, RULES, AT, null);
        var forgotten = new UserForgotten(TenantId.NONE, ANN.user());
        assertEquals(
                1,
                messagesOf(() -> sender.sendAll(forgotten, HERE, 4_001, null)).size());
        assertEquals(forgotten, sent(0).message());
    }

    private List<Record<?, ?>> messagesOf(Runnable action) {
        context.resetForwards();
        action.run();
        var records = new ArrayList<Record<?, ?>>();
        context.forwarded().forEach(forwarded -> records.add(forwarded.record()));
        return records;
    }

    @Test
    void shouldWriteKeysAsNumberAndTenant() {
        assertArrayEquals(new byte[] {0, 0, 1, 2, 'a', 'c'}, new ScoreKey(new TenantId("ac"), 258, 0).bytes());
        assertArrayEquals(new byte[] {0, 0, 0, 7}, new ScoreKey(TenantId.NONE, 7, 0).bytes());
    }
}
