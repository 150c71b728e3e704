package dev.laurel.processors.stream;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of a member of a group: it lasts for so long after the group's coordinator was last asked with success that a member who
 * fell silent then has not been taken for dead yet. It ends where the process is cut off from Kafka, and where it has stood still (SIGSTOP)
 * and wakes up without knowing that; in both cases others go on with its tasks. What it would read to others then is of the past:
 * {@link CatchUp} asks how far that is in the next term. What it would write is fenced with its transactions.
 *
 * <p>It does not see that a single thread hangs, which the group finds out by {@code max.poll.interval.ms}, nor that a process and the
 * coordinator are cut off from all others together. Thread-safe.
 */
public final class GroupLease implements Lease, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GroupLease.class);
    private static final Duration ASK_EVERY = Duration.ofMillis(500);

    private final String name;
    private final long limitNs;
    private final Coordinator coordinator;
    private final LongSupplier clockNs;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Term present;

    /** That of the group. */
    public interface Coordinator {

        /** Asks it anything; fails if it has not answered within a few seconds. Never blocks. */
        CompletionStage<?> ask();
    }

    /** @param heardNs when the last question was asked that has been answered */
    private record Term(int number, long heardNs) {}

    /**
     * @param name of the group, for people
     * @param limit after which a member that says nothing may be taken for dead
     */
    public GroupLease(String name, Duration limit, Coordinator coordinator) {
        this(name, limit, coordinator, System::nanoTime);
    }

    GroupLease(String name, Duration limit, Coordinator coordinator, LongSupplier clockNs) {
        this.name = name;
        this.limitNs = limit.toNanos();
        this.coordinator = coordinator;
        this.clockNs = clockNs;
        this.present = new Term(0, clockNs.getAsLong());
    }

    /** Asks from now on, on a thread of its own. @param renewed told at the start of each further term; must not block */
    public GroupLease start(Runnable renewed) {
        Thread.ofPlatform().name(name + "-lease").daemon().start(() -> run(renewed));
        return this;
    }

    private void run(Runnable renewed) {
        int missed = -1;
        try {
            while (!closing.await(ASK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                ask(renewed);
                int term = term();
                if (term != missed && !holds(term)) {
                    missed = term;
                    LOG.warn("{}: its coordinator has not been heard of for {} s: nothing here is current until it is",
                            name, TimeUnit.NANOSECONDS.toSeconds(limitNs));
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** An answer counts from when it was asked for. What is asked while another answer is open comes later, and renews for longer. */
    void ask(Runnable renewed) {
        long askedNs = clockNs.getAsLong();
        coordinator.ask().whenComplete((_, failure) -> {
            if (failure == null && isNextTerm(askedNs)) {
                LOG.info("{}: its coordinator is heard of again", name);
                renewed.run();
            }
        });
    }

    private synchronized boolean isNextTerm(long askedNs) {
        Term last = present;
        if (askedNs - last.heardNs < 0) {
            return false;
        }
        boolean isNext = isOver(last);
        present = new Term(isNext ? last.number + 1 : last.number, askedNs);
        return isNext;
    }

    private boolean isOver(Term term) {
        return clockNs.getAsLong() - term.heardNs > limitNs;
    }

    @Override
    public int term() {
        return present.number;
    }

    @Override
    public boolean holds(int term) {
        Term now = present; // before the clock: whoever falls asleep in between does not take the next term for this one
        return now.number == term && !isOver(now);
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
