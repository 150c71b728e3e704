package dev.laurel.deploy.bench;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes many events to Kafka at once, for somebody to work off. */
final class Backlog {
    private static final int LINGER_MS = 5;
    private static final int BATCH_BYTES = 128 * 1024;

    private final String bootstrapServers;

    Backlog(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    /** What is written. */
    @FunctionalInterface
    interface Load {

        /** @param number from 0, each once and in order */
        ProducerRecord<byte[], byte[]> event(int number);
    }

    /** Returns when the broker has all of them. */
    void write(int events, Load load) {
        var failure = new AtomicReference<Exception>();
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
}
