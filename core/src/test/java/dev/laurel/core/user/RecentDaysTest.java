package dev.laurel.core.user;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.user.DayBucket.AttributeSums;
import dev.laurel.core.user.MetricState.RecentDays;
import java.math.BigDecimal;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentDaysTest {

    private static final int WINDOW = 30;

    private final TreeMap<Integer, DayBucket> days = new TreeMap<>();
    private RecentDays recent = RecentDays.NONE;

    private void event(int day, int value) {
        DayBucket before = days.getOrDefault(day, DayBucket.NONE);
        DayBucket after = before.plus(BigDecimal.valueOf(value), IntKeyedMap.empty());
        days.put(day, after);
        recent = recent.plus(day, before, after, days.lastKey());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void shouldBoundEveryWindowThatEndsUpToTwoDaysBeforeTheNewestDay(int seed) {
        var random = new Random(seed);
        int day = 0;
        int tight = 0;
        for (int i = 0; i < 2_000; i++) {
            day += random.nextInt(10) == 0 ? random.nextInt(25) : random.nextInt(2);
            event(day - (random.nextInt(4) == 0 ? random.nextInt(80) : 0), random.nextInt(-20, 40));
            for (int end = days.lastKey() - 2; end < days.lastKey() + 40; end += 3) {
                var window = days.subMap(end - WINDOW + 1, true, end, true).values();
                int events = window.stream().mapToInt(DayBucket::events).sum();
                BigDecimal value = window.stream().map(DayBucket::change).reduce(BigDecimal.ZERO, BigDecimal::add);
                int first = end - WINDOW + 1;
                assertTrue(recent.eventsFrom(first) >= events, "events");
                assertTrue(recent.valueFrom(first).compareTo(value) >= 0, "value");
                tight += recent.eventsFrom(first) == events ? 1 : 0;
            }
            assertTrue(recent.blocks().size() <= 4, () -> recent.blocks().size() + " blocks");
        }
        assertTrue(tight > 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 7, 20_000})
    void shouldCountOnlyTheDaysAboveZeroWhateverHappenedOnThem(int day) {
        event(day, 5);
        event(day, -7);
        event(day + 1, 3);
        event(day, 1);

        assertEquals(BigDecimal.valueOf(3), recent.valueFrom(day));
        assertEquals(4, recent.eventsFrom(day));
        event(day, 4);
        assertEquals(BigDecimal.valueOf(6), recent.valueFrom(day));
        assertEquals(new DayBucket(BigDecimal.valueOf(3), true, 4, AttributeSums.NONE), days.get(day));
    }
}
