package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class OpenLoopScheduleTest {

    @Test
    void shouldSpaceSlotsEvenlyWithoutDrift() {
        var pace = new LoadGenerator.Schedule(1_000, 3, 3_000_001);

        assertEquals(1_000, pace.dueNanos(0));
        assertEquals(1_000 + 333_333_333, pace.dueNanos(1));
        assertEquals(1_000 + 1_000_000_000_000_000L, pace.dueNanos(3_000_000));
    }

    @Test
    void shouldHandOutEachSlotOnceAndThenNoMore() {
        var pace = new LoadGenerator.Schedule(0, 100, 2);

        assertEquals(0, pace.take());
        assertEquals(1, pace.take());
        assertEquals(-1, pace.take());
        assertEquals(-1, pace.take());
    }

    @Test
    void shouldNotWakeBeforeTheSlotIsDue() {
        long dueNanos = System.nanoTime() + 5_000_000;

        LoadGenerator.Schedule.parkUntil(dueNanos);

        assertTrue(System.nanoTime() >= dueNanos);
    }

    @Test
    @Timeout(60)
    void shouldReturnAtOnceForASlotThatIsOverdue() {
        LoadGenerator.Schedule.parkUntil(System.nanoTime() - Duration.ofDays(1).toNanos());
    }

    @Test
    void shouldRefuseARateOfZero() {
        assertThrows(IllegalArgumentException.class, () -> new LoadGenerator.Schedule(0, 0, 1));
    }
}
