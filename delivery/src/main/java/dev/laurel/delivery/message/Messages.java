package dev.laurel.delivery.message;

import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.ReportCounters;
import dev.laurel.delivery.queue.InFlightLimits;
import dev.laurel.delivery.store.MessageStore;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** The sending of messages of this process. Thread-safe; closed after the tasks. */
public final class Messages implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_IN_FLIGHT = 256;

    /**
     * At most the number of connections to a mail server: a marked message that waits for a connection would be doubtful after
     * a kill, although it was never sent.
     */
    private static final int MAX_IN_FLIGHT_PER_CHANNEL = 8;

    private static final Executor VIRTUAL_THREADS = task -> Thread.ofVirtual().name("message").start(task);

    private final MessageDispatcher.Environment environment;
    private final Runnable closing;

    /**
     * @param clientConfig of the producers of marks and commands
     * @param log names the topic of commands
     * @param rulesets contain the templates
     * @param senders by channel; messages for other channels are refused
     * @param clock of the instance
     * @param staleAfter the age from which a message is not sent; at most {@code MessageDelivery.MAX_AGE}
     */
    public Messages(Map<String, Object> clientConfig, Supplier<String> log, Rulesets rulesets,
            Map<NotificationChannel, MessageSender> senders, InstantSource clock, Duration staleAfter,
            DeliveryCounts counts) {
        var topics = new MessageTopics(clientConfig, log, clock, tenant -> rulesets.newestVersion(tenant));
        this.environment = new MessageDispatcher.Environment(topics, new AttemptRunner(rulesets, senders, topics),
                VIRTUAL_THREADS, clock, staleAfter, CLOSE_TIMEOUT,
                new InFlightLimits.Shared(MAX_IN_FLIGHT, MAX_IN_FLIGHT_PER_CHANNEL), counts);
        this.closing = topics::close;
    }

    /** For tests, which close their environment themselves. */
    Messages(MessageDispatcher.Environment environment) {
        this.environment = environment;
        this.closing = () -> {
            // The test closes what it has created.
        };
    }

    /** Starts a life of a task. @param partition of the task */
    public MessageDispatcher open(KeyValueStore<Bytes, byte[]> deliveries, ReportCounters counters, int partition) {
        return new MessageDispatcher(new MessageStore(deliveries), environment, counters, partition, UUID.randomUUID());
    }

    @Override
    public void close() {
        closing.run();
    }
}
