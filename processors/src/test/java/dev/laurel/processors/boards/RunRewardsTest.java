package dev.laurel.processors.boards;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.GenerationBegan;
import dev.laurel.core.leaderboard.LeaderboardMessage.RulesPublished;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.topology.LeaderboardsDriver;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.schemas.command.Command.RunFinished;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.RulesetHeader;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that leaderboards with daily runs append to the log when a run becomes final. */
class RunRewardsTest {

    private static final int BOARD = 11;
    private static final int FOURTH = (int) LocalDate.parse("2026-03-04").toEpochDay();
    private static final String FINAL = "2026-03-05T12:00:00Z";

    private static final String ACHIEVEMENT =
            "achievements: {won: {trigger: leaderboard, leaderboard: board-11, rankTo: 2}}";
    private static final String TRIGGER =
            "points: {xp: {triggers: {top: {type: leaderboard, leaderboard: board-11, rankFrom: 3, rankTo: 3, points: 5}}}}";

    /** A generation that is not in force yet. */
    private static final OutputWindow TO_COME = new OutputWindow.Constant(
            new OutputWindow.OffsetRange(OutputWindow.NEVER, OutputWindow.NEVER),
            true,
            _ -> OutputWindow.Handover.BEGIN);

    private final LedgerDriver.Published published = new LedgerDriver.Published();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private static Ruleset rules(String rewards, String... by) {
        return TestLeaderboard.on(
                TestLeaderboard.first("metrics: {laps: {}}\nleaderboards: {board-11: {rankBy: metric, metric: laps},"
                        + " board-12: {rankBy: metric, metric: laps}}\n" + rewards),
                1,
                Instant.EPOCH,
                TestLeaderboard.ofMetric(BOARD, "laps")
                        .from("2026-03-01")
                        .every(1, RunUnit.DAY)
                        .by(by));
    }

    private LeaderboardsDriver boards(Ruleset rules, OutputWindow window) {
        var boards = new LeaderboardsDriver(published, 1, window);
        opened.add(boards);
        published.add(rules);
        boards.pipe(0, 0, new RulesPublished(TenantId.NONE, 1));
        boards.clock(1, "2026-03-04T01:00:00Z");
        return boards;
    }

    private static Scored scored(String user, String value, String... group) {
        long atMs = Instant.parse("2026-03-04T09:00:00Z").toEpochMilli();
        return new Scored(
                TenantId.NONE,
                1,
                BOARD,
                FOURTH,
                true,
                new UserId(user),
                null,
                Visibility.PUBLIC,
                List.of(group),
                new BigDecimal(value),
                atMs,
                Score.Kind.CHANGED,
                atMs,
                false);
    }

    private LeaderboardsDriver played(String rewards, OutputWindow window) {
        LeaderboardsDriver boards = boards(rules(rewards), window);
        boards.pipe(0, 2, scored("ann", "10"), scored("bob", "40"), scored("cid", "30"), scored("dan", "20"));
        boards.round();
        assertEquals(List.of(), boards.commands());
        boards.clock(3, FINAL);
        boards.round();
        return boards;
    }

    /** The commands since the last call, such as {@code bob 1 of 4}. */
    private static List<String> rewarded(LeaderboardsDriver boards) {
        return boards.commands().stream()
                .map(record -> new String(record.key(), UTF_8) + " "
                        + of(record).rank() + " of " + of(record).participants())
                .toList();
    }

    private static RunFinished of(Logged record) {
        try {
            return (RunFinished) CommandJson.read(record.value());
        } catch (BadInputException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldAppendACommandForEachRewardedRankAtTheEndOfTheRun() {
        List<Logged> commands =
                played(ACHIEVEMENT + "\n" + TRIGGER, OutputWindow.EVERYTHING).commands();

        assertEquals(
                List.of("bob", "cid", "dan"),
                commands.stream().map(c -> new String(c.key(), UTF_8)).toList());
        for (int i = 0; i < commands.size(); i++) {
            RunFinished command = of(commands.get(i));
            assertEquals(
                    new String(commands.get(i).key(), UTF_8),
                    command.user().id().value());
            assertEquals(BOARD, command.leaderboard());
            assertEquals(FOURTH, command.run());
            assertEquals(i + 1, command.rank());
            assertEquals(4, command.participants());
            assertEquals(Instant.parse(FINAL), commands.get(i).at());
            assertEquals(1, RulesetHeader.read(commands.get(i).headers()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "achievements: {won: {trigger: leaderboard, leaderboard: board-11, rankTo: 2, status: inactive}}",
                "achievements: {won: {trigger: leaderboard, leaderboard: board-11, rankTo: 2, status: locked}}",
                "achievements: {won: {trigger: api}}"
            })
    void shouldAppendNothingThatIsNotRewarded(String rewards) {
        assertEquals(List.of(), rewarded(played(rewards, OutputWindow.EVERYTHING)));
    }

    @Test
    void shouldAppendNothingForAnotherLeaderboard() {
        String other = ACHIEVEMENT.replace("board-11", "board-12");

        assertEquals(List.of(), rewarded(played(other, OutputWindow.EVERYTHING)));
    }

    @Test
    void shouldRewardTheRanksOfEachGroup() {
        LeaderboardsDriver boards =
                boards(rules("attributes: {user: {city: {}}}\n" + ACHIEVEMENT, "city"), OutputWindow.EVERYTHING);
        boards.pipe(0, 2, scored("ann", "1", "Oulu"), scored("bob", "4", "Turku"), scored("cid", "3", "Turku"));
        boards.pipe(0, 3, scored("dan", "2", "Turku"));
        boards.clock(4, FINAL);
        boards.round();

        assertEquals(List.of("ann 1 of 1", "bob 1 of 3", "cid 2 of 3"), rewarded(boards));
    }

    @Test
    void shouldAppendCommandsOfARunOnce() {
        LeaderboardsDriver boards = played(ACHIEVEMENT, OutputWindow.EVERYTHING);
        assertEquals(List.of("bob 1 of 4", "cid 2 of 4"), rewarded(boards));

        boards.pipe(0, 4, scored("eve", "90"));
        boards.clock(5, "2026-03-07T12:00:00Z");
        boards.round();
        assertEquals(List.of(), rewarded(boards));
    }

    @Test
    void shouldAppendThemAgainIfTheEndWasNotStored() {
        LeaderboardsDriver boards = boards(rules(ACHIEVEMENT), OutputWindow.EVERYTHING);
        boards.pipe(0, 2, scored("ann", "10"), scored("bob", "40"));
        boards.round();
        LeaderboardsDriver restarted = boards.restarted();
        opened.set(0, restarted);
        restarted.clock(3, FINAL);
        restarted.round();

        assertEquals(List.of("bob 1 of 2", "ann 2 of 2"), rewarded(restarted));
    }

    @Test
    void shouldAppendNothingInASilentGeneration() {
        assertEquals(List.of(), rewarded(played(ACHIEVEMENT, OutputWindow.NOTHING)));
    }

    @Test
    void shouldAppendThemOnlyForRunsThatEndAfterTheGenerationIsInForce() {
        LeaderboardsDriver boards = played(ACHIEVEMENT, TO_COME);
        assertEquals(List.of(), rewarded(boards));

        boards.pipe(0, 4, new GenerationBegan());
        assertEquals(List.of(), rewarded(boards));

        boards.pipe(0, 5, Records.with(scored("ann", "5"), "run", FOURTH + 1));
        boards.pipe(0, 6, new ClockMoved(Instant.parse("2026-03-06T12:00:00Z").toEpochMilli()));
        boards.round();
        assertEquals(List.of("ann 1 of 1"), rewarded(boards));
    }

    /** A ledger and its leaderboards. */
    private final class Instance {
        private final LedgerDriver ledger;
        private final LeaderboardsDriver boards;

        Instance(OutputWindow window) {
            ledger = new LedgerDriver(published, window);
            boards = new LeaderboardsDriver(published, 1, window);
            opened.add(ledger);
            opened.add(boards);
        }

        List<Logged> follow() {
            ledger.told().forEach(boards::deliver);
            boards.round();
            return boards.commands();
        }
    }

    @Test
    void shouldReachTheSameStateInAReplayWithoutCommandsOfItsOwn() {
        Ruleset rules = published.add(rules(ACHIEVEMENT + "\n" + TRIGGER));
        var live = new Instance(OutputWindow.EVERYTHING);
        live.ledger.publish(rules, "2026-03-01T00:00:00Z");
        for (int value = 1; value <= 4; value++) {
            live.ledger.produce(
                    "user-" + value,
                    "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + value + ",\"user\":{\"id\":\"user-" + value
                            + "\"}}",
                    "2026-03-04T10:00:00Z");
        }
        live.ledger.tickUntilQuiet(FINAL);
        List<Logged> commands = live.follow();
        commands.forEach(live.ledger::pipe);
        // Written again after a failure.
        commands.forEach(live.ledger::pipe);

        var replay = new Instance(OutputWindow.NOTHING);
        live.ledger.log().forEach(replay.ledger::pipe);

        assertEquals(List.of(), replay.follow());
        assertNotEquals(List.of(), commands);
        assertEquals(
                live.ledger.contents().get(StoreNames.USERS),
                replay.ledger.contents().get(StoreNames.USERS));
        assertEquals(
                live.ledger.contents().get(StoreNames.IDEMPOTENCY_KEYS),
                replay.ledger.contents().get(StoreNames.IDEMPOTENCY_KEYS));
    }
}
