package dev.laurel.processors.delivery.webhook;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Flies what tasks send to webhooks, each flight on a virtual thread. One for all tasks of the process; thread-safe. How many
 * there are is bounded by the tasks.
 */
final class Flights implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final HookTargets targets;
    private final Poster poster;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition allEnded = lock.newCondition();
    private int inAir;
    private volatile boolean isClosing;

    /** @param poster closed with this */
    Flights(HookTargets targets, Poster poster, InstantSource clock) {
        this.targets = targets;
        this.poster = poster;
        this.clock = clock;
    }

    /** Whether a flight may start. */
    boolean isOpen() {
        return !isClosing;
    }

    /** @param landed told of each delivery of the flight, in order, on the flight's thread; must not block */
    void start(Flight flight, Consumer<Landing> landed) {
        count(1);
        Thread.ofVirtual().name("webhook").start(() -> {
            try {
                fly(flight, landed);
            } catch (InterruptedException _) {
                // Cancelled: its task has gone, and will send the rest wherever it comes back.
            }
        });
    }

    private void fly(Flight flight, Consumer<Landing> landed) throws InterruptedException {
        if (!flight.begin()) {
            return;
        }
        for (int i = 0; i < flight.posts().size() && !flight.isCancelled(); i++) {
            landed.accept(new Landing(flight, i, attempt(flight, flight.posts().get(i)), clock.instant()));
        }
    }

    private Outcome attempt(Flight flight, Post post) throws InterruptedException {
        try {
            return switch (targets.find(flight.endpoint(), flight.startedNs())) {
                case HookTargets.Target target -> poster.post(target, post);
                case HookTargets.Gone(String reason) -> new Outcome.Dropped(reason);
                case HookTargets.Unclear(String reason) -> new Outcome.NoAnswer(reason, 0);
            };
        } catch (RuntimeException | Error e) {
            // Without a landing the lane would be stuck for good, and nobody would know.
            return new Outcome.Fault(e);
        }
    }

    int inAir() {
        lock.lock();
        try {
            return inAir;
        } finally {
            lock.unlock();
        }
    }

    /** The task has taken note of all that came of a flight, or does not care any more. */
    void ended() {
        count(-1);
    }

    private void count(int more) {
        lock.lock();
        try {
            inAir += more;
            if (inAir == 0) {
                allEnded.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts no more flights, and gives those in the air a little time to land while their tasks still run: what lands is
     * not sent again after the next start. The tasks are closed after this.
     */
    void settle() throws InterruptedException {
        isClosing = true;
        lock.lock();
        try {
            long leftNs = GRACE.toNanos();
            while (inAir > 0 && leftNs > 0) {
                leftNs = allEnded.awaitNanos(leftNs);
            }
        } finally {
            lock.unlock();
        }
    }

    /** To be called when no task is left. */
    @Override
    public void close() {
        poster.close();
    }
}
