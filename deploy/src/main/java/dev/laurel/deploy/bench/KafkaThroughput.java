package dev.laurel.deploy.bench;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Measures how fast a subject works off a backlog: it is paused, the events are written to Kafka, it is resumed, and
 * the clock runs from the first progress to the last event. Producing, starting and rebalancing are thereby outside.
 */
public final class KafkaThroughput {
    private static final long CHECK_NANOS = 1_000_000;
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
        long before = subject.processed();
        subject.pause();
        var resources = new ResourceMeter(subject.directories());
        long target = before + events;
        long startNanos;
        long done;
        try {
            produce(events);
            if (subject.processed() != before) {
                throw new IllegalStateException(subject.name() + " processed events while it was paused");
            }
            resources.restart();
        } finally {
            subject.resume();
        }
        done = awaitBeyond(before);
        startNanos = System.nanoTime();
        long first = done;
        while (done < target) {
            done = awaitBeyond(done);
        }
        double elapsedSeconds = (System.nanoTime() - startNanos) / 1e9;
        return new ThroughputResult(events, elapsedSeconds, (target - first) / elapsedSeconds, resources.use(events));
    }

    private void produce(int events) {
        var failure = new AtomicReference<Exception>();
        try (var producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers, ProducerConfig.LINGER_MS_CONFIG, 5,
                        ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < events; i++) {
                producer.send(subject.event(nextEvent.getAndIncrement()), (_, thrown) -> {
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

    private long awaitBeyond(long count) {
        long deadlineNanos = System.nanoTime() + STALL_NANOS;
        long now = subject.processed();
        while (now <= count) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException(
                        subject.name() + " stands still at " + now + " events for " + STALL_NANOS / 1_000_000_000
                                + " s");
            }
            LockSupport.parkNanos(CHECK_NANOS);
            now = subject.processed();
        }
        return now;
    }
}
