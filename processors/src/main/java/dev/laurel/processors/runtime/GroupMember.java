package dev.laurel.processors.runtime;

import dev.laurel.platform.kafka.KafkaClients;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that works as a static member of a consumer group, beside the Streams applications. If Kafka fails, it begins again with a
 * new consumer. Any other fault ends it and is reported.
 */
public final class GroupMember implements AutoCloseable {

    /** What a member does. */
    @FunctionalInterface
    public interface Work {

        /**
         * Subscribes and works until {@link #isClosing}. The consumer throws {@link WakeupException} when the member is closed.
         *
         * @param consumer closed by the caller
         * @throws KafkaException after which the work is to begin again, with another consumer
         */
        void serve(KafkaConsumer<byte[], byte[]> consumer) throws InterruptedException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(GroupMember.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration END_TIMEOUT = Duration.ofSeconds(10);
    private static final long RETRY_AFTER_NS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final Map<String, Object> clientConfig;
    private final Map<String, Object> own = new HashMap<>(StreamsSettings.MEMBER);
    private final Work work;
    private final Consumer<Throwable> onFault;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** The consumer to wake up when the member is closed; null before the first one. */
    private volatile @Nullable KafkaConsumer<byte[], byte[]> polling;

    /**
     * @param name names the thread, and says in the log who works
     * @param clientConfig settings of all clients
     * @param own settings of the consumer, which name the group and the member; offsets are read as committed, and not committed by it
     * @param onFault receives the fault that ended the thread, on that thread
     */
    public GroupMember(
            String name,
            Map<String, Object> clientConfig,
            Map<String, Object> own,
            Work work,
            Consumer<Throwable> onFault) {
        this.name = name;
        this.clientConfig = Map.copyOf(clientConfig);
        this.own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        this.own.putAll(own);
        this.work = work;
        this.onFault = onFault;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Waits for this time, or until the member is closed. @return whether it is */
    public boolean pause(long nanos) throws InterruptedException {
        return closing.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Fails if a table was not read to its end in time: the work begins again. @param what the table has */
    public static void expectNewest(boolean isNewest, String what) {
        if (!isNewest) {
            throw new TimeoutException("could not read the newest " + what);
        }
    }

    private void run() {
        while (!isClosing()) {
            try {
                serve();
            } catch (WakeupException _) {
                // The member is being closed, so the loop ends.
            } catch (KafkaException e) {
                LOG.warn("The {} could not work with Kafka, and tries again: {}", name, e.getMessage(), e);
                try {
                    pause(RETRY_AFTER_NS);
                } catch (InterruptedException _) {
                    return;
                }
            } catch (InterruptedException _) {
                return;
            } catch (RuntimeException | Error e) {
                LOG.error("The {} stopped after a fault", name, e);
                onFault.accept(e);
                return;
            }
        }
    }

    private void serve() throws InterruptedException {
        var consumer = KafkaClients.consumer(clientConfig, own);
        try {
            polling = consumer;
            work.serve(consumer);
        } finally {
            // A static member would stay in the group until it times out, and no other one would get its partitions
            // meanwhile.
            consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        }
    }

    /** Ends the work, leaves the group, and waits for the thread. */
    @Override
    public void close() {
        closing.countDown();
        KafkaConsumer<byte[], byte[]> consumer = polling;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            thread.join(END_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
