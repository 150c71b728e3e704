package dev.laurel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.LeaderboardCircuitBreaker.Probe;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests the circuit breaker with a manual clock. */
class LeaderboardCircuitBreakerTest {

    private static final Duration MOMENT = Duration.ofMillis(1);

    /** Close to an overflow, which {@link System#nanoTime} allows. */
    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - MOMENT.toNanos());

    private final LeaderboardCircuitBreaker breaker = new LeaderboardCircuitBreaker(nowNs::get);

    private void advance(Duration time) {
        nowNs.addAndGet(time.toNanos());
    }

    private void timeOut(int times) {
        for (int i = 0; i < times; i++) {
            breaker.timedOut();
        }
    }

    @Test
    void shouldOpenAfterSeveralTimeoutsInARow() {
        timeOut(LeaderboardCircuitBreaker.TIMEOUTS - 1);
        assertTrue(breaker.isClosed());

        assertTrue(breaker.timedOut());
        assertFalse(breaker.isClosed());
        assertFalse(breaker.timedOut(), "reported twice");
    }

    @Test
    void shouldStayClosedWhileSomeRepliesSucceed() {
        for (int i = 0; i < 10; i++) {
            timeOut(LeaderboardCircuitBreaker.TIMEOUTS - 1);
            breaker.succeeded();
        }

        assertTrue(breaker.isClosed());
    }

    @Test
    void shouldProbeOneReplyEveryFewSeconds() {
        assertNull(breaker.probe("a"), "a closed breaker needs no probes");
        timeOut(LeaderboardCircuitBreaker.TIMEOUTS);
        assertNull(breaker.probe("a"));
        advance(LeaderboardCircuitBreaker.PROBE_INTERVAL.minus(MOMENT));
        assertNull(breaker.probe("a"));
        advance(MOMENT);

        assertNull(breaker.probe("a").request());
        assertNull(breaker.probe("b"));
        advance(LeaderboardCircuitBreaker.PROBE_INTERVAL);
        Probe before = breaker.probe("b");
        assertNotNull(before);
        assertEquals("a", before.request());
    }

    @Test
    void shouldCloseOnlyIfTheNewestProbeSucceedsSoon() {
        timeOut(LeaderboardCircuitBreaker.TIMEOUTS);
        advance(LeaderboardCircuitBreaker.PROBE_INTERVAL);
        breaker.probe("a");
        advance(LeaderboardCircuitBreaker.PROBE_TIMEOUT.plus(MOMENT));
        breaker.probeSucceeded("a");
        assertFalse(breaker.isClosed(), "leaderboards are still slow");
        advance(LeaderboardCircuitBreaker.PROBE_INTERVAL);
        breaker.probe("b");
        breaker.probeSucceeded("a");
        assertFalse(breaker.isClosed());

        advance(LeaderboardCircuitBreaker.PROBE_TIMEOUT);
        breaker.probeSucceeded("b");

        assertTrue(breaker.isClosed());
        timeOut(LeaderboardCircuitBreaker.TIMEOUTS - 1);
        assertTrue(breaker.isClosed(), "timeouts from before it closed were counted");
    }

    @Test
    void shouldCloseIfThePartsArriveBeforeTheReply() {
        timeOut(LeaderboardCircuitBreaker.TIMEOUTS);

        breaker.succeeded();

        assertTrue(breaker.isClosed());
    }
}
