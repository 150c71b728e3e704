package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

final class CompetingLoadTest {

    @Test
    void shouldCountAllButIdleAndWaitingTime() {
        assertEquals(127 * 10_000_000L, CompetingLoad.busyNanos("cpu  1 2 4 1000 2000 8 16 96 0 0"));
    }

    @Test
    void shouldCountTheTimeOfEndedChildren() {
        assertEquals(
                12 * 10_000_000L,
                CompetingLoad.endedChildrenNanos(
                        "3151 (java (x) y) S 3150 3151 3150 34816 3151 4194304 921 7 0 0 300 40 5 7 20 0 31 0 8821 0"));
    }

    @Test
    void shouldBeUnknownIfTheKernelReportsTooFewFields() {
        assertNull(CompetingLoad.busyNanos("cpu 1 2 3 4"));
    }
}
