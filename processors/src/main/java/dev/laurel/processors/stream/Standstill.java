package dev.laurel.processors.stream;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.StateStore;

/**
 * Knows whether the whole process has stood still (SIGSTOP, a machine that was moved) for so long that its tasks are somebody else's
 * by now. It wakes up without knowing that, and for a moment goes on where it was. What it would read to others then is of the past:
 * {@link CatchUp} asks how far that is. What it would write is fenced with its transactions; what goes out beside them would be of
 * the past, too. So the tasks that do that are given up before they process anything more, and join again. Thread-safe.
 */
public final class Standstill implements AutoCloseable {

    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final long limitNs;
    private final LongSupplier clockNs;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile long lookedNs;
    private volatile int count;

    /** @param limit after which a member that says nothing may be taken for dead */
    public Standstill(Duration limit) {
        this(limit, System::nanoTime);
    }

    Standstill(Duration limit, LongSupplier clockNs) {
        this.limitNs = limit.toNanos();
        this.clockNs = clockNs;
        this.lookedNs = clockNs.getAsLong();
    }

    /** Looks from now on, on a thread of its own. @param awoken told there, soon after each standstill */
    public Standstill start(Runnable awoken) {
        Thread.ofPlatform().name("standstill").daemon().start(() -> run(awoken));
        return this;
    }

    private void run(Runnable awoken) {
        int told = count;
        try {
            while (!closing.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                int now = look();
                if (now != told) {
                    told = now;
                    awoken.run();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized int look() {
        long nowNs = clockNs.getAsLong();
        if (nowNs - lookedNs > limitNs) {
            count++; // before the time of it: who reads that without a lock sees this, too
        }
        lookedNs = nowNs;
        return count;
    }

    /** How often it has happened by now. Whoever asks first after it finds it out, whichever thread that is. */
    int count() {
        return clockNs.getAsLong() - lookedNs > limitNs ? look() : count;
    }

    /** The same, and a task that is older than the last standstill ends with {@link TaskMigratedException}. */
    public Progress guarding(Progress progress) {
        return partition -> {
            Progress.Watch watch = progress.started(partition);
            int seen = count();
            return new Progress.Watch() {
                @Override
                public void opened(Function<String, StateStore> stores) {
                    watch.opened(stores);
                }

                @Override
                public void reached(long offset) {
                    if (count() != seen) {
                        throw new TaskMigratedException("this process stood still for more than "
                                + Duration.ofNanos(limitNs).toMillis() + " ms: partition " + partition
                                + " may be another one's", null);
                    }
                    watch.reached(offset);
                }

                @Override
                public void stopped() {
                    watch.stopped();
                }
            };
        };
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
