package dev.laurel.processors.runtime;

import java.time.Duration;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Sends changelog records in transactions through one producer, and all other records at once through another. A commit waits for
 * both, so the output of a committed record has been written. Metrics are those of the changelog producer only: Kafka Streams fails
 * if two metrics have the same name. For one thread, as Kafka Streams uses producers; callbacks come one at a time.
 */
final class SplitProducer extends ForwardingProducer {

    private final Producer<byte[], byte[]> stores;
    private final Producer<byte[], byte[]> others;
    private final Object callbacks = new Object();

    SplitProducer(Producer<byte[], byte[]> stores, Producer<byte[], byte[]> others) {
        super(stores);
        this.stores = stores;
        this.others = others;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        Producer<byte[], byte[]> producer = isOfChangelog(record) ? stores : others;
        return producer.send(record, callback == null ? null : oneAtATime(callback));
    }

    /** Each producer calls back on a thread of its own; Kafka Streams relies on a single one. */
    private Callback oneAtATime(Callback callback) {
        return (metadata, failure) -> {
            synchronized (callbacks) {
                callback.onCompletion(metadata, failure);
            }
        };
    }

    @Override
    public void flush() {
        others.flush();
        super.flush();
    }

    @Override
    public void commitTransaction() {
        others.flush();
        super.commitTransaction();
    }

    @Override
    public void close() {
        try (stores) {
            others.close();
        }
    }

    @Override
    public void close(Duration timeout) {
        try {
            others.close(timeout);
        } finally {
            super.close(timeout);
        }
    }
}
