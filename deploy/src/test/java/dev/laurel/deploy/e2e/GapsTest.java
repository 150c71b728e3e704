package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class GapsTest {

    private static final long S = 1_000_000_000;

    private final Gaps gaps = new Gaps(2);

    @Test
    void shouldFindTheLongestGapOfAnyPartition() {
        for (int second = 1; second < 20; second++) {
            gaps.succeeded(0, second * S - S / 10, second * S);
            if (second < 5 || second > 11) {
                gaps.succeeded(1, second * S - S / 10, second * S);
            }
        }

        assertEquals(new Gaps.Gap(1, 4 * S, 8 * S), gaps.longest(0, 20 * S));
    }

    @Test
    void shouldFindTheLongestWaitOfRequestsWithinThePeriod() {
        gaps.succeeded(0, S, 9 * S);
        gaps.succeeded(1, 10 * S, 13 * S);
        gaps.succeeded(0, 14 * S, 15 * S);

        assertEquals(Duration.ofSeconds(8), gaps.longestWait(8 * S, 20 * S));
        assertEquals(Duration.ofSeconds(3), gaps.longestWait(9 * S, 20 * S));
        assertEquals(Duration.ofSeconds(1), gaps.longestWait(13 * S, 20 * S));
        assertEquals(Duration.ZERO, gaps.longestWait(15 * S, 20 * S));
    }

    @Test
    void shouldCountAGapUpToTheEnd() {
        gaps.succeeded(0, 0, S);
        gaps.succeeded(1, 0, S);

        assertEquals(9 * S, gaps.longest(0, 10 * S).ns());
    }

    @Test
    void shouldExcludeRequestsInTheGapFromLatencies() {
        for (int second = 1; second < 10; second++) {
            gaps.succeeded(1, second * S, second * S + S / 20);
            gaps.succeeded(0, second * S, second * S + S / 20);
        }
        gaps.succeeded(0, 10 * S, 20 * S);
        gaps.succeeded(0, 9 * S + S / 10, 20 * S);
        gaps.succeeded(1, 20 * S, 20 * S + S / 20);

        assertEquals(50, gaps.p99Ms(0, 21 * S));
    }
}
