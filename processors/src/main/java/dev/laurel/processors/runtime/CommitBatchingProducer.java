package dev.laurel.processors.runtime;

import dev.laurel.platform.kafka.AdaptivePollWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A transactional producer that sends records together, so that there are fewer requests and batches.
 *
 * <ul>
 *   <li>Nobody reads the records of changelogs before the commit. They are sent at the commit, or when {@value #MAX_BYTES} bytes of them
 *       wait; of the values of one key only the last one is written.
 *   <li>All other records are sent in their order when the thread has processed the records that it has and polls for more, or when
 *       {@value #MAX_BYTES} bytes of them wait. They do not wait for the commit, also if their readers do: the leaderboards write to the
 *       same topics, outside of transactions, and what they write must come after its cause.
 * </ul>
 *
 * <p>A commit that has no records, and offsets that are committed already, does not reach the brokers: Kafka Streams commits in each
 * interval in which a task has looked at the time.
 *
 * <p>With a second producer, all other records are sent at once by that, outside of transactions. A commit waits for both, so that the
 * output of a committed record has been written. Metrics are those of the first only: Kafka Streams fails if two metrics have the same
 * name.
 *
 * <p>For one thread, as Kafka Streams uses producers; callbacks come one at a time. A record that waits has no future, only a callback; the
 * callbacks of replaced records are not called.
 */
final class CommitBatchingProducer implements Producer<byte[], byte[]> {

    private static final int MAX_BYTES = 128 * 1024;

    /** Kafka Streams names changelogs by this suffix. */
    private static final String CHANGELOG = "-changelog";

    /** The most commits in turn that are left out: brokers forget a producer that they do not hear of for a day. */
    private static final int MAX_SKIPPED = 1_000;

    private static final Future<RecordMetadata> NO_FUTURE =
            CompletableFuture.failedFuture(new UnsupportedOperationException("a record that waits has no future"));

    private final Producer<byte[], byte[]> target;

    /** The last value of each key of a changelog. */
    private final Map<Entry, Deferred> deferred = new LinkedHashMap<>();

    private int bytes;

    /** The records of other topics, in their order. */
    private final List<Deferred> outputs = new ArrayList<>();

    private int outputBytes;

    /** The offsets that the last transactions have committed. */
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();

    /** The offsets that this transaction commits. */
    private final Map<TopicPartition, OffsetAndMetadata> committing = new HashMap<>();

    private boolean hasSent;
    private int skipped;

    /** Null: all records are sent in transactions. */
    private final @Nullable Producer<byte[], byte[]> early;

    private final Object callbacks = new Object();

    private record Entry(String topic, @Nullable Integer partition, Bytes key) {}

    private record Deferred(
            ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {

        int bytes() {
            return sizeOf(record.key()) + sizeOf(record.value());
        }

        private static int sizeOf(byte @Nullable [] part) {
            return part == null ? 0 : part.length;
        }
    }

    CommitBatchingProducer(Producer<byte[], byte[]> target, @Nullable Producer<byte[], byte[]> early) {
        this.target = target;
        this.early = early;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        return send(record, null);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        boolean isOfChangelog = record.topic().endsWith(CHANGELOG);
        if (early != null && !isOfChangelog) {
            return early.send(record, oneAtATime(callback));
        }
        hasSent = true;
        var change = new Deferred(record, oneAtATime(callback));
        if (!isOfChangelog) {
            defer(change);
            return NO_FUTURE;
        }
        Deferred replaced =
                deferred.put(new Entry(record.topic(), record.partition(), Bytes.wrap(record.key())), change);
        bytes += change.bytes() - (replaced == null ? 0 : replaced.bytes());
        if (bytes >= MAX_BYTES) {
            sendDeferred();
        }
        return NO_FUTURE;
    }

    /** Each producer calls back on a thread of its own; Kafka Streams relies on a single one. */
    private @Nullable Callback oneAtATime(@Nullable Callback callback) {
        return early == null || callback == null
                ? callback
                : (metadata, failure) -> {
                    synchronized (callbacks) {
                        callback.onCompletion(metadata, failure);
                    }
                };
    }

    private void defer(Deferred output) {
        if (outputs.isEmpty()) {
            AdaptivePollWait.ofThisThread().beforePoll(this::sendOutputs);
        }
        outputs.add(output);
        outputBytes += output.bytes();
        if (outputBytes >= MAX_BYTES) {
            sendOutputs();
        }
    }

    private void sendOutputs() {
        try {
            outputs.forEach(this::sendNow);
        } finally {
            dropOutputs();
        }
    }

    private void dropOutputs() {
        outputs.clear();
        outputBytes = 0;
    }

    private void sendDeferred() {
        sendOutputs();
        try {
            deferred.values().forEach(this::sendNow);
        } finally {
            drop();
        }
    }

    /** Reports all failures by the callback: a failure that a flush throws would not be recognized as a lost task. */
    private void sendNow(Deferred change) {
        try {
            target.send(change.record(), change.callback());
        } catch (KafkaException e) {
            if (change.callback() == null) {
                throw e;
            }
            change.callback().onCompletion(null, e.getCause() instanceof ApiException cause ? cause : e);
        }
    }

    private void drop() {
        dropOutputs();
        deferred.clear();
        bytes = 0;
    }

    @Override
    public void flush() {
        flushEarly();
        sendDeferred();
        target.flush();
    }

    private void flushEarly() {
        if (early != null) {
            early.flush();
        }
    }

    @Override
    public void sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata metadata) {
        if (!hasSent && skipped < MAX_SKIPPED && committed.entrySet().containsAll(offsets.entrySet())) {
            skipped++;
            return;
        }
        skipped = 0;
        sendDeferred();
        target.sendOffsetsToTransaction(offsets, metadata);
        committing.putAll(offsets);
    }

    @Override
    public void commitTransaction() {
        flushEarly();
        sendDeferred();
        target.commitTransaction();
        committed.putAll(committing);
        end();
    }

    private void end() {
        committing.clear();
        hasSent = false;
    }

    @Override
    public void abortTransaction() {
        drop();
        end();
        // What was committed is unknown after a failure of a commit.
        committed.clear();
        target.abortTransaction();
    }

    @Override
    public void close() {
        close(Duration.ofMillis(Long.MAX_VALUE));
    }

    /** Drops the records of a transaction that was not committed. */
    @Override
    public void close(Duration timeout) {
        drop();
        try {
            if (early != null) {
                early.close(timeout);
            }
        } finally {
            target.close(timeout);
        }
    }

    // The other calls go to the producer unchanged.

    @Override
    public void initTransactions() {
        target.initTransactions();
    }

    @Override
    public void beginTransaction() {
        target.beginTransaction();
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
}
