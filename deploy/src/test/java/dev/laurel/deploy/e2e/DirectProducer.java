package dev.laurel.deploy.e2e;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes commands to the log with knowledge of its documentation only, without any code of the service. */
final class DirectProducer implements AutoCloseable {

    static final String COMMANDS = "laurel.commands";
    static final String DIRECT = "laurel.direct";
    private static final long TIMEOUT_S = 60;

    private final Producer<byte[], byte[]> producer;

    DirectProducer(String bootstrapServers) {
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Writes an event that happened at {@code at}; {@code user} is both the key and the id. */
    RecordMetadata event(String user, Instant at, String metric, String value) {
        return send(user, at, event(user, metric, value));
    }

    static String event(String user, String metric, String value) {
        return "{\"type\":\"event\",\"metric\":\"" + metric + "\",\"value\":" + value + ",\"user\":{\"id\":\"" + user
                + "\"}}";
    }

    RecordMetadata send(String key, Instant at, String value) {
        return send(
                null,
                key.getBytes(StandardCharsets.UTF_8),
                at,
                value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param partition null: that of the key
     * @return offset of the written record
     */
    RecordMetadata send(Integer partition, byte[] key, Instant at, byte[] value) {
        return send(new ProducerRecord<>(COMMANDS, partition, at.toEpochMilli(), key, value));
    }

    RecordMetadata send(ProducerRecord<byte[], byte[]> record) {
        try {
            return producer.send(record).get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while producing", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the log did not take a record", e);
        }
    }

    /** Does not wait for the write, see {@link #flush}. */
    void sendAside(String key, Instant at, String value) {
        producer.send(new ProducerRecord<>(
                COMMANDS,
                null,
                at.toEpochMilli(),
                key.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8)));
    }

    /** Likewise, to the topic of direct producers. */
    Future<RecordMetadata> produceAside(String key, Instant at, String value) {
        return producer.send(new ProducerRecord<>(
                DIRECT,
                null,
                at.toEpochMilli(),
                key.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8)));
    }

    void flush() {
        producer.flush();
    }

    int partitions() {
        return producer.partitionsFor(COMMANDS).size();
    }

    @Override
    public void close() {
        producer.close();
    }
}
