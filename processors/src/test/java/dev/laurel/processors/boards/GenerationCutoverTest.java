package dev.laurel.processors.boards;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.GenerationBegan;
import dev.laurel.core.leaderboard.LeaderboardMessage.RulesPublished;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.topology.LeaderboardsDriver;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The output of leaderboards with daily runs while their generation comes into force in the two partitions of the log. */
class GenerationCutoverTest {

    private static final int BOARD = 11;
    private static final int FOURTH = (int) LocalDate.parse("2026-03-04").toEpochDay();

    /** A generation that is not in force yet. */
    private static final OutputWindow TO_COME = new OutputWindow.Constant(
            new OutputWindow.OffsetRange(OutputWindow.NEVER, OutputWindow.NEVER),
            true,
            _ -> OutputWindow.Handover.BEGIN);

    private final LedgerDriver.Published published = new LedgerDriver.Published();

    @AutoClose
    private final LeaderboardsDriver boards = new LeaderboardsDriver(published, 2, TO_COME);

    private final List<String> told = new ArrayList<>();

    @BeforeEach
    void fold() {
        Ruleset rules = TestLeaderboard.first("metrics: {laps: {}}");
        published.add(TestLeaderboard.on(
                rules,
                1,
                Instant.EPOCH,
                TestLeaderboard.ofMetric(BOARD, "laps").from("2026-03-01").every(1, RunUnit.DAY)));
        for (int partition = 0; partition < 2; partition++) {
            boards.pipeSilently(partition, 1, new RulesPublished(TenantId.NONE, 1));
            boards.pipeSilently(partition, 2, clock("2026-03-04T01:00:00Z"));
        }
        boards.pipeSilently(0, 3, scored("ann", "30"));
        boards.round();
    }

    private static ClockMoved clock(String at) {
        return new ClockMoved(Instant.parse(at).toEpochMilli());
    }

    private static Scored scored(String user, String value) {
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
                List.of(),
                new BigDecimal(value),
                atMs,
                Score.Kind.CHANGED,
                atMs,
                false);
    }

    /** The effects since the last call, such as {@code LeaderboardFinished 2026-03-04}. */
    private List<String> told() {
        boards.round();
        boards.round();
        told.clear();
        boards.effects()
                .forEach(effect -> told.add(effect.get("type").asString() + " "
                        + (effect.has("start") ? effect.get("start").asString() : "")));
        return told;
    }

    private void begin(int partition, long offset) {
        boards.pipe(partition, offset, new GenerationBegan());
    }

    @Test
    void shouldRankWithoutOutputWhileSilent() {
        assertEquals(List.of("ann 30"), boards.ranking(new LeaderboardGroup(TenantId.NONE, BOARD, FOURTH, List.of())));
        assertEquals(List.of(), told());
        assertEquals(List.of(), boards.outbox());
    }

    @Test
    void shouldProduceOutputForScoresThatAreNotSilent() {
        begin(1, 4);
        boards.pipe(1, 5, scored("bob", "40"));
        boards.pipeSilently(0, 4, scored("cid", "50"));

        assertEquals(1, told().size());
        assertEquals(
                List.of("cid 50", "bob 40", "ann 30"),
                boards.ranking(new LeaderboardGroup(TenantId.NONE, BOARD, FOURTH, List.of())));
    }

    @Test
    void shouldProduceNoOutputForTimeThatTheFormerGenerationCovers() {
        boards.pipeSilently(0, 4, clock("2026-03-05T13:00:00Z"));
        begin(0, 5);
        boards.pipeSilently(1, 4, clock("2026-03-05T13:00:00Z"));
        begin(1, 5);

        assertEquals(List.of(), told());
    }

    @Test
    void shouldProduceOutputForTimeAfterTheMarkers() {
        begin(0, 4);
        begin(1, 4);
        boards.pipe(0, 5, clock("2026-03-05T13:00:00Z"));
        boards.pipe(1, 5, clock("2026-03-05T13:00:00Z"));

        assertEquals(2, told().size(), told::toString); // one run ends, one begins
    }

    @Test
    void shouldProduceOutputForTimeThatMovesBetweenTheMarkers() {
        begin(1, 4);
        boards.pipe(1, 5, clock("2026-03-05T13:00:00Z"));
        // The former generation has only seen partition 1 at the fourth.
        boards.pipeSilently(0, 4, clock("2026-03-05T13:00:00Z"));
        begin(0, 5);

        assertEquals(2, told().size(), told::toString);
    }

    private void addBoard() {
        published.add(TestLeaderboard.on(
                TestLeaderboard.first("metrics: {laps: {}}"),
                2,
                Instant.EPOCH,
                TestLeaderboard.ofMetric(BOARD, "laps").from("2026-03-01").every(1, RunUnit.DAY),
                TestLeaderboard.ofMetric(12, "laps").from("2026-03-01").every(1, RunUnit.DAY)));
    }

    /** Partition 1 has no marker of the version, which a command behind the marker of the generation may bring. */
    @Test
    void shouldProduceNoOutputForRulesThatTheFormerGenerationCovers() {
        addBoard();
        begin(1, 4);
        boards.pipeSilently(0, 4, new RulesPublished(TenantId.NONE, 2));
        boards.pipe(1, 5, new RulesPublished(TenantId.NONE, 2));
        begin(0, 5);

        assertEquals(List.of(), told());
    }

    @Test
    void shouldProduceOutputForRulesThatCameAfterTheMarkers() {
        addBoard();
        begin(1, 4);
        boards.pipe(1, 5, new RulesPublished(TenantId.NONE, 2));

        assertEquals(1, told().size(), told::toString);
    }
}
