package dev.laurel.processors.generation;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RepartitionedLogTest {

    @Test
    void shouldNameThePossibleNumbersOfPartitions() {
        for (int wide : new int[] {12, 6, 4, 1, 0, -24, 30, 1_008}) {
            var refused = assertThrows(IllegalArgumentException.class, () -> RepartitionedLog.expectPossible(12, wide));
            assertEquals(
                    "the log has 12 partitions: it can grow to a multiple of them, such as 24 or 36, up to 1000; "
                            + "not to " + wide,
                    refused.getMessage());
        }
    }

    @Test
    void shouldAcceptMultiples() {
        assertDoesNotThrow(() -> RepartitionedLog.expectPossible(12, 24));
        assertDoesNotThrow(() -> RepartitionedLog.expectPossible(1, RepartitionedLog.MAX_PARTITIONS));
    }
}
