package dev.laurel.gateway.reply;

import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.topic.TraceHeaders;
import dev.laurel.schemas.trace.Span;
import dev.laurel.schemas.trace.Tracing;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads this gateway's partition of {@code laurel.replies} from its end on, and hands each answer, and each part of one, to
 * its waiter. One platform thread, which does nothing else: every answer goes through it. Answers to other gateways that share
 * the partition fall away. A failure ends the thread and is told to {@code onFault}, on that thread.
 */
public final class ReplyConsumer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReplyConsumer.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private static final byte[] NOTHING = {};

    private final Consumer<byte[], byte[]> consumer;
    private final TopicPartition partition;
    private final Waiters waiters;
    private final Tracing tracing;
    private final java.util.function.Consumer<Throwable> onFault;
    private final Thread thread;
    private final AtomicLong unreadable = new AtomicLong();
    private volatile boolean isClosing;

    /**
     * @param consumer from here on used and closed by this alone
     * @param tracing follows answers to requests that are followed
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
     * Finds the end of the partition and starts reading there. A request that is sent after this returned cannot miss
     * its answer.
     */
    public void start(Duration timeout) {
        consumer.assign(List.of(partition));
        consumer.seekToEnd(List.of(partition));
        consumer.position(partition, timeout); // seeking is lazy, this does it now
        thread.start();
    }

    private void run() {
        try (consumer) {
            while (!isClosing) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    follow(record);
                }
            }
        } catch (WakeupException e) {
            if (!isClosing) {
                fail(e);
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void follow(ConsumerRecord<byte[], byte[]> record) {
        if (!tracing.isOn()) {
            hand(record);
            return;
        }
        try (Span _ = tracing.processing(record.topic(), record.partition(), record.offset(),
                TraceHeaders.read(record.headers()))) {
            hand(record);
        }
    }

    private void hand(ConsumerRecord<byte[], byte[]> record) {
        try {
            UUID requestId = ReplyHeaders.requestId(record.headers());
            String part = ReplyHeaders.part(record.headers());
            if (part != null) {
                waiters.part(requestId, part, record.value() == null ? NOTHING : record.value());
            } else {
                waiters.answer(requestId,
                        new Answer.Replied(ReplyHeaders.status(record.headers()), record.value()),
                        ReplyHeaders.awaits(record.headers()));
            }
        } catch (RuntimeException e) {
            // A stranger's record. Stopping for it would take every gateway of this partition down.
            unreadable.incrementAndGet();
            LOG.warn("passed over {} offset {}: it is no answer and no part of one", partition, record.offset(), e);
        }
    }

    private void fail(Throwable cause) {
        LOG.error("stopped reading {}", partition, cause);
        onFault.accept(cause);
    }

    /** Records of the partition that were passed over, since they are no answers. */
    public long unreadable() {
        return unreadable.get();
    }

    /** Stops reading and waits for the thread. */
    @Override
    public void close() {
        isClosing = true;
        if (!thread.isAlive()) {
            consumer.close();
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
