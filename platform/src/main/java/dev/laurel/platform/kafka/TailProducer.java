package dev.laurel.platform.kafka;

import dev.laurel.platform.kafka.TopicTails.Isolation;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A producer that adds each acknowledged record to the tails of its partition, before the callback. Thread-safe. */
public final class TailProducer extends KafkaProducer<byte[], byte[]> {

    private final TopicTails tails;
    private final Isolation isolation;

    public TailProducer(Map<String, Object> config, TopicTails tails) {
        super(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.tails = tails;
        this.isolation = config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG) == null
                ? Isolation.COMMITTED
                : Isolation.UNCOMMITTED;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        return super.send(record, (stored, failure) -> {
            if (failure == null) {
                tails.add(record, stored, isolation);
            }
            if (callback != null) {
                callback.onCompletion(stored, failure);
            }
        });
    }
}
