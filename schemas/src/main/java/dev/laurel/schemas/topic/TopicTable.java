package dev.laurel.schemas.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a small compacted topic of one partition from its beginning and hands every committed record to a listener, on
 * one thread of its own. A failure ends that thread and is told to {@code onFault}: a table that silently stands still
 * would let its owner decide by yesterday's rules.
 */
public final class TopicTable<K, V> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TopicTable.class);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final Topic<K, V> topic;
    private final RecordListener<K> listener;
    private final Consumer<Throwable> onFault;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Admin admin;
    private final CountDownLatch caughtUp = new CountDownLatch(1);
    private final Thread thread;
    private volatile long position;
    private volatile Throwable fault;
    private volatile boolean isClosing;

    /** Those who wait until everything has been read that is in the topic now. */
    private final Queue<CompletableFuture<Void>> barriers = new ConcurrentLinkedQueue<>();

    /** Whether someone waits at a barrier who has not been seen yet: one call out of the poll is enough for all of them. */
    private final AtomicBoolean isAsked = new AtomicBoolean();

    /** Gets each record as it was written. */
    public interface RecordListener<K> {

        /** @param value null where the key was deleted */
        void accept(K key, byte[] value, long offset);
    }

    /**
     * @param clientConfig how to reach Kafka
     * @param listener gets each key with its value, null where it was deleted
     */
    public TopicTable(Topic<K, V> topic, Map<String, Object> clientConfig, BiConsumer<K, V> listener,
            Consumer<Throwable> onFault) {
        this(clientConfig, topic,
                (key, value, _) -> listener.accept(key,
                        topic.value().deserializer().deserialize(topic.name(), value)),
                onFault);
    }

    /** A table that leaves it to the listener what is made of the values. */
    public static <K, V> TopicTable<K, V> ofBytes(Topic<K, V> topic, Map<String, Object> clientConfig,
            RecordListener<K> listener, Consumer<Throwable> onFault) {
        return new TopicTable<>(clientConfig, topic, listener, onFault);
    }

    private TopicTable(Map<String, Object> clientConfig, Topic<K, V> topic, RecordListener<K> listener,
            Consumer<Throwable> onFault) {
        this.topic = topic;
        this.listener = listener;
        this.onFault = onFault;
        var config = new HashMap<>(clientConfig);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        this.consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.admin = Admin.create(clientConfig);
        this.thread = Thread.ofPlatform().name("table-" + topic.name()).daemon().unstarted(this::follow);
    }

    /** Starts following; returns at once. */
    public void start() {
        thread.start();
    }

    /** Waits until everything that was there at the start has been read. */
    public void awaitCaughtUp(Duration timeout) throws InterruptedException {
        boolean isThere = caughtUp.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
        if (fault != null) {
            throw new IllegalStateException("cannot read " + topic.name() + ": " + fault.getMessage(), fault);
        }
        if (!isThere) {
            throw new IllegalStateException("could not read " + topic.name() + " within " + timeout);
        }
    }

    /**
     * Completes when everything has been handed over that was written to the topic before this call and is or gets committed;
     * fails if the table has stopped. Transactions that are open at the call are waited for: Kafka ends one partition by
     * partition, so whoever has seen a part of it elsewhere asks about something that still looks open here.
     */
    public CompletableFuture<Void> barrier() {
        var barrier = new CompletableFuture<Void>();
        barriers.add(barrier);
        if (fault != null || isClosing) {
            failBarriers();
        } else if (!isAsked.getAndSet(true)) {
            consumer.wakeup();
        }
        return barrier;
    }

    /** Offset behind the last record that was handed over. */
    long position() {
        return position;
    }

    private void follow() {
        var partition = new TopicPartition(topic.name(), 0);
        try (admin; consumer) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (!isClosing) {
                readNext();
                if (caughtUp.getCount() > 0 && consumer.position(partition) >= end) {
                    caughtUp.countDown();
                }
                while (isAsked.getAndSet(false) && !isClosing) {
                    readUpToBarriers(partition);
                }
            }
            failBarriers();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void readNext() {
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                listener.accept(topic.key().deserializer().deserialize(topic.name(), record.key()), record.value(),
                        record.offset());
                position = record.offset() + 1;
            }
        } catch (WakeupException _) {
            // Someone closes the table or waits at a barrier: the loop looks.
        }
    }

    private void readUpToBarriers(TopicPartition partition) {
        var waiting = new ArrayList<CompletableFuture<Void>>();
        for (var barrier = barriers.poll(); barrier != null; barrier = barriers.poll()) {
            waiting.add(barrier);
        }
        try {
            long end = writtenEnd(partition);
            while (consumer.position(partition) < end) {
                if (isClosing) {
                    barriers.addAll(waiting); // to fail with the others
                    return;
                }
                readNext();
            }
        } catch (RuntimeException | Error e) {
            barriers.addAll(waiting);
            throw e;
        }
        waiting.forEach(barrier -> barrier.complete(null));
    }

    /** Behind everything that is written, in open transactions too; the consumer itself would say where the first one begins. */
    private long writtenEnd(TopicPartition partition) {
        try {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition).get().offset();
        } catch (ExecutionException e) {
            throw new KafkaException("cannot find the end of " + partition, e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private void failBarriers() {
        for (var barrier = barriers.poll(); barrier != null; barrier = barriers.poll()) {
            barrier.completeExceptionally(new IllegalStateException(topic.name() + " is no longer followed", fault));
        }
    }

    private void fail(Throwable cause) {
        LOG.error("stopped following {}", topic.name(), cause);
        fault = cause;
        caughtUp.countDown();
        failBarriers();
        onFault.accept(cause);
    }

    /** Stops following and waits for the thread. */
    @Override
    public void close() {
        isClosing = true;
        consumer.wakeup();
        if (thread.getState() == Thread.State.NEW) {
            admin.close();
            consumer.close();
            return;
        }
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
