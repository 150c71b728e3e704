package dev.laurel.gateway.reply;

import dev.laurel.gateway.reply.LeaderboardCircuitBreaker.Probe;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A circuit breaker with a clock of its own. */
class LeaderboardCircuitBreakerTest {

    private static final Duration MOMENT = Duration.ofMillis(1);

    /** Close to its overflow, which {@code nanoTime} may reach. */
    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - MOMENT.toNanos());
    private final LeaderboardCircuitBreaker breaker = new LeaderboardCircuitBreaker(nowNs::get);

    private void pass(Duration time) {
        nowNs.addAndGet(time.toNanos());
    }

    private void waitInVain(int times) {
        for (int i = 0; i < times; i++) {
            breaker.timedOut();
        }
    }

    @Test
    void shouldEndAfterSomeInARow() {
        waitInVain(LeaderboardCircuitBreaker.TIMEOUTS - 1);
        assertTrue(breaker.isClosed());

        assertTrue(breaker.timedOut());
        assertFalse(breaker.isClosed());
        assertFalse(breaker.timedOut(), "it ends once");
    }

    @Test
    void shouldStayWhileSomeAreFulfilled() {
        for (int i = 0; i < 10; i++) {
            waitInVain(LeaderboardCircuitBreaker.TIMEOUTS - 1);
            breaker.succeeded();
        }

        assertTrue(breaker.isClosed());
    }

    @Test
    void shouldProbeOneEveryFewSeconds() {
        assertNull(breaker.probe("a"), "while answers wait, each of them is a probe");
        waitInVain(LeaderboardCircuitBreaker.TIMEOUTS);
        assertNull(breaker.probe("a"));
        pass(LeaderboardCircuitBreaker.PROBE_EVERY.minus(MOMENT));
        assertNull(breaker.probe("a"));
        pass(MOMENT);

        assertNull(breaker.probe("a").request());
        assertNull(breaker.probe("b"));
        pass(LeaderboardCircuitBreaker.PROBE_EVERY);
        Probe before = breaker.probe("b");
        assertNotNull(before);
        assertEquals("a", before.request());
    }

    @Test
    void shouldComeBackOnlyWhenTheNewestProbeIsFulfilledSoon() {
        waitInVain(LeaderboardCircuitBreaker.TIMEOUTS);
        pass(LeaderboardCircuitBreaker.PROBE_EVERY);
        breaker.probe("a");
        pass(LeaderboardCircuitBreaker.SOON.plus(MOMENT));
        breaker.probeSucceeded("a");
        assertFalse(breaker.isClosed(), "a backlog is worked off: each answer would wait for that");
        pass(LeaderboardCircuitBreaker.PROBE_EVERY);
        breaker.probe("b");
        breaker.probeSucceeded("a");
        assertFalse(breaker.isClosed());

        pass(LeaderboardCircuitBreaker.SOON);
        breaker.probeSucceeded("b");

        assertTrue(breaker.isClosed());
        waitInVain(LeaderboardCircuitBreaker.TIMEOUTS - 1);
        assertTrue(breaker.isClosed(), "it counts anew");
    }

    @Test
    void shouldComeBackWhenPartsWereThereBeforeTheAnswer() {
        waitInVain(LeaderboardCircuitBreaker.TIMEOUTS);

        breaker.succeeded();

        assertTrue(breaker.isClosed());
    }
}
