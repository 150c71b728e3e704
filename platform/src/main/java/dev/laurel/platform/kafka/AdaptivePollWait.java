package dev.laurel.platform.kafka;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Ends the waits for records of one thread that polls a {@link LocalFirstConsumer}. While the thread has work, and for {@value #QUIET_MS}
 * ms after it, its waits are short, since commits and other work that waits for a time are done between two polls. After that they are as
 * long as the caller of the poll allows. What a thread has still to do before it waits is done then, see {@link #beforePoll}. A thread that
 * polls no such consumer is not affected. Thread-safe, except where stated.
 */
public final class AdaptivePollWait {

    /** The longest wait of a thread without work: how late work is noticed of which nobody tells. */
    public static final Duration LONGEST = Duration.ofMillis(500);

    /** Work that is due within this time, in milliseconds, counts as work. Longer than the longest wait. */
    public static final long AHEAD_MS = 1_000;

    /** Longer than the time between commits that others wait for. */
    private static final long QUIET_MS = 2_000;

    private static final Runnable NOBODY = () -> {};
    private static final ThreadLocal<AdaptivePollWait> OF_THREAD =
            ThreadLocal.withInitial(() -> new AdaptivePollWait(System::nanoTime));

    private final LongSupplier clockNs;
    private volatile long activeNs;
    private volatile Runnable waker = NOBODY;

    /** What the thread does when it polls next. */
    private Runnable next = NOBODY;

    AdaptivePollWait(LongSupplier clockNs) {
        this.clockNs = clockNs;
        this.activeNs = clockNs.getAsLong();
    }

    /** The same object at each call on a thread. */
    public static AdaptivePollWait ofThisThread() {
        return OF_THREAD.get();
    }

    /** There is work: ends the wait, if there is one. */
    public void now() {
        activeNs = clockNs.getAsLong();
        waker.run();
    }

    /** There is work, or will be within {@value #AHEAD_MS} ms: the next waits are short. Called by the thread itself. */
    public void soon() {
        activeNs = clockNs.getAsLong();
    }

    /** Replaces what the thread does, once, when it polls next. Called by the thread itself. */
    public void beforePoll(Runnable work) {
        next = work;
    }

    /** Does what the thread has to do before it polls. Called by the thread itself at each poll. */
    public void polls() {
        Runnable work = next;
        next = NOBODY;
        work.run();
    }

    /** @param waker ends a wait that has begun; called by any thread */
    void setWaker(Runnable waker) {
        this.waker = waker;
    }

    /**
     * The time to wait. A waker that is called after this can end the wait.
     *
     * @param timeout of a thread without work
     * @param whileActive the most for a thread that has work
     */
    Duration limit(Duration timeout, Duration whileActive) {
        boolean isQuiet = clockNs.getAsLong() - activeNs > TimeUnit.MILLISECONDS.toNanos(QUIET_MS);
        return isQuiet || timeout.compareTo(whileActive) < 0 ? timeout : whileActive;
    }
}
