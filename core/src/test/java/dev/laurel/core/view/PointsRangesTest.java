package dev.laurel.core.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.schemas.wire.PointsSystemBody.PointsRangeBody;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PointsRangesTest {

    private static PointsRanges of(long... totals) {
        var ranges = new PointsRanges();
        for (long total : totals) {
            ranges.add(PointsRanges.cell(total), 1);
        }
        return ranges;
    }

    private static List<Long> users(PointsRanges ranges) {
        return ranges.toBodies().stream().map(PointsRangeBody::users).toList();
    }

    @Test
    void shouldHaveElevenRangesUpToTenWithoutAnyUser() {
        var bodies = of().toBodies();

        assertEquals(11, bodies.size());
        assertEquals(new PointsRangeBody(0, 0, 0), bodies.getFirst());
        assertEquals(new PointsRangeBody(1, 1, 0), bodies.get(1));
        assertEquals(new PointsRangeBody(10, 10, 0), bodies.getLast());
    }

    @Test
    void shouldRoundTheHighestTotalUpToAPowerOfTen() {
        assertEquals(10, of(10).toBodies().getLast().to());
        assertEquals(100, of(11).toBodies().getLast().to());
        assertEquals(100, of(100).toBodies().getLast().to());
        assertEquals(1000, of(101).toBodies().getLast().to());
        assertEquals(
                10_000_000_000_000_000L, of((1L << 53) - 1).toBodies().getLast().to());
    }

    @Test
    void shouldCountBothEndsOfARange() {
        assertEquals(List.of(1L, 2L, 2L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 1L), users(of(0, 1, 10, 11, 20, 91)));
        assertEquals(
                new PointsRangeBody(11, 20, 2),
                of(0, 1, 10, 11, 20, 91).toBodies().get(2));
    }

    @Test
    void shouldEqualARecountAfterAnyHistory() {
        var random = new Random(11);
        for (int round = 0; round < 200; round++) {
            long[] totals = random.longs(50, 0, (long) Math.pow(10, 1 + random.nextInt(15)))
                    .toArray();
            var whole = of(totals);
            var counted = new PointsRanges();
            Arrays.stream(totals)
                    .boxed()
                    .collect(Collectors.groupingBy(PointsRanges::cell, Collectors.counting()))
                    .forEach(counted::add);

            assertEquals(whole.toBodies(), counted.toBodies());
            for (PointsRangeBody range : whole.toBodies()) {
                long expected = Arrays.stream(totals)
                        .filter(t -> t >= range.from() && t <= range.to())
                        .count();
                assertEquals(expected, range.users(), range::toString);
            }
        }
    }
}
