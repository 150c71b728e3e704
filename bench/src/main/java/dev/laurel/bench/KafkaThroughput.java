package dev.laurel.bench;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Measures how fast a subject processes a backlog: it pauses the subject, writes the events to Kafka, resumes the
 * subject and watches its commits. This excludes producing, starting and rebalancing, and includes sending and
 * committing.
 */
final class KafkaThroughput {
    private static final long CHECK_NANOS = 10_000_000;
    private static final long QUIET_NANOS = 700_000_000;
    private static final long STALL_NANOS = 30_000_000_000L;
    private static final int LINGER_MS = 5;
    private static final int BATCH_BYTES = 128 * 1024;

    private final String bootstrapServers;
    private final Subject subject;

    KafkaThroughput(String bootstrapServers, Subject subject) {
        this.bootstrapServers = bootstrapServers;
        this.subject = subject;
    }

    /** Creates the events of a backlog. */
    @FunctionalInterface
    interface Load {

        /** @param number number from 0, ascending */
        ProducerRecord<byte[], byte[]> event(int number);
    }

    /** The subject must be idle. */
    Result measure(int events, Load load) {
        String topic = subject.event(0).topic();
        try (var committed = new CommittedEvents(bootstrapServers, subject.applicationId(), topic)) {
            awaitIdle(committed);
            long effectsBefore = committed.recordsOf(subject.effectsTopic());
            long before = subject.processed();
            long committedBefore = committed.count();
            subject.streams().pause();
            var resources = new ResourceMeter(subject.directories());
            try {
                write(bootstrapServers, events, load);
                if (subject.processed() != before) {
                    throw new IllegalStateException(subject.name() + " processed events while it was paused");
                }
                resources.restart();
            } finally {
                subject.streams().resume();
            }
            CommitRate rate = awaitCommitted(committed, committedBefore, events);
            ResourceMeter.Use use = resources.use(events);
            long effects = committed.recordsOf(subject.effectsTopic()) - effectsBefore;
            return new Result(events, rate.elapsedSeconds(), rate.eventsPerSecond(), (double) effects / events, use);
        }
    }

    /** Writes many events to Kafka at once; returns when the broker has all of them. */
    static void write(String bootstrapServers, int events, Load load) {
        var failure = new AtomicReference<@Nullable Exception>();
        try (var producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers, ProducerConfig.LINGER_MS_CONFIG,
                        LINGER_MS, ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < events; i++) {
                producer.send(load.event(i), (_, thrown) -> {
                    if (thrown != null) {
                        failure.compareAndSet(null, thrown);
                    }
                });
            }
        }
        if (failure.get() != null) {
            throw new IllegalStateException("Cannot write the events to measure", failure.get());
        }
    }

    /** Waits until nothing was committed for longer than a commit interval, so that earlier commits are not counted. */
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
                throw new IllegalStateException(subject.name() + " keeps committing events without load");
            }
        }
    }

    private CommitRate awaitCommitted(CommittedEvents committed, long before, int events) {
        var rate = new CommitRate(System.nanoTime(), events);
        long last = before;
        long deadlineNanos = System.nanoTime() + STALL_NANOS;
        while (!rate.done()) {
            LockSupport.parkNanos(CHECK_NANOS);
            // throws if the subject has failed
            subject.processed();
            long now = committed.count();
            rate.committed(now - before, System.nanoTime());
            if (now > last) {
                last = now;
                deadlineNanos = System.nanoTime() + STALL_NANOS;
            } else if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException(subject.name() + " stopped processing after " + (now - before) + " of "
                        + events + " events");
            }
        }
        return rate;
    }

    /**
     * Result of events through Kafka at the maximum rate, see {@link CommitRate}.
     *
     * @param effectsPerEvent effects per event
     */
    record Result(long events, double elapsedSeconds, double eventsPerSecond, double effectsPerEvent,
            ResourceMeter.Use resources) {}

    /**
     * Computes the rate between two commits. Excludes the first interval, which began before the work, and the last,
     * which ends after it; the remaining ones contain processing, sending and committing in their true proportion. If
     * a run is too short for two such commits, the rate is that of the whole run. Used by one thread.
     */
    static final class CommitRate {
        private final long startNanos;
        private final long target;
        private long firstNanos;
        private long firstCount;
        private long lastNanos;
        private long lastCount;
        private long endNanos;

        /** @param target number of events at the end of the run */
        CommitRate(long startNanos, long target) {
            this.startNanos = startNanos;
            this.target = target;
        }

        /** @param committed committed events of this run; must not decrease */
        void committed(long committed, long nowNanos) {
            if (committed <= lastCount) {
                return;
            }
            if (committed >= target) {
                endNanos = nowNanos;
                return;
            }
            if (firstCount == 0) {
                firstCount = committed;
                firstNanos = nowNanos;
            }
            lastCount = committed;
            lastNanos = nowNanos;
        }

        boolean done() {
            return endNanos != 0;
        }

        double elapsedSeconds() {
            return (endNanos - startNanos) / 1e9;
        }

        double eventsPerSecond() {
            if (lastCount > firstCount && lastNanos > firstNanos) {
                return (lastCount - firstCount) / ((lastNanos - firstNanos) / 1e9);
            }
            return target / elapsedSeconds();
        }
    }
}
