package dev.laurel.platform.kafka;

import dev.laurel.schemas.topic.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a compacted topic of one partition and applies every committed record, on a thread of its own. A table in memory reads the
 * topic from its beginning. A table in a {@link TableFolder} continues where it was closed or killed. It begins anew if the topic is
 * another one, lacks records that the table has not read, or may have lost deletions. A failure ends the thread and is reported,
 * since a table that stops silently would serve outdated values.
 */
public abstract class TopicTable<K, V> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TopicTable.class);

    /** The format of the entries of all tables on disk. A change of the entries of any table must increase it. */
    private static final int FORMAT = 2;
    private static final Duration POLL = Duration.ofSeconds(1);

    /** A record ends the wait of a fetch, so this only limits the requests while there are none. */
    private static final int FETCH_MAX_WAIT_MS = 2_000;

    /** How often it is determined whether the end of the topic has been reached. */
    private static final long CONFIRM_EVERY_NS = TimeUnit.SECONDS.toNanos(60);
    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(5);

    private final Topic<K, V> topic;
    private final Consumer<Throwable> onFault;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Admin admin;
    private final CountDownLatch caughtUp = new CountDownLatch(1);
    private final Thread thread;

    /** Null: in memory. */
    private final @Nullable TableStore store;

    /** How far the topic has been read; of the thread. */
    private TableStore.Position progress = TableStore.Position.beginning(FORMAT, Uuid.ZERO_UUID, 0, 0);

    /** The last time at which the end was confirmed, or the start; of the thread. */
    private long confirmedMs;
    private long triedConfirmingNs = System.nanoTime() - CONFIRM_EVERY_NS;
    private volatile long position;
    private volatile @Nullable Throwable fault;
    private volatile boolean isClosing;

    /** Barriers that wait until the records now in the topic have been read. */
    private final Queue<CompletableFuture<Void>> barriers = new ConcurrentLinkedQueue<>();

    /**
     * Whether a barrier was added that the thread has not seen yet. One wakeup of the poll suffices for all of them.
     */
    private final AtomicBoolean hasNewBarriers = new AtomicBoolean();

    /**
     * Creates a table in memory.
     *
     * @param clientConfig settings of the Kafka clients
     * @param onFault receives the failure that ended the thread, on that thread
     */
    protected TopicTable(Topic<K, V> topic, Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this(topic, clientConfig, null, onFault);
    }

    /** @param store closed with the table; null: in memory */
    @SuppressWarnings("this-escape") // The thread does not run before start().
    TopicTable(Topic<K, V> topic, Map<String, Object> clientConfig, @Nullable TableStore store,
            Consumer<Throwable> onFault) {
        this.topic = topic;
        this.store = store;
        this.onFault = onFault;
        var config = new HashMap<>(clientConfig);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, store == null ? "earliest" : "none");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MS);
        this.consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.admin = Admin.create(clientConfig);
        this.thread = Thread.ofPlatform().name("table-" + topic.name()).daemon().unstarted(this::follow);
    }

    /**
     * Applies a record; called in the order of the offsets, on the table's thread.
     *
     * @param value null: the key was deleted
     */
    protected abstract void put(K key, byte @Nullable [] value, long offset);

    /** Takes over what the table has on disk. Called on the table's thread before the first record, unless there is nothing. */
    void load() {}

    /** Called on the table's thread when other threads can read the records that were applied. */
    void written() {}

    /** Deserializes a value of the topic; null if there is none. */
    protected final @Nullable V read(byte @Nullable [] value) {
        return value == null ? null : topic.value().deserializer().deserialize(topic.name(), value);
    }

    /** Starts following; returns at once. */
    public void start() {
        thread.start();
    }

    /**
     * Waits until all records that existed at the start have been read.
     *
     * @param timeout how long to wait for a further record, since the first start of a large table takes its time
     */
    public void awaitCaughtUp(Duration timeout) throws InterruptedException {
        long before;
        boolean isCaughtUp;
        do {
            before = position;
            isCaughtUp = caughtUp.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } while (!isCaughtUp && position > before);
        if (fault != null) {
            throw new IllegalStateException("cannot read " + topic.name() + ": " + fault.getMessage(), fault);
        }
        if (!isCaughtUp) {
            throw new IllegalStateException("could not read " + topic.name() + " within " + timeout);
        }
    }

    /**
     * Completes when all committed records that were written to the topic before this call have been applied; fails if
     * the table has stopped. Also waits for transactions that are open at the time of the call:
     * Kafka completes a transaction partition by partition, so a transaction whose records are visible in another
     * partition may still appear open here.
     */
    public CompletableFuture<Void> barrier() {
        var barrier = new CompletableFuture<Void>();
        barriers.add(barrier);
        if (fault != null || isClosing) {
            failBarriers();
        } else if (!hasNewBarriers.getAndSet(true)) {
            consumer.wakeup();
        }
        return barrier;
    }

    /**
     * Waits until all records that were written before this call have been applied.
     *
     * @return false if the timeout expires first or the table has stopped
     */
    public boolean awaitNewest(Duration timeout) throws InterruptedException {
        try {
            barrier().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException _) {
            return false; // a table that has stopped has reported its fault already
        }
    }

    /** The offset after the last record that was applied. */
    public long position() {
        return position;
    }

    private void follow() {
        try {
            followAndClose();
            failBarriers();
        } catch (RuntimeException | Error e) {
            if (isClosing) {
                failBarriers();
            } else {
                fail(e);
            }
        }
    }

    private void followAndClose() {
        var partition = new TopicPartition(topic.name(), 0);
        try {
            consumer.assign(List.of(partition));
            // Before the end is determined: what is deleted from now on is seen.
            long nowMs = System.currentTimeMillis();
            long end = Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
            seek(partition, end, nowMs);
            while (!isClosing) {
                // Before the first poll too, which would wait for a record of an empty topic.
                if (caughtUp.getCount() > 0 && consumer.position(partition) >= end) {
                    caughtUp.countDown();
                }
                readNext(partition);
                confirmEnd(partition); // first, since a barrier may wake it up
                while (hasNewBarriers.getAndSet(false) && !isClosing) {
                    readUpToBarriers(partition);
                }
            }
        } finally {
            closeClients();
        }
    }

    /** Continues at the offset that the table on disk has reached, if that is possible. */
    private void seek(TopicPartition partition, long end, long nowMs) {
        confirmedMs = nowMs;
        if (store == null) {
            consumer.seekToBeginning(List.of(partition));
            return;
        }
        long beginning = Objects.requireNonNull(consumer.beginningOffsets(List.of(partition)).get(partition));
        var anew = TableStore.Position.beginning(FORMAT, topicId(), beginning, nowMs);
        TableStore.Position found = store.position();
        String problem = found == null ? null : found.problem(anew, end, nowMs);
        if (problem != null) {
            LOG.warn("Reads {} from its beginning, because the table on disk cannot be continued: {}", topic.name(),
                    problem);
            store.clear();
        } else if (found != null) {
            load();
        }
        progress = found == null || problem != null ? anew : found;
        position = progress.applied();
        consumer.seek(partition, progress.next());
    }

    private Uuid topicId() {
        try {
            return Objects.requireNonNull(admin.describeTopics(List.of(topic.name())).allTopicNames().get()
                    .get(topic.name())).topicId();
        } catch (ExecutionException e) {
            throw new KafkaException("cannot describe " + topic.name(), e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /**
     * Notes that a table on disk has reached the end of the topic, about once a minute, and at once after the process was suspended.
     *
     * @throws IllegalStateException if there are records again after so long that deletions may be missing between them
     */
    private void confirmEnd(TopicPartition partition) {
        long nowMs = System.currentTimeMillis();
        boolean isLate = TableStore.Position.isTooLong(confirmedMs, nowMs);
        boolean isDue = isLate || System.nanoTime() - triedConfirmingNs >= CONFIRM_EVERY_NS;
        if (store == null || isClosing || caughtUp.getCount() > 0 || !isDue) {
            return;
        }
        long end;
        long next;
        try {
            triedConfirmingNs = System.nanoTime();
            end = committedEnd(partition);
            next = consumer.position(partition);
        } catch (ExecutionException | TimeoutException _) {
            return; // Kafka does not answer now, which the next fetch reports if it is more than that
        } catch (WakeupException _) {
            return; // the table is being closed or has a new barrier
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        boolean isUnchanged = next == end && next == progress.confirmedNext();
        if (isLate && !isUnchanged) {
            throw new IllegalStateException(topic.name() + " could not be read from "
                    + Instant.ofEpochMilli(confirmedMs) + " on, and may no longer have all deletions since then;"
                    + " the next start reads it from its beginning");
        }
        if (next >= end) {
            confirmedMs = nowMs;
            progress = progress.confirmed(next, nowMs);
            store.write(progress);
        }
    }

    /** The end of the partition without open transactions. Not by the consumer, whose fetch may wait for a record. */
    private long committedEnd(TopicPartition partition)
            throws ExecutionException, InterruptedException, TimeoutException {
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()),
                new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)).partitionResult(partition)
                .get(CONFIRM_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).offset();
    }

    /** There is nothing to commit, so nothing is waited for, in particular not for a fetch under way. */
    private void closeClients() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
        admin.close(Duration.ZERO);
    }

    private void readNext(TopicPartition partition) {
        long applied = position;
        long next = applied;
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                put(topic.key().deserializer().deserialize(topic.name(), record.key()), record.value(),
                        record.offset());
                applied = record.offset() + 1;
            }
            next = consumer.position(partition);
        } catch (WakeupException _) {
            // The table is being closed or a barrier was added: the loop checks both.
        } catch (InvalidOffsetException e) {
            if (store != null) {
                store.discard("the topic lost records: " + e.getMessage());
            }
            throw e;
        }
        if (applied > position) {
            if (store != null) {
                progress = progress.at(Math.max(next, applied), applied);
                store.write(progress);
            }
            written();
            position = applied;
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
                    barriers.addAll(waiting); // they fail with the others
                    return;
                }
                readNext(partition);
            }
        } catch (RuntimeException | Error e) {
            barriers.addAll(waiting);
            throw e;
        }
        waiting.forEach(barrier -> barrier.complete(null));
    }

    /**
     * The end of the partition including open transactions; a read_committed consumer would report the start of the
     * first open one.
     */
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
        LOG.error("Stopped following {} after a failure", topic.name(), cause);
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
            closeClients();
        }
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(Duration.ofSeconds(5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (store != null) {
            store.close();
        }
    }
}
