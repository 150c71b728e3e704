package dev.laurel.processors.simulation;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The leaderboards of all simulated histories, with every kind of ranking, run, breakdown and time of day. */
final class SimulationLeaderboards {

    /** Above all numbers of other objects of the rules. */
    static final int FIRST = 9_000;

    static final int TOTAL = FIRST + 1;
    static final int DAILY = FIRST + 2;
    static final int MORNINGS = FIRST + 3;
    static final int AFTERNOONS = FIRST + 4;
    static final int STREAK = FIRST + 5;
    private static final int SOMETIMES = FIRST + 6;
    private static final int WEEKLY = FIRST + 7;
    private static final int OF_POINTS = 10_000;

    private static final String START = "1990-01-31";

    private SimulationLeaderboards() {}

    /** The same version of the same rules, with leaderboards. */
    static Ruleset on(Ruleset rules) {
        var boards = new ArrayList<>(List.of(
                TestLeaderboard.ofMetric(TOTAL, "laps").from(START),
                TestLeaderboard.ofMetric(DAILY, "laps").from(START).every(1, RunUnit.DAY),
                TestLeaderboard.ofMetric(MORNINGS, "laps")
                        .from(START)
                        .between(null, "12:00")
                        .by("city"),
                TestLeaderboard.ofMetric(AFTERNOONS, "laps").from(START).between("12:00", null),
                TestLeaderboard.ofStreak(STREAK).from(START),
                TestLeaderboard.ofMetric(SOMETIMES, "litres")
                        .from(START)
                        .by("city")
                        .being(rules.version() % 3 == 0 ? LeaderboardStatus.INACTIVE : LeaderboardStatus.ACTIVE),
                TestLeaderboard.ofMetric(WEEKLY, "falls")
                        .from(START)
                        .every(7, RunUnit.DAY)
                        .between("04:00", "20:00")));
        for (PointsSystem system : rules.pointsSystems()) {
            // A system that was removed and added again is another one, as are its leaderboards.
            boards.add(TestLeaderboard.ofPoints(totalOf(system), system.key()).from(START));
            boards.add(TestLeaderboard.ofPoints(totalOf(system) + 1, system.key())
                    .from(START)
                    .every(1, RunUnit.MONTH)
                    .by("city"));
        }
        return TestLeaderboard.on(rules, rules.version(), rules.published(), boards.toArray(TestLeaderboard[]::new));
    }

    /** The leaderboard that compares the totals of a points system. */
    static int totalOf(PointsSystem system) {
        return OF_POINTS + 2 * system.number();
    }

    /** The value in the newest run, or zero. */
    static BigDecimal value(UserState state, int board) {
        return valueOf(state.boards().get(board));
    }

    /** @param state null: no such user */
    static BigDecimal value(UserState state, UserHistory history, int board, int run) {
        LeaderboardState newest = state == null ? null : state.boards().get(board);
        return newest == null || newest.run() == run ? valueOf(newest) : valueOf(history.boardRun(board, run));
    }

    private static BigDecimal valueOf(LeaderboardState state) {
        return state == null ? BigDecimal.ZERO : state.value();
    }

    /** Removes the groups: what a read computes is not scored. */
    static IntKeyedMap<LeaderboardState> withoutGroups(IntKeyedMap<LeaderboardState> boards) {
        IntKeyedMap<LeaderboardState> result = boards;
        for (int i = 0; i < boards.size(); i++) {
            result = result.with(boards.numberAt(i), withoutGroup(boards.valueAt(i)));
        }
        return result;
    }

    static LeaderboardState withoutGroup(LeaderboardState b) {
        return new LeaderboardState(b.run(), b.value(), b.changedMs());
    }
}
