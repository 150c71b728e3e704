package dev.laurel.deploy.bench;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how fast a subject works off a backlog: it is paused, the events are written to Kafka, it is resumed, and
 * its commits are watched. Producing, starting and rebalancing are thereby outside, sending and committing inside.
 */
public final class KafkaThroughput {
    private static final long CHECK_NANOS = 10_000_000;
    private static final long QUIET_NANOS = 700_000_000;
    private static final long STALL_NANOS = 30_000_000_000L;

    private final String bootstrapServers;
    private final Subject subject;
    private final AtomicLong nextEvent;

    /** @param nextEvent the run's event numbers, shared with whatever else loads the subject */
    public KafkaThroughput(String bootstrapServers, Subject subject, AtomicLong nextEvent) {
        this.bootstrapServers = bootstrapServers;
        this.subject = subject;
        this.nextEvent = nextEvent;
    }

    /** The subject must be idle: all it has been given before is processed. */
    public ThroughputResult measure(int events) {
        return measure(events, _ -> subject.event(nextEvent.getAndIncrement()));
    }

    /** @param load what is written when something else than the run's next events is measured */
    ThroughputResult measure(int events, Backlog.Load load) {
        String topic = subject.event(0).topic();
        try (var committed = new CommittedEvents(bootstrapServers, subject.applicationId(), topic);
                var effects = new TopicEnd(bootstrapServers, subject.effectsTopic())) {
            awaitIdle(committed);
            long effectsBefore = effects.count();
            long before = subject.processed();
            long committedBefore = committed.count();
            subject.pause();
            var resources = new ResourceMeter(subject.directories());
            try {
                new Backlog(bootstrapServers).write(events, load);
                if (subject.processed() != before) {
                    throw new IllegalStateException(subject.name() + " processed events while it was paused");
                }
                resources.restart();
            } finally {
                subject.resume();
            }
            CommitRate rate = awaitCommitted(committed, committedBefore, events);
            ResourceUse use = resources.use(events);
            return new ThroughputResult(events, rate.elapsedSeconds(), rate.eventsPerSecond(),
                    (double) (effects.count() - effectsBefore) / events, use);
        }
    }

    /** Until nothing was committed for longer than a commit takes to come, so that old commits do not count as new. */
    private void awaitIdle(CommittedEvents committed) {
        long deadlineNanos = System.nanoTime() + STALL_NANOS;
        long count = committed.count();
        long quietSinceNanos = System.nanoTime();
        while (System.nanoTime() - quietSinceNanos < QUIET_NANOS) {
            LockSupport.parkNanos(CHECK_NANOS);
            long now = committed.count();
            if (now != count) {
                count = now;
                quietSinceNanos = System.nanoTime();
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException(subject.name() + " does not come to rest");
            }
        }
    }

    private CommitRate awaitCommitted(CommittedEvents committed, long before, int events) {
        var rate = new CommitRate(System.nanoTime(), events);
        long last = before;
        long deadlineNanos = System.nanoTime() + STALL_NANOS;
        while (!rate.done()) {
            LockSupport.parkNanos(CHECK_NANOS);
            // Throws when the subject has failed.
            subject.processed();
            long now = committed.count();
            rate.committed(now - before, System.nanoTime());
            if (now > last) {
                last = now;
                deadlineNanos = System.nanoTime() + STALL_NANOS;
            } else if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException(subject.name() + " stands still at " + (now - before) + " of " + events
                        + " events");
            }
        }
        return rate;
    }
}
