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
import org.jspecify.annotations.Nullable;

/** A producer that forwards all calls to another one; subclasses change some. */
abstract class ForwardingProducer implements Producer<byte[], byte[]> {

    private final Producer<byte[], byte[]> target;

    ForwardingProducer(Producer<byte[], byte[]> target) {
        this.target = target;
    }

    @Override
    public final Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        return send(record, null);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        return target.send(record, callback);
    }

    @Override
    public void flush() {
        target.flush();
    }

    @Override
    public void initTransactions() {
        target.initTransactions();
    }

    @Override
    public void beginTransaction() {
        target.beginTransaction();
    }

    @Override
    public void sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata metadata) {
        target.sendOffsetsToTransaction(offsets, metadata);
    }

    @Override
    public void commitTransaction() {
        target.commitTransaction();
    }

    @Override
    public void abortTransaction() {
        target.abortTransaction();
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        return target.partitionsFor(topic);
    }

    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return target.metrics();
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {
        target.registerMetricForSubscription(metric);
    }

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {
        target.unregisterMetricFromSubscription(metric);
    }

    @Override
    public Uuid clientInstanceId(Duration timeout) {
        return target.clientInstanceId(timeout);
    }

    @Override
    public void close() {
        target.close();
    }

    @Override
    public void close(Duration timeout) {
        target.close(timeout);
    }
}
