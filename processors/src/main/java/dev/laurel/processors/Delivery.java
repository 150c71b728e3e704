package dev.laurel.processors;

import dev.laurel.processors.delivery.DeliveryCounts;
import dev.laurel.processors.delivery.DeliveryMeters;
import dev.laurel.processors.delivery.Lookups;
import dev.laurel.processors.delivery.RouteOutgoing;
import dev.laurel.processors.delivery.message.MessageCounts;
import dev.laurel.processors.delivery.message.MessageLog;
import dev.laurel.processors.delivery.message.MessageSender;
import dev.laurel.processors.delivery.message.SendMessages;
import dev.laurel.processors.delivery.throttle.ThrottleSupplier;
import dev.laurel.processors.delivery.webhook.DeliveryLog;
import dev.laurel.processors.delivery.webhook.WebhookSupplier;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.StoredDeliveryLog;
import dev.laurel.processors.stream.CatchUp;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.topology.DeliveryTopology;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.metrics.MeterScope;
import dev.laurel.schemas.metrics.Metrics;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.streams.StreamsMetadata;

/** The running delivery application of this process. */
public final class Delivery implements AutoCloseable {

    /** Nobody waits for what delivery has not yet come to, so a task has caught up when it runs. */
    private static final CatchUp.Source NOTHING_TO_CATCH_UP_WITH = new CatchUp.Source() {
        @Override
        public CompletionStage<Reach> reach(int partition) {
            return CompletableFuture.completedFuture(new Reach(0, 0));
        }

        @Override
        public CompletionStage<?> appendMark(int partition) {
            throw new IllegalStateException("nothing is ever behind");
        }
    };

    private final SendMessages messages;
    private final StreamsApplication application;
    private final WebhookSupplier webhooks;
    private final LogLayout layout;
    private final DeliveryCounts counts = new DeliveryCounts();

    /**
     * What the steps need of others; all of it thread-safe, and the caller's to close after this.
     *
     * @param rulesets the newest and, by version, the older ones; followed and caught up
     * @param compiled the same as this process has compiled them
     * @param access has the secrets, and the tenants; followed and caught up
     * @param lookups the reads of the nodes
     * @param senders of messages; a channel without one has no messages sent
     * @param layout how the keys of the outbox are spread over its partitions, of which there may be fewer than of the log
     * @param log which topic commands go to; asked for each
     */
    public record Parts(Rulesets rulesets, RulesetVersions compiled, AccessView access, Lookups lookups,
            Map<NotificationChannel, MessageSender> senders, LogLayout layout, Supplier<String> log) {

        public Parts {
            senders = Map.copyOf(senders);
        }
    }

    private Delivery(DeliveryConfig config, NodeId node, Parts parts, InstantSource clock, Metrics metrics,
            Consumer<Throwable> onFault) {
        this.layout = parts.layout();
        var catchUp = new CatchUp(NOTHING_TO_CATCH_UP_WITH);
        this.webhooks = WebhookSupplier.of(parts.rulesets(), parts.access(), config.allowsPrivateWebhooks(), clock,
                config.staleAfter(), layout.partitions(), counts);
        this.messages = new SendMessages(config.clientProperties(), parts.log(), parts.rulesets(), parts.senders(),
                clock,
                config.staleAfter());
        var steps = new DeliveryTopology.Steps(() -> new RouteOutgoing(clock, config.staleAfter(), counts),
                new ThrottleSupplier(parts.compiled(), parts.lookups(), clock), webhooks, messages);
        MeterScope meters = metrics.scope();
        DeliveryMeters.register(meters, counts, webhooks::flights, messages.counts());
        this.application = new StreamsApplication("delivery", DeliveryTopology.build(steps, catchUp),
                config.streamsProperties(node), catchUp, StreamsMeters.tags("delivery"), meters, onFault);
    }

    /**
     * Starts the application; it runs on threads of its own.
     *
     * @param node which member of the group this is, for as long as its state lives
     * @param clock of the instance: what is stale, when something is tried again
     * @param metrics of this process
     * @param onFault told once of what stopped it, on one of those threads
     */
    public static Delivery start(DeliveryConfig config, NodeId node, Parts parts, InstantSource clock,
            Metrics metrics, Consumer<Throwable> onFault) {
        var delivery = new Delivery(config, node, parts, clock, metrics, onFault);
        delivery.application.start();
        return delivery;
    }

    /**
     * Waits until the stores are restored and the tasks run.
     *
     * @return false if that took too long
     */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        return application.awaitReady(timeout);
    }

    /** Whether what is assigned to this process goes out: its stores are restored and its tasks run. Thread-safe. */
    public boolean isReady() {
        return application.isReady(0);
    }

    /** Who takes part in delivery, and with which partitions of the outbox; nobody while it does not run here. */
    public Collection<StreamsMetadata> members() {
        return application.members();
    }

    /** Which partitions of the outbox are delivered here, and so can be read of. */
    public CatchUp catchUp() {
        return application.catchUp();
    }

    /** How the keys of the outbox are spread over its partitions. */
    public LogLayout layout() {
        return layout;
    }

    /** What a partition has delivered to webhooks, whether it is open here or not yet. Thread-safe. */
    public DeliveryLog log(int partition) {
        return new StoredDeliveryLog(() -> application.store(StoreNames.WEBHOOKS, partition));
    }

    /** What a partition has sent to users, whether it is open here or not yet. Thread-safe. */
    public MessageLog messages(int partition) {
        return new MessageLog(name -> application.store(name, partition));
    }

    /** How messages ended. */
    public MessageCounts messageCounts() {
        return messages.counts();
    }

    /** What came of what was to go out. */
    public DeliveryCounts counts() {
        return counts;
    }

    /** Leaves the group, so that another node takes over at once, and closes the stores. */
    @Override
    public void close() {
        try {
            webhooks.settle();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // what has not landed is sent again
        }
        application.close();
        webhooks.close();
        messages.close();
    }
}
