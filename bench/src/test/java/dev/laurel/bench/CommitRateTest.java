package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class CommitRateTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void shouldMeasureBetweenTheFirstCommitAndTheLastBeforeTheEnd() {
        var rate = new KafkaThroughput.CommitRate(0, 1_000);

        rate.committed(100, SECOND);
        rate.committed(100, SECOND + 1);
        rate.committed(500, 2 * SECOND);
        rate.committed(900, 3 * SECOND);
        assertFalse(rate.done());
        rate.committed(1_000, 10 * SECOND);

        assertTrue(rate.done());
        assertEquals(400, rate.eventsPerSecond());
    }

    @Test
    void shouldUseTheWholeRunIfThereWasOneCommitOnly() {
        var rate = new KafkaThroughput.CommitRate(0, 1_000);

        rate.committed(1_000, 2 * SECOND);

        assertTrue(rate.done());
        assertEquals(500, rate.eventsPerSecond());
    }

    @Test
    void shouldUseTheWholeRunIfOneCommitCameBeforeTheLast() {
        var rate = new KafkaThroughput.CommitRate(0, 1_000);

        rate.committed(400, SECOND);
        rate.committed(1_000, 2 * SECOND);

        assertEquals(500, rate.eventsPerSecond());
    }
}
