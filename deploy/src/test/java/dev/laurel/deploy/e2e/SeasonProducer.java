package dev.laurel.deploy.e2e;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes the events of a season in order with an idempotent producer: even if the broker fails, a partition contains a prefix of the
 * sent events. Those of half of the users go to the log, the others to the topic for direct producers.
 */
final class SeasonProducer implements AutoCloseable {

    private final Season season;
    private final Producer<byte[], byte[]> producer;

    SeasonProducer(Season season, String bootstrapServers) {
        this.season = season;
        this.producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "acks",
                        "all",
                        "enable.idempotence",
                        true,
                        "linger.ms",
                        2,
                        "max.block.ms",
                        30_000),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    void send(int from, int to) {
        for (int number = from; number < to; number++) {
            send(number);
        }
    }

    /** Sends events until the broker ends; only the log shows which of them arrived. */
    void trySend(int from, int to) {
        try {
            send(from, to);
        } catch (KafkaException | IllegalStateException _) {
            // The test has ended the broker or this producer.
        }
    }

    private void send(int number) {
        Season.Event event = season.event(number);
        producer.send(new ProducerRecord<>(
                topicOf(event),
                null,
                event.at().toEpochMilli(),
                event.user().getBytes(StandardCharsets.UTF_8),
                event.json().getBytes(StandardCharsets.UTF_8)));
    }

    private static String topicOf(Season.Event event) {
        return Integer.parseInt(event.user().substring(event.user().indexOf('-') + 1)) % 2 == 0
                ? DirectProducer.COMMANDS
                : DirectProducer.DIRECT;
    }

    /** @return the number of missing events */
    int sendMissing(Set<Integer> there) {
        int sent = 0;
        for (int number = 0; number < season.events(); number++) {
            if (!there.contains(number)) {
                send(number);
                sent++;
            }
        }
        producer.flush();
        return sent;
    }

    /** Abandons events in transit. */
    void abandon() {
        producer.close(Duration.ZERO);
    }

    @Override
    public void close() {
        producer.close();
    }
}
