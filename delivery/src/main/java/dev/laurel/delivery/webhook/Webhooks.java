package dev.laurel.delivery.webhook;

import dev.laurel.delivery.DeliveryCounters;
import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.guard.AddressGuard;
import dev.laurel.delivery.queue.CompletionQueue;
import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.store.DueIndex;
import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.delivery.store.WebhookStore;
import dev.laurel.delivery.webhook.WebhookClient.Outcome;
import dev.laurel.delivery.webhook.WebhookClient.WebhookRequest;
import dev.laurel.delivery.webhook.WebhookDispatcher.Settings;
import dev.laurel.delivery.webhook.Webhooks.DeliveryBatch;
import dev.laurel.platform.command.LocalFiles;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The delivery to webhooks of this process: sends the batches of all tasks, which bound their number. Thread-safe; closed after the
 * tasks.
 */
public final class Webhooks implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final int MAX_BATCHES = Integer.MAX_VALUE;

    private final Settings settings;
    private final WebhookTargets targets;
    private final WebhookClient client;
    private final DeliveryCounts counts;

    /** Each batch in flight has one of the permits. */
    private final Semaphore inFlight = new Semaphore(MAX_BATCHES);

    private volatile boolean isClosing;

    /**
     * The end of one delivery of a batch.
     *
     * @param index of the delivery in its batch
     * @param at by the instance's clock
     */
    record Completion(DeliveryBatch batch, int index, Outcome outcome, Instant at) {}

    /** @param client closed with this */
    Webhooks(Settings settings, WebhookTargets targets, WebhookClient client, DeliveryCounts counts) {
        this.settings = settings;
        this.targets = targets;
        this.client = client;
        this.counts = counts;
    }

    /**
     * @param allowsPrivate whether webhooks may be at addresses that are not public
     * @param clock of the instance
     * @param staleAfter see {@link Settings}
     * @param limits in flight, of the instance and of one webhook
     * @param partitions of the outbox, whose tasks share these limits
     */
    public static Webhooks of(
            Rulesets rulesets,
            AccessView access,
            boolean allowsPrivate,
            InstantSource clock,
            Duration staleAfter,
            InFlightLimits limits,
            int partitions,
            DeliveryCounts counts) {
        return new Webhooks(
                new Settings(clock, staleAfter, WebhookDispatcher.limits(limits, partitions)),
                new WebhookTargets(rulesets, access),
                new HttpWebhookClient(
                        new AddressGuard(allowsPrivate),
                        LocalFiles.properties(Webhooks.class, "version.properties")
                                .getProperty("version"),
                        HttpWebhookClient.TIMEOUT),
                counts);
    }

    /** Starts a life of a task. */
    public WebhookTask open(KeyValueStore<Bytes, byte[]> deliveries, DeliveryCounters counters) {
        return new WebhookTask(settings, this, new WebhookStore(deliveries), counts, counters);
    }

    /** Whether a batch may start. */
    boolean isOpen() {
        return !isClosing;
    }

    /** @param completed called on the task's thread for each delivery of the batch, in order */
    void start(DeliveryBatch batch, CompletionQueue completions, Consumer<Completion> completed) {
        inFlight.acquireUninterruptibly();
        completions.run(() -> {
            try {
                send(batch, completion -> completions.add(() -> completed.accept(completion)));
            } catch (InterruptedException _) {
                // Cancelled: the task is closed, and sends the rest where it starts next.
            }
        });
    }

    private void send(DeliveryBatch batch, Consumer<Completion> completed) throws InterruptedException {
        if (!batch.begin()) {
            return;
        }
        for (int i = 0; i < batch.requests().size() && !batch.isCancelled(); i++) {
            Outcome outcome = attempt(batch, batch.requests().get(i));
            completed.accept(new Completion(batch, i, outcome, settings.clock().instant()));
        }
    }

    private Outcome attempt(DeliveryBatch batch, WebhookRequest request) throws InterruptedException {
        return switch (targets.find(batch.endpoint(), batch.createdNs())) {
            case WebhookTargets.Target target -> client.post(target, request);
            case Outcome outcome -> outcome;
        };
    }

    /** The number of batches that are being sent to webhooks. */
    public int inFlight() {
        return MAX_BATCHES - inFlight.availablePermits();
    }

    /** Notes that a task has stored all outcomes of a batch, or is closed. */
    void ended() {
        inFlight.release();
    }

    /**
     * Prevents the start of batches, and waits up to 5 s for those in flight while their tasks still run: batches that end now are not
     * sent again after the next start. Called before the tasks are closed.
     */
    public void settle() throws InterruptedException {
        isClosing = true;
        if (inFlight.tryAcquire(MAX_BATCHES, GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
            inFlight.release(MAX_BATCHES);
        }
    }

    /** Called when no task is left. */
    @Override
    public void close() {
        client.close();
    }

    /**
     * One or more deliveries of one user to one webhook, which are sent one after the other. Batches of several deliveries save turns if
     * a user has many. Created by the task, sent on a virtual thread.
     */
    static final class DeliveryBatch {

        /** The reason why a batch is sent. */
        sealed interface Origin {}

        /** The turn of a lane. */
        record Turn(long number, byte[] lane) implements Origin {}

        /** An attempt that is due: a retry, or one that an operator asked for. */
        record Retry(DueIndex.Entry entry) implements Origin {}

        private final Endpoint endpoint;
        private final Origin origin;
        private final List<WebhookRequest> requests;
        private final long createdNs = System.nanoTime();

        /** Accessed by the task alone. */
        private long progressNs = createdNs;

        private volatile @Nullable Thread thread;
        private volatile boolean isCancelled;

        DeliveryBatch(Endpoint endpoint, Origin origin, List<WebhookRequest> requests) {
            this.endpoint = endpoint;
            this.origin = origin;
            this.requests = List.copyOf(requests);
        }

        Endpoint endpoint() {
            return endpoint;
        }

        Origin origin() {
            return origin;
        }

        List<WebhookRequest> requests() {
            return requests;
        }

        /** The {@link System#nanoTime} of the creation; the deliveries were read before. */
        long createdNs() {
            return createdNs;
        }

        /** Notes that one of the deliveries has ended. */
        void progressed() {
            progressNs = System.nanoTime();
        }

        /** The real time since a delivery of the batch has ended, or since its creation. */
        long stalledNs() {
            return System.nanoTime() - progressNs;
        }

        UUID deliveryAt(int index) {
            return requests.get(index).delivery();
        }

        boolean isLast(int index) {
            return index == requests.size() - 1;
        }

        /** Called on the sending thread. @return false if the batch was cancelled before */
        boolean begin() {
            thread = Thread.currentThread();
            return !isCancelled;
        }

        boolean isCancelled() {
            return isCancelled;
        }

        /** Interrupts the present attempt and prevents further ones, when the task is closed. */
        void cancel() {
            isCancelled = true;
            Thread sending = thread;
            if (sending != null) {
                sending.interrupt();
            }
        }
    }
}
