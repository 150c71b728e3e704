package dev.laurel.gateway;

import static dev.laurel.platform.kafka.KafkaClients.POLL;

import dev.laurel.platform.trace.Tracing;
import dev.laurel.platform.trace.Tracing.Span;
import dev.laurel.platform.trace.Tracing.TraceHeaders;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads this gateway's partition of {@code laurel.replies} from its end, and passes each reply and each part of a reply to its
 * waiter, on one platform thread that does nothing else. After a {@link #moveTo move} to another partition, the former one is read
 * until no request that named it can wait any more. Replies to other gateways that share the partition are dropped. A failure ends
 * the thread and calls {@code onFault} on it.
 */
final class ReplyConsumer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReplyConsumer.class);

    /** There is nothing to commit, and a fetch under way need not be waited for. */
    private static final CloseOptions AT_ONCE = CloseOptions.timeout(Duration.ZERO);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final Consumer<byte[], byte[]> consumer;
    private final long formerNs;
    private final Waiters waiters;
    private final Tracing tracing;
    private final java.util.function.Consumer<Throwable> onFault;
    private final Thread thread;
    private final AtomicLong unreadable = new AtomicLong();
    private final AtomicReference<@Nullable Move> next = new AtomicReference<>();

    /** The partitions that new requests do not name any more, with the time, as {@link System#nanoTime}, until which they are read. */
    private final Map<TopicPartition, Long> former = new HashMap<>();

    private volatile TopicPartition partition;
    private volatile boolean isClosing;

    private record Move(TopicPartition to, long offset) {}

    /**
     * @param consumer used and closed only by this object from now on
     * @param readFormer how long a partition is read after a move to another; longer than a request may wait
     * @param tracing records a span for each reply to a traced request
     */
    ReplyConsumer(
            Consumer<byte[], byte[]> consumer,
            int partition,
            Duration readFormer,
            Waiters waiters,
            Tracing tracing,
            java.util.function.Consumer<Throwable> onFault) {
        this.consumer = consumer;
        this.partition = of(partition);
        this.formerNs = readFormer.toNanos();
        this.waiters = waiters;
        this.tracing = tracing;
        this.onFault = onFault;
        this.thread = Thread.ofPlatform().name("replies").daemon().unstarted(this::run);
    }

    /**
     * Finds the end of the partition and starts to read there. A request that is sent after this method has returned cannot
     * miss its reply.
     */
    void start(Duration timeout) {
        consumer.assign(List.of(partition));
        consumer.seekToEnd(List.of(partition));
        consumer.position(partition, timeout); // seekToEnd is lazy: this executes it
        thread.start();
    }

    private static TopicPartition of(int partition) {
        return new TopicPartition(Topics.REPLIES.name(), partition);
    }

    /** The partition that a new request must name, so that its reply is read. */
    int partition() {
        return partition.partition();
    }

    /**
     * Has another partition read in addition, which {@link #partition} returns soon, once it is read.
     *
     * @param offset an end of the partition that was queried before this call
     */
    void moveTo(int other, long offset) {
        next.set(new Move(of(other), offset));
    }

    /** Carries out the last {@link #moveTo}, and gives up former partitions that nobody waits for. */
    private void move() {
        long nowNs = System.nanoTime();
        boolean isChanged = former.values().removeIf(untilNs -> nowNs - untilNs >= 0);
        Move wanted = next.getAndSet(null);
        if (wanted != null && !wanted.to().equals(partition)) {
            TopicPartition left = partition;
            boolean isRead = former.remove(wanted.to()) != null;
            former.put(left, nowNs + formerNs);
            assign(wanted.to());
            if (!isRead) {
                consumer.seek(wanted.to(), wanted.offset());
            }
            partition = wanted.to();
        } else if (isChanged) {
            assign(partition);
        }
    }

    /** Reads this partition and the former ones; positions in those that are read already remain. */
    private void assign(TopicPartition current) {
        var all = new HashSet<>(former.keySet());
        all.add(current);
        consumer.assign(all);
    }

    private void run() {
        try {
            readAndClose();
        } catch (WakeupException e) {
            if (!isClosing) {
                fail(e);
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void readAndClose() {
        try {
            while (!isClosing) {
                move();
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    process(record);
                }
            }
        } finally {
            consumer.close(AT_ONCE);
        }
    }

    private void process(ConsumerRecord<byte[], byte[]> record) {
        if (!tracing.isOn()) {
            dispatch(record);
            return;
        }
        try (Span _ = tracing.processing(
                record.topic(), record.partition(), record.offset(), TraceHeaders.read(record.headers()))) {
            dispatch(record);
        }
    }

    private void dispatch(ConsumerRecord<byte[], byte[]> record) {
        try {
            waiters.deliver(ReplyHeaders.requestId(record.headers()), record.headers(), record.value());
        } catch (RuntimeException e) {
            // Another client wrote this record. A failure here would stop every gateway of this partition.
            unreadable.incrementAndGet();
            LOG.warn(
                    "Skipped {}-{} offset {}: the record is not a reply or part of a reply",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e);
        }
    }

    private void fail(Throwable cause) {
        LOG.error("Stopped reading {}; requests can no longer get replies", partition, cause);
        onFault.accept(cause);
    }

    /** The number of records that were skipped because they are not replies. */
    long unreadable() {
        return unreadable.get();
    }

    /** Stops reading and waits for the thread to end. */
    @Override
    public void close() {
        isClosing = true;
        if (!thread.isAlive()) {
            consumer.close(AT_ONCE);
            return;
        }
        consumer.wakeup();
        try {
            thread.join(STOP_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
