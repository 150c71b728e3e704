package dev.laurel.processors.stream;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of a member of a consumer group. It lasts after each successful request to the group's coordinator for as long as a
 * member that failed at that moment would not yet count as dead. It ends when the process is cut off from Kafka, and when the process
 * was suspended (SIGSTOP) and resumes without noticing; in both cases others take over its tasks. Its reads then show the past, so
 * that {@link StartupCatchUp} checks them in the next term; its writes are fenced with its transactions.
 *
 * <p>The lease does not detect a single thread that hangs, for which the group has {@code max.poll.interval.ms}, nor a process that is
 * cut off from all others together with the coordinator. Thread-safe.
 */
public final class GroupLease implements StartupCatchUp.Lease, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GroupLease.class);
    private static final Duration ASK_EVERY = Duration.ofSeconds(1);

    private final String name;
    private final long limitNs;
    private final Coordinator coordinator;
    private final LongSupplier clockNs;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Term present;

    /** The coordinator of the group. */
    public interface Coordinator {

        /** Sends any request; fails if there is no answer within a few seconds. Never blocks. */
        CompletionStage<?> ask();
    }

    /** @param heardNs time of the last request that has been answered */
    private record Term(int number, long heardNs) {}

    /**
     * @param name of the group, for the log
     * @param limit after which a silent member may count as dead
     */
    public GroupLease(String name, Duration limit, Coordinator coordinator, LongSupplier clockNs) {
        this.name = name;
        this.limitNs = limit.toNanos();
        this.coordinator = coordinator;
        this.clockNs = clockNs;
        this.present = new Term(0, clockNs.getAsLong());
    }

    /** Begins to send requests, on a thread of its own. @param renewed called at the start of each further term; must not block */
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
                    LOG.warn(
                            "{}: no answer from the coordinator for {} s; reads here are not current until it answers",
                            name,
                            TimeUnit.NANOSECONDS.toSeconds(limitNs));
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a request. An answer renews the lease from the time of its request; a later request renews it for longer. */
    void ask(Runnable renewed) {
        long askedNs = clockNs.getAsLong();
        coordinator.ask().whenComplete((_, failure) -> {
            if (failure == null && isNextTerm(askedNs)) {
                LOG.info("{}: the coordinator answers again", name);
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
        Term now = present; // Read before the clock, so that a suspension in between cannot confuse two terms.
        return now.number == term && !isOver(now);
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
