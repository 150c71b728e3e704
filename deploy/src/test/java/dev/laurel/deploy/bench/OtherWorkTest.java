package dev.laurel.deploy.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

final class OtherWorkTest {

    @Test
    void shouldCountAllButIdleAndWaitingTime() {
        assertEquals(127 * 10_000_000L, OtherWork.busyNanos("cpu  1 2 4 1000 2000 8 16 96 0 0"));
    }

    @Test
    void shouldBeAbsentWhereTheKernelTellsLess() {
        assertNull(OtherWork.busyNanos("cpu 1 2 3 4"));
    }
}
