package dev.laurel.processors.core.statistics;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class LongCountsTest {

    private final LongCounts counts = new LongCounts();

    private static Map<Long, Long> contents(LongCounts counts) {
        var contents = new TreeMap<Long, Long>();
        counts.forEach((number, users) -> contents.merge(number, users, Long::sum));
        return contents;
    }

    @Test
    void shouldCountUsersOfTheSameNumberTogether() {
        counts.add(7);
        counts.add(-1);
        counts.add(7);

        assertEquals(Map.of(7L, 2L, -1L, 1L), contents(counts));
        assertEquals(3, counts.sum());
    }

    @Test
    void shouldForgetANumberWithoutUsers() {
        counts.add(7);
        counts.remove(7);

        assertEquals(Map.of(), contents(counts));
        assertEquals(0, counts.sum());
    }

    @Test
    void shouldDistinguishZeroFromNoChange() {
        counts.add(0);

        assertEquals(Map.of(0L, 1L), contents(counts));
    }

    @Test
    void shouldRefuseToRemoveANumberThatWasNotAdded() {
        counts.add(3);

        assertThrows(IllegalStateException.class, () -> counts.remove(4));
    }

    /** Few different numbers, so that they collide and close gaps, and the table grows and shrinks. */
    @ParameterizedTest
    @ValueSource(ints = {5, 40, 3_000})
    void shouldEqualAMapAfterAnyAdditionsAndRemovals(int different) {
        var random = new Random(different);
        var expected = new TreeMap<Long, Long>();
        for (int i = 0; i < 40_000; i++) {
            long number = random.nextInt(different) * (long) Math.pow(10, random.nextInt(3));
            boolean isGrowing = i / 5_000 % 2 == 0;
            if (expected.containsKey(number) && random.nextInt(10) < (isGrowing ? 3 : 8)) {
                counts.remove(number);
                expected.merge(number, -1L, (a, b) -> a + b == 0 ? null : a + b);
            } else {
                counts.add(number);
                expected.merge(number, 1L, Long::sum);
            }
            if (i % 500 == 0) {
                assertEquals(expected, contents(counts));
            }
        }
        assertEquals(expected, contents(counts));
        assertEquals(expected.values().stream().mapToLong(Long::longValue).sum(), counts.sum());
    }

    @Test
    void shouldBeEmptyAfterEverythingIsRemoved() {
        for (long i = 0; i < 1_000; i++) {
            counts.add(i * i);
        }
        for (long i = 0; i < 1_000; i++) {
            counts.remove(i * i);
        }

        assertEquals(Map.of(), contents(counts));
    }
}
