package dev.laurel.core.analytics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScoreRangesTest {

    /** The users of each distribution: {@code -Dlaurel.ranked.users=1000000} for more. */
    private static final int USERS = Integer.getInteger("laurel.ranked.users", 50_000);

    private static final int LOOKED_AT = 2_000;
    private static final int PLACES = 0;

    /** What the values of users may look like. */
    private enum Values {
        FEW(random -> 1 + random.nextInt(7), 0),
        UNIFORM(random -> 1 + random.nextInt(1_000_000), 0),
        LONG_TAIL(random -> Math.exp(5 + 2 * random.nextGaussian()), 0),
        NARROW(random -> 10_000 + 500 * random.nextGaussian(), 0),
        NARROW_TENS(random -> 10_000 + 500 * random.nextGaussian(), -1),
        KILOMETRES(random -> 8 + 3 * random.nextGaussian(), 2),
        SMALL(random -> random.nextDouble() / 1_000, 9),
        HUGE(random -> 1e12 * (1 + random.nextDouble()), 0);

        private final ToDoubleFunction<Random> next;
        private final int scale;

        Values(ToDoubleFunction<Random> next, int scale) {
            this.next = next;
            this.scale = scale;
        }

        BigDecimal next(Random random) {
            BigDecimal value = BigDecimal.valueOf(next.applyAsDouble(random)).setScale(scale, RoundingMode.HALF_UP);
            return value.max(BigDecimal.ONE.movePointLeft(scale)).stripTrailingZeros();
        }
    }

    @ParameterizedTest
    @EnumSource(Values.class)
    void shouldEstimateRanksWithinOnePercentOfTheUsers(Values values) {
        var random = new Random(7);
        var all = new BigDecimal[USERS];
        Arrays.setAll(all, _ -> values.next(random));
        var ranges = new TreeMap<Integer, Long>();
        for (BigDecimal value : all) {
            ranges.merge(ScoreRanges.cell(value), 1L, Long::sum);
        }
        Arrays.sort(all);

        long worst = 0;
        for (int i = 0; i < USERS; i += USERS / LOOKED_AT) {
            BigDecimal value = all[i];
            long rank = 1 + higherThan(value, all);
            worst = Math.max(worst, Math.abs(rank - countsOf(value, ranges).rankOf(value, PLACES)));
        }
        assertTrue(worst <= USERS / 100, values + ": " + worst + " of " + USERS);
    }

    private static long higherThan(BigDecimal value, BigDecimal[] sorted) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle].compareTo(value) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return sorted.length - low;
    }

    private static ScoreRanges.Counts countsOf(BigDecimal value, TreeMap<Integer, Long> ranges) {
        int cell = ScoreRanges.cell(value);
        return new ScoreRanges.Counts(
                sum(ranges.tailMap(cell, false).values()),
                ranges.get(cell),
                sum(ranges.headMap(cell, false).values()));
    }

    private static long sum(Iterable<Long> numbers) {
        long sum = 0;
        for (long number : numbers) {
            sum += number;
        }
        return sum;
    }

    @Test
    void shouldCountWholeNumbersToAThousandExactly() {
        for (int i = 1; i < 1_024; i++) {
            int cell = ScoreRanges.cell(BigDecimal.valueOf(i));
            assertNotEquals(cell, ScoreRanges.cell(BigDecimal.valueOf(i + 1)));
            assertEquals(i, ScoreRanges.lowest(cell));
        }
    }

    /** The cells are durable: they must never change. */
    @Test
    void shouldKeepTheCellsOfValues() {
        assertEquals(523_776, ScoreRanges.cell(BigDecimal.ONE));
        assertEquals(525_120, ScoreRanges.cell(new BigDecimal("6.5")));
        assertEquals(544_163, ScoreRanges.cell(new BigDecimal("1e12")));
        assertEquals(128, Counter.SCORES.cells());
    }

    @Test
    void shouldPlaceEqualUsersBehindTheParticipants() {
        BigDecimal five = BigDecimal.valueOf(5);

        assertEquals(11, new ScoreRanges.Counts(10, 90, 0).rankOf(five, 3));
        assertEquals(51, new ScoreRanges.Counts(10, 90, 0).rankOf(five, 50));
        assertEquals(100, new ScoreRanges.Counts(10, 90, 0).rankOf(five, 1_000));
    }

    @Test
    void shouldNameGroupsWithoutConfusion() {
        assertNotEquals(ScoreRanges.segmentOf(0, List.of("a", "b")), ScoreRanges.segmentOf(0, List.of("a1:b")));
        assertNotEquals(ScoreRanges.segmentOf(0, List.of("a")), ScoreRanges.segmentOf(1, List.of("a")));
        String longOne = "x".repeat(4_000);
        assertNotEquals(
                ScoreRanges.segmentOf(0, List.of(longOne + "a")), ScoreRanges.segmentOf(0, List.of(longOne + "b")));
        assertEquals(64, ScoreRanges.segmentOf(0, List.of(longOne)).value().length());
    }
}
