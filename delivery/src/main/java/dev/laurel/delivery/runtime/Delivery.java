package dev.laurel.delivery.runtime;

import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.DeliveryTopology;
import dev.laurel.delivery.message.MessageSender;
import dev.laurel.delivery.message.Messages;
import dev.laurel.delivery.store.DeliveryLog;
import dev.laurel.delivery.throttle.NodeReads;
import dev.laurel.delivery.throttle.Throttle;
import dev.laurel.delivery.webhook.Webhooks;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.LocalRecords;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.processors.runtime.StreamsApplication;
import dev.laurel.processors.runtime.StreamsClients;
import dev.laurel.processors.runtime.StreamsMeters;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.StartupCatchUp;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;

/** The running delivery application of this process. */
public final class Delivery implements AutoCloseable {

    /** Reads do not wait for delivery, so a task has caught up as soon as it runs. */
    private static final StartupCatchUp.Source NOTHING_TO_CATCH_UP_WITH = new StartupCatchUp.Source() {
        @Override
        public CompletionStage<Reach> reach(int partition) {
            return CompletableFuture.completedFuture(new Reach(0, 0));
        }

        @Override
        public CompletionStage<?> appendMark(int partition) {
            throw new IllegalStateException("delivery has nothing to catch up with");
        }
    };

    private final Messages messages;
    private final StreamsApplication application;
    private final Webhooks webhooks;
    private final LogLayout layout;
    private final DeliveryCounts counts = new DeliveryCounts();

    /**
     * The objects that the steps share with other parts. All are thread-safe; the caller closes them after this.
     *
     * @param rulesets the newest and older rulesets; followed and caught up
     * @param compiled the same, compiled
     * @param access secrets and tenants; followed and caught up
     * @param reads of the nodes
     * @param senders of messages; messages of a channel without one are refused
     * @param layout of the keys of the outbox over its partitions, which may be fewer than those of the log
     * @param log names the topic of commands; called for each
     * @param isTimeVirtual whether the clock of the instance is a test clock
     */
    public record Parts(
            Rulesets rulesets,
            RulesetVersions compiled,
            AccessView access,
            NodeReads reads,
            Map<NotificationChannel, MessageSender> senders,
            LogLayout layout,
            Supplier<String> log,
            boolean isTimeVirtual) {

        public Parts {
            senders = Map.copyOf(senders);
        }
    }

    /** Clients that fetch what this process has written, and write changelogs at once. */
    private static final class Clients extends StreamsClients {

        Clients() {
            super(new LocalRecords(), DeliveryConfig.ACTIVE_WAIT);
        }

        @Override
        public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
            return KafkaClients.producer(config, Map.of());
        }
    }

    /**
     * Starts the application; it runs on threads of its own.
     *
     * @param node the member of the group, as long as its state exists
     * @param clock of the instance: decides what is stale and when retries are due
     * @param metrics of this process
     * @param onFault receives, once, the cause that stopped it, on one of those threads
     */
    public Delivery(
            DeliveryConfig config,
            NodeId node,
            Parts parts,
            InstantSource clock,
            Metrics metrics,
            Consumer<Throwable> onFault) {
        this.layout = parts.layout();
        DeliveryConfig.Sending sending = config.sending();
        var catchUp = new StartupCatchUp(NOTHING_TO_CATCH_UP_WITH);
        this.webhooks = Webhooks.of(
                parts.rulesets(),
                parts.access(),
                sending.allowsPrivate(),
                clock,
                sending.staleAfter(),
                sending.webhooks(),
                layout.partitions(),
                counts);
        this.messages = new Messages(
                config.streams().kafka().clientProperties(),
                parts.log(),
                parts.rulesets(),
                parts.senders(),
                clock,
                sending.staleAfter(),
                counts);
        var throttled = new Throttle.Environment(parts.compiled(), parts.reads(), clock, parts.isTimeVirtual());
        var shared = new DeliveryProcessor.Shared(
                throttled, webhooks, messages, sending.staleAfter(), counts, parts.rulesets());
        MeterScope meters = metrics.scope();
        counts.register(meters, webhooks::inFlight);
        Properties properties = config.streamsProperties(node);
        this.application = new StreamsApplication(
                "delivery",
                new KafkaStreams(DeliveryTopology.build(shared, catchUp), properties, new Clients()),
                properties,
                layout.partitions(),
                catchUp,
                StreamsMeters.tags("delivery"),
                meters,
                onFault);
        application.start();
    }

    /**
     * Waits until the stores are restored and the tasks run.
     *
     * @return false if the timeout expired
     */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        return application.awaitReady(timeout);
    }

    /** Whether the stores are restored and the tasks run. Thread-safe. */
    public boolean isReady() {
        return application.isReady(0);
    }

    /** The members of the application, with their partitions of the outbox; empty while it does not run here. */
    public Collection<StreamsMetadata> members() {
        return application.members();
    }

    /** The progress of the current tasks: which partitions of the outbox are delivered here, and can be read. */
    public StartupCatchUp catchUp() {
        return application.catchUp();
    }

    /** The layout of keys over the partitions of the outbox. */
    public LogLayout layout() {
        return layout;
    }

    /** The webhook deliveries of a partition, which need not be open here yet. Thread-safe. */
    public DeliveryLog log(int partition) {
        return new DeliveryLog.Stored(() -> application.store(StoreNames.DELIVERIES, partition));
    }

    /** Counts of webhook deliveries by outcome. */
    public DeliveryCounts counts() {
        return counts;
    }

    /** Leaves the group, so that another node takes over at once, and closes the stores. */
    @Override
    public void close() {
        try {
            webhooks.settle();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // Deliveries without an outcome are sent again.
        }
        application.close();
        webhooks.close();
        messages.close();
    }
}
