package dev.laurel.core.leaderboard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.core.leaderboard.LeaderboardGroup.View;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.RunFigures.DayChanges;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RunFiguresTest {

    private static Ranking ranking(List<BigDecimal> values) {
        var standings = new ArrayList<Standing>();
        values.forEach(value ->
                standings.add(new Standing(new UserId("user-" + standings.size()), null, value, standings.size())));
        return Ranking.of(standings);
    }

    private static RunFigures figures(List<List<BigDecimal>> groups) {
        var count = new RunFigures.Count();
        groups.forEach(values -> count.include(ranking(values)));
        groups.forEach(values -> count.count(new View(ranking(values), List.of(), Math.min(1, values.size()))));
        return count.figures(
                List.of(new DayChanges(-1, 3), new DayChanges(20_000, 4), new DayChanges(20_002, 5)), false);
    }

    /** Divides each value, where the ranking is searched for bounds. */
    @Test
    void shouldCountTheValuesInEachRange() {
        var random = new Random(7);
        for (int round = 0; round < 200; round++) {
            var all = new ArrayList<BigDecimal>();
            var groups = new ArrayList<List<BigDecimal>>();
            for (int group = 0; group <= random.nextInt(5); group++) {
                var values = new ArrayList<BigDecimal>();
                for (int i = random.nextInt(40); i > 0; i--) {
                    values.add(BigDecimal.valueOf(random.nextInt(1, 1_000), random.nextInt(4)));
                }
                groups.add(values);
                all.addAll(values);
            }
            RunFigures figures = figures(groups);
            assertEquals(all.size(), figures.participants());
            assertEquals(groups.stream().filter(values -> !values.isEmpty()).count(), figures.changedRank());
            if (!all.isEmpty()) {
                assertEquals(0, Collections.min(all).compareTo(figures.lowest()));
                assertEquals(0, Collections.max(all).compareTo(figures.highest()));
                assertEquals(histogram(all), figures.histogram(), all::toString);
            }
        }
    }

    private static List<Long> histogram(List<BigDecimal> values) {
        BigDecimal lowest = Collections.min(values);
        BigDecimal width = Collections.max(values).subtract(lowest);
        var ranges = new ArrayList<>(Collections.nCopies(20, 0L));
        for (BigDecimal value : values) {
            int range = width.signum() == 0
                    ? 19
                    : value.subtract(lowest)
                            .multiply(BigDecimal.valueOf(20))
                            .divideToIntegralValue(width)
                            .intValue();
            ranges.set(Math.min(19, range), ranges.get(Math.min(19, range)) + 1);
        }
        return ranges;
    }

    @Test
    void shouldHaveNoScoresWithoutParticipants() {
        RunFigures figures = figures(List.of(List.of(), List.of()));

        assertEquals(0, figures.participants());
        assertNull(figures.lowest());
        assertNull(figures.highest());
        assertEquals(Collections.nCopies(20, 0L), figures.histogram());
    }

    @Test
    void shouldCountScoresThatHaveLeftTheRangeInBetween() {
        var count = new RunFigures.Count();
        count.include(ranking(List.of(new BigDecimal(10), new BigDecimal(30))));
        count.count(new View(ranking(List.of(new BigDecimal(1), new BigDecimal(31))), List.of(), 0));

        RunFigures figures = count.figures(List.of(), false);

        assertEquals(2, figures.participants());
        assertEquals(1, figures.histogram().getFirst());
        assertEquals(1, figures.histogram().getLast());
    }

    @Test
    void shouldShowTheChangesOfEachDay() {
        RunFigures figures = figures(List.of());

        assertArrayEquals(new long[] {4, 0, 5}, figures.rankChanges(20_000, 20_002));
        assertArrayEquals(new long[] {3}, figures.rankChanges(-1, -1));
        assertArrayEquals(new long[] {0, 4}, figures.rankChanges(19_999, 20_000));
    }
}
