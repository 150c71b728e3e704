package dev.laurel.processors.core.statistics;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class SortedCountsTest {

    private final SortedCounts counts = new SortedCounts();

    @Test
    void shouldCountUsersBelowANumber() {
        counts.add(3);
        counts.add(5);
        counts.add(5);
        counts.add(8);

        assertEquals(4, counts.below(9));
        assertEquals(3, counts.below(8));
        assertEquals(1, counts.below(5));
        assertEquals(0, counts.below(3));
        assertEquals(4, counts.sum());
    }

    @Test
    void shouldCountNobodyAtFirst() {
        assertEquals(0, counts.below(0));
        assertEquals(0, counts.sum());
    }

    @Test
    void shouldRefuseToRemoveANumberThatWasNotAdded() {
        assertThrows(IllegalStateException.class, () -> counts.remove(4));
        counts.add(3);

        assertThrows(IllegalStateException.class, () -> counts.remove(4));
    }

    /** Few and many different numbers, so that pages are split, merged and removed. */
    @ParameterizedTest
    @ValueSource(ints = {5, 40, 3_000, 1_000_000})
    void shouldEqualAMapAfterAnyAdditionsAndRemovals(int different) {
        var random = new Random(different);
        var expected = new TreeMap<Long, Long>();
        for (int i = 0; i < 40_000; i++) {
            long number = random.nextInt(different) - different / 2;
            Long present = expected.ceilingKey(number);
            boolean isGrowing = i / 5_000 % 2 == 0;
            if (present != null && random.nextInt(10) < (isGrowing ? 3 : 8)) {
                counts.remove(present);
                expected.merge(present, -1L, (a, b) -> a + b == 0 ? null : a + b);
            } else {
                counts.add(number);
                expected.merge(number, 1L, Long::sum);
            }
            if (i % 200 == 0) {
                assertEquals(expected.headMap(number).values().stream().mapToLong(Long::longValue).sum(),
                        counts.below(number));
                assertEquals(expected.values().stream().mapToLong(Long::longValue).sum(), counts.sum());
            }
        }
        for (Long number : expected.keySet().toArray(Long[]::new)) {
            for (long left = expected.remove(number); left > 0; left--) {
                counts.remove(number);
            }
            assertEquals(0, counts.below(number + 1));
        }
        assertEquals(0, counts.sum());
    }
}
