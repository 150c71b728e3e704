package dev.laurel.gateway.reply;

import dev.laurel.gateway.reply.PartsPatience.Probe;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** On a time of its own. */
class PartsPatienceTest {

    private static final Duration MOMENT = Duration.ofMillis(1);

    /** About to wrap around, as such a clock may be. */
    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - MOMENT.toNanos());
    private final PartsPatience patience = new PartsPatience(nowNs::get);

    private void pass(Duration time) {
        nowNs.addAndGet(time.toNanos());
    }

    private void waitInVain(int times) {
        for (int i = 0; i < times; i++) {
            patience.waitedInVain();
        }
    }

    @Test
    void shouldEndAfterSomeInARow() {
        waitInVain(PartsPatience.TIMEOUTS - 1);
        assertTrue(patience.isThere());

        assertTrue(patience.waitedInVain());
        assertFalse(patience.isThere());
        assertFalse(patience.waitedInVain(), "it ends once");
    }

    @Test
    void shouldStayWhileSomeAreFulfilled() {
        for (int i = 0; i < 10; i++) {
            waitInVain(PartsPatience.TIMEOUTS - 1);
            patience.fulfilled();
        }

        assertTrue(patience.isThere());
    }

    @Test
    void shouldProbeOneEveryFewSeconds() {
        assertNull(patience.probe("a"), "while answers wait, each of them is a probe");
        waitInVain(PartsPatience.TIMEOUTS);
        assertNull(patience.probe("a"));
        pass(PartsPatience.PROBE_EVERY.minus(MOMENT));
        assertNull(patience.probe("a"));
        pass(MOMENT);

        assertNull(patience.probe("a").request());
        assertNull(patience.probe("b"));
        pass(PartsPatience.PROBE_EVERY);
        Probe before = patience.probe("b");
        assertNotNull(before);
        assertEquals("a", before.request());
    }

    @Test
    void shouldComeBackOnlyWhenTheNewestProbeIsFulfilledSoon() {
        waitInVain(PartsPatience.TIMEOUTS);
        pass(PartsPatience.PROBE_EVERY);
        patience.probe("a");
        pass(PartsPatience.SOON.plus(MOMENT));
        patience.arrived("a");
        assertFalse(patience.isThere(), "a backlog is worked off: each answer would wait for that");
        pass(PartsPatience.PROBE_EVERY);
        patience.probe("b");
        patience.arrived("a");
        assertFalse(patience.isThere());

        pass(PartsPatience.SOON);
        patience.arrived("b");

        assertTrue(patience.isThere());
        waitInVain(PartsPatience.TIMEOUTS - 1);
        assertTrue(patience.isThere(), "it counts anew");
    }

    @Test
    void shouldComeBackWhenPartsWereThereBeforeTheAnswer() {
        waitInVain(PartsPatience.TIMEOUTS);

        patience.fulfilled();

        assertTrue(patience.isThere());
    }
}
