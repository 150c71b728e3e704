package dev.laurel.gateway.reply;

import dev.laurel.platform.trace.Span;
import dev.laurel.platform.trace.TraceHeaders;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads this gateway's partition of {@code laurel.replies} from its end, and passes each reply and each part of a reply to its
 * waiter, on one platform thread that does nothing else. Replies to other gateways that share the partition are dropped. A failure
 * ends the thread and calls {@code onFault} on it.
 */
public final class ReplyConsumer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReplyConsumer.class);
    private static final Duration POLL = Duration.ofSeconds(1);

    /** There is nothing to commit, and a fetch under way need not be waited for. */
    private static final CloseOptions AT_ONCE = CloseOptions.timeout(Duration.ZERO);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final Consumer<byte[], byte[]> consumer;
    private final TopicPartition partition;
    private final Waiters waiters;
    private final Tracing tracing;
    private final java.util.function.Consumer<Throwable> onFault;
    private final Thread thread;
    private final AtomicLong unreadable = new AtomicLong();
    private volatile boolean isClosing;

    /**
     * @param consumer used and closed only by this object from now on
     * @param tracing records a span for each reply to a traced request
     */
    public ReplyConsumer(Consumer<byte[], byte[]> consumer, int partition, Waiters waiters, Tracing tracing,
            java.util.function.Consumer<Throwable> onFault) {
        this.consumer = consumer;
        this.partition = new TopicPartition(Topics.REPLIES.name(), partition);
        this.waiters = waiters;
        this.tracing = tracing;
        this.onFault = onFault;
        this.thread = Thread.ofPlatform().name("replies-" + partition).daemon().unstarted(this::run);
    }

    /**
     * Finds the end of the partition and starts to read there. A request that is sent after this method has returned cannot
     * miss its reply.
     */
    public void start(Duration timeout) {
        consumer.assign(List.of(partition));
        consumer.seekToEnd(List.of(partition));
        consumer.position(partition, timeout); // seekToEnd is lazy: this executes it
        thread.start();
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
        try (Span _ = tracing.processing(record.topic(), record.partition(), record.offset(),
                TraceHeaders.read(record.headers()))) {
            dispatch(record);
        }
    }

    private void dispatch(ConsumerRecord<byte[], byte[]> record) {
        try {
            waiters.deliver(ReplyHeaders.requestId(record.headers()), record.headers(), record.value());
        } catch (RuntimeException e) {
            // Another client wrote this record. A failure here would stop every gateway of this partition.
            unreadable.incrementAndGet();
            LOG.warn("Skipped {} offset {}: the record is not a reply or part of a reply", partition, record.offset(),
                    e);
        }
    }

    private void fail(Throwable cause) {
        LOG.error("Stopped reading {}; requests can no longer get replies", partition, cause);
        onFault.accept(cause);
    }

    /** The number of records that were skipped because they are not replies. */
    public long unreadable() {
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
