package dev.laurel.platform.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AdaptivePollWaitTest {

    private static final Duration BRIEF = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofMillis(250);

    private final AtomicLong clockNs = new AtomicLong(Long.MAX_VALUE - 1_000_000);
    private final AdaptivePollWait wakeup = new AdaptivePollWait(clockNs::get);

    private Duration limit() {
        return wakeup.limit(LONG, BRIEF);
    }

    private void advance(long millis) {
        clockNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void shouldWaitBrieflyUntilAThreadHasBeenQuietForAWhile() {
        assertEquals(BRIEF, limit());
        advance(2_000);
        assertEquals(BRIEF, limit());
        advance(1);
        assertEquals(LONG, limit());
    }

    @Test
    void shouldWaitBrieflyAfterWork() {
        advance(60_000);
        wakeup.soon();
        assertEquals(BRIEF, limit());
        advance(60_000);
        wakeup.now();
        assertEquals(BRIEF, limit());
    }

    @Test
    void shouldNotWaitLongerThanTheCallerWants() {
        assertEquals(Duration.ofMillis(5), wakeup.limit(Duration.ofMillis(5), BRIEF));
        advance(60_000);
        assertEquals(Duration.ZERO, wakeup.limit(Duration.ZERO, BRIEF));
    }

    /** The waker comes after the note of the work, so that a wait that begins meanwhile is short. */
    @Test
    void shouldEndAWaitAfterNotingTheWork() {
        var woken = new AtomicInteger();
        wakeup.setWaker(() -> {
            assertEquals(BRIEF, limit());
            woken.incrementAndGet();
        });
        advance(60_000);
        wakeup.soon();
        assertEquals(0, woken.get());
        advance(60_000);
        wakeup.now();
        assertEquals(1, woken.get());
    }

    @Test
    void shouldBeOneForEachThread() {
        AdaptivePollWait own = AdaptivePollWait.ofThisThread();
        assertSame(own, AdaptivePollWait.ofThisThread());
        assertNotSame(
                own,
                CompletableFuture.supplyAsync(AdaptivePollWait::ofThisThread).join());
    }
}
