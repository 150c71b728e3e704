package dev.laurel.processors.core.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.processors.core.compare.ComparisonTotals.Completions;
import dev.laurel.processors.core.compare.ComparisonTotals.LevelMove;
import dev.laurel.processors.core.compare.ComparisonTotals.MetricSums;
import dev.laurel.processors.core.compare.ComparisonTotals.PlaceMoves;
import dev.laurel.processors.core.compare.ComparisonTotals.PointsSums;
import dev.laurel.processors.core.compare.ComparisonTotals.StreakMoves;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ComparisonTotalsTest {

    private final ComparisonTotals totals = new ComparisonTotals(2);

    private void add(String user, String before, String after) {
        totals.add(UserKey.of(user), WrittenUsers.facts(WrittenUsers.yaml(before)),
                WrittenUsers.facts(WrittenUsers.yaml(after)));
    }

    @Test
    void shouldSumPointsOfEverybodyAndCountWhoDiffers() {
        add("same", "{points: {1: [gems, 10, null, 0]}}", "{points: {1: [gems, 10, null, 0]}}");
        add("more", "{points: {1: [gems, 20, null, 0]}}", "{points: {1: [gems, 50, minnow, 1]}}");
        add("less", "{points: {1: [gems, 60, minnow, 1]}}", "{}");

        assertEquals(Map.of("gems", new PointsSums(90, 60, 2)), totals.points());
        assertEquals(List.of(new LevelMove("gems", null, "minnow", 1), new LevelMove("gems", "minnow", null, 1)),
                totals.levelMoves());
        assertEquals(3, totals.users());
        assertEquals(2, totals.different());
    }

    @Test
    void shouldCountAchievementsStreaksAndMetrics() {
        add("a", "{achievements: {1: forty}, streak: [3, DAILY, 2026-11-20, 2026-11-23]}",
                "{achievements: {2: legend}, streak: [5, DAILY, 2026-11-18, 2026-11-23]}");
        add("b", "{metrics: {9: [laps, 1.5]}}",
                "{achievements: {2: legend}, streak: [1, DAILY, 2026-11-20, 2026-11-23], metrics: {9: [laps, 2]}}");
        add("c", "{streak: [4, DAILY, 2026-11-20, 2026-11-23]}", "{}");

        assertEquals(Map.of("forty", new Completions(0, 1), "legend", new Completions(2, 0)), totals.achievements());
        assertEquals(new StreakMoves(1, 1, 1, 0, 0), totals.streaks());
        assertEquals(Map.of("laps", new MetricSums(new BigDecimal("1.5"), new BigDecimal("2"), 1)), totals.metrics());
    }

    @Test
    void shouldTellWhoIsOvertakenFromWhoMoves() {
        add("mover", "{places: {3: [club, [], 2, 10]}}", "{places: {3: [club, [], 1, 30]}}");
        add("bystander", "{places: {3: [club, [], 1, 20]}}", "{places: {3: [club, [], 2, 20]}}");
        add("newcomer", "{}", "{places: {3: [club, [], 3, 5]}}");

        assertEquals(Map.of("club", new PlaceMoves(1, 0, 1, 1)), totals.places());
        assertEquals(2, totals.different());
        assertEquals(1, totals.overtaken());
    }

    @Test
    void shouldKeepOnlyTheLargestDifferences() {
        for (int points = 1; points <= 5; points++) {
            add("user-" + points, "{}", "{points: {1: [gems, " + points + ", null, 0]}}");
        }

        assertEquals(List.of("user-5", "user-4"), totals.largest().stream().map(it -> it.user().text()).toList());
        assertEquals(5, totals.different());
    }

    @Test
    void shouldCountUsersWhoAreOnOneSideOnly() {
        add("only-after", "null", "{}");
        add("only-before", "{}", "null");

        assertEquals(1, totals.appeared());
        assertEquals(1, totals.disappeared());
    }
}
