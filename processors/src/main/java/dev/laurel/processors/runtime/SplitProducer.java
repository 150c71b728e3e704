package dev.laurel.processors.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;

/**
 * Sends changelog records in transactions through one producer, and all other records at once through another. A commit waits for
 * both, so the output of a committed record has been written. For one thread, as Kafka Streams uses producers; callbacks come one at
 * a time.
 */
final class SplitProducer implements Producer<byte[], byte[]> {

    private final Producer<byte[], byte[]> stores;
    private final Producer<byte[], byte[]> others;
    private final String changelog;
    private final Object callbacks = new Object();

    /** @param changelog suffix of the names of changelog topics */
    SplitProducer(Producer<byte[], byte[]> stores, Producer<byte[], byte[]> others, String changelog) {
        this.stores = stores;
        this.others = others;
        this.changelog = changelog;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        return of(record).send(record);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        return of(record).send(record, oneAtATime(callback));
    }

    private Producer<byte[], byte[]> of(ProducerRecord<byte[], byte[]> record) {
        return record.topic().endsWith(changelog) ? stores : others;
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
        stores.flush();
    }

    @Override
    public void initTransactions() {
        stores.initTransactions();
    }

    @Override
    public void beginTransaction() {
        stores.beginTransaction();
    }

    @Override
    public void sendOffsetsToTransaction(Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata metadata) {
        stores.sendOffsetsToTransaction(offsets, metadata);
    }

    @Override
    public void commitTransaction() {
        others.flush();
        stores.commitTransaction();
    }

    @Override
    public void abortTransaction() {
        stores.abortTransaction();
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        return stores.partitionsFor(topic);
    }

    /** The metrics of the changelog producer only: Kafka Streams fails if two metrics have the same name. */
    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return stores.metrics();
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {
        stores.registerMetricForSubscription(metric);
    }

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {
        stores.unregisterMetricFromSubscription(metric);
    }

    @Override
    public Uuid clientInstanceId(Duration timeout) {
        return stores.clientInstanceId(timeout);
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
            stores.close(timeout);
        }
    }
}
