package dev.laurel.delivery.webhook;

import dev.laurel.core.sending.MessageDelivery.RetryPlan;
import dev.laurel.delivery.DeliveryCounters;
import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.DeliveryCounts.Kind;
import dev.laurel.delivery.queue.CompletionQueue;
import dev.laurel.delivery.queue.DeliveryScheduler;
import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.queue.DeliveryScheduler.SendPolicy;
import dev.laurel.delivery.store.DueIndex.Entry;
import dev.laurel.delivery.store.WebhookDelivery;
import dev.laurel.delivery.store.WebhookDelivery.Attempt;
import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.delivery.store.WebhookDelivery.Later;
import dev.laurel.delivery.store.WebhookDelivery.Position;
import dev.laurel.delivery.store.WebhookStore;
import dev.laurel.delivery.webhook.WebhookClient.Outcome;
import dev.laurel.delivery.webhook.WebhookClient.WebhookRequest;
import dev.laurel.delivery.webhook.Webhooks.Completion;
import dev.laurel.delivery.webhook.Webhooks.DeliveryBatch;
import dev.laurel.delivery.webhook.Webhooks.DeliveryBatch.Retry;
import dev.laurel.platform.kafka.AdaptivePollWait;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Queues deliveries, selects those that are sent, and stores their outcomes. Delivers at least once: a batch starts at once, and
 * batches that were in flight when the process died are sent again. One life of a task, one thread.
 */
final class WebhookDispatcher implements SendPolicy<Endpoint, EndpointQueue, DeliveryBatch>, AutoCloseable {

    /** The least limit in flight of a task. */
    private static final int MIN_PER_TASK = 32;

    /** The most batches that one run starts, so that no run takes long. */
    private static final int MAX_STARTS = 2_000;

    /** The real time for which a batch without progress counts as work that is left. */
    private static final long MAX_STALL_NS = Duration.ofSeconds(5).toNanos();

    private final Settings settings;
    private final Webhooks sender;
    private final WebhookStore store;
    private final DeliveryCounts counts;
    private final DeliveryCounters counters;
    private final CompletionQueue completions = new CompletionQueue(
            call -> Thread.ofVirtual().name("webhook").start(call),
            "an attempt to deliver to a webhook failed unexpectedly");
    private final Set<DeliveryBatch> inFlight = new HashSet<>();
    private final DeliveryScheduler<Endpoint, EndpointQueue, DeliveryBatch> scheduler;

    /**
     * Settings of the delivery to webhooks.
     *
     * @param clock of the instance
     * @param staleAfter the age from which an event is not sent, nor tried again
     * @param limits of each task
     */
    record Settings(InstantSource clock, Duration staleAfter, InFlightLimits limits) {}

    WebhookDispatcher(
            Settings settings, Webhooks sender, WebhookStore store, DeliveryCounts counts, DeliveryCounters counters) {
        this.settings = settings;
        this.sender = sender;
        this.store = store;
        this.counts = counts;
        this.counters = counters;
        this.scheduler = new DeliveryScheduler<>(
                this,
                completions,
                store.awaited(),
                MAX_STARTS,
                List.of(
                        (after, limit) -> store.visitLanes(after, limit, this::repair),
                        (after, limit) -> store.visitDeliveries(after, limit, this::repair)));
    }

    /**
     * The limits of a task. Each task has its share of the limits of the instance, so that a task with a long queue cannot keep others
     * from a webhook.
     *
     * @param ofInstance the limits in flight of the instance and of one webhook
     * @param partitions of the outbox
     */
    static InFlightLimits limits(InFlightLimits ofInstance, int partitions) {
        return new InFlightLimits(
                Math.max(MIN_PER_TASK, ofInstance.total() / partitions),
                Math.max(1, ofInstance.perGroup() / partitions));
    }

    // The queue.

    /** The queue of a webhook, which may be changed until the next {@link #run}. */
    EndpointQueue queue(Endpoint endpoint) {
        return scheduler.queue(endpoint);
    }

    private void repair(Endpoint endpoint, byte[] lane) {
        queue(endpoint).repair(lane);
    }

    private void repair(Endpoint endpoint, WebhookDelivery delivery) {
        Position position = delivery.position();
        if (position != null) {
            Position another = queue(endpoint).repair(delivery.id(), position);
            if (another != null) {
                store.putDelivery(endpoint, delivery.at(another));
            }
        }
    }

    /** Repairs some of the entries that were stored before this life. @return whether some are left */
    boolean recover() {
        return scheduler.repair();
    }

    /** Stores the outcomes of batches that have ended, and starts batches that are due. */
    void run() {
        scheduler.run(nowMs());
    }

    /**
     * Whether a batch is in flight, or is due and could start. A batch of which no delivery has ended for 5 s of real time does not
     * count, and neither do deliveries behind such batches: otherwise a webhook that never answers would delay the test clock for the
     * time of an attempt.
     */
    boolean hasWork() {
        return inFlight.stream().anyMatch(batch -> batch.stalledNs() < MAX_STALL_NS) || scheduler.hasWork(nowMs());
    }

    /** Whether a batch may start within {@link AdaptivePollWait#AHEAD_MS}. */
    boolean isDueSoon() {
        return scheduler.isDueBy(nowMs() + AdaptivePollWait.AHEAD_MS);
    }

    /** The number of webhooks with a delivery that waits for its time. */
    int retrying() {
        return scheduler.waitingGroups();
    }

    private long nowMs() {
        return settings.clock().millis();
    }

    // Selection.

    @Override
    public EndpointQueue open(Endpoint endpoint) {
        return new EndpointQueue(store, endpoint, this::select);
    }

    @Override
    public InFlightLimits limits() {
        return settings.limits();
    }

    @Override
    public boolean mayStart() {
        return sender.isOpen();
    }

    @Override
    public void start(DeliveryBatch batch) {
        inFlight.add(batch);
        sender.start(batch, completions, this::completed);
    }

    private @Nullable WebhookRequest select(Endpoint endpoint, UUID id, boolean isAsked) {
        WebhookDelivery delivery = store.delivery(endpoint, id);
        if (delivery == null || !isAsked && !delivery.isQueued()) {
            return null; // erased, or ended by an attempt that an operator has asked for
        }
        Instant now = settings.clock().instant();
        if (!isAsked && delivery.created().plus(settings.staleAfter()).isBefore(now)) {
            counts.count(Kind.STALE);
            drop(endpoint, delivery, now, "it happened longer than " + settings.staleAfter() + " ago");
            return null;
        }
        byte[] body = store.body(endpoint.tenant(), delivery);
        if (body == null) {
            counts.count(Kind.DROPPED);
            drop(endpoint, delivery, now, "what was to be sent is kept no longer");
            return null;
        }
        return new WebhookRequest(id, delivery.made() + 1, body);
    }

    private void drop(Endpoint endpoint, WebhookDelivery delivery, Instant at, String reason) {
        store.putDelivery(endpoint, delivery.dropped(notSent(at, reason)));
    }

    private static Attempt notSent(Instant at, String reason) {
        return new Attempt(at, null, "not sent: " + reason, 0);
    }

    // Outcomes.

    private void completed(Completion completion) {
        DeliveryBatch batch = completion.batch();
        Endpoint endpoint = batch.endpoint();
        EndpointQueue queue = queue(endpoint);
        store(completion, queue);
        queue.completed(batch, completion.index());
        batch.progressed();
        if (batch.isLast(completion.index())) {
            inFlight.remove(batch);
            sender.ended();
            scheduler.ended(endpoint);
        }
    }

    private void store(Completion completion, EndpointQueue queue) {
        Instant at = completion.at();
        Endpoint endpoint = completion.batch().endpoint();
        switch (completion.outcome()) {
            case Outcome.Answered answer -> {
                counters.attempted(endpoint, at, answer.durationMs());
                var attempt = new Attempt(at, answer.status(), answer.error(), answer.durationMs());
                if (answer.isSuccess()) {
                    counts.count(Kind.DELIVERED);
                    counters.delivered(endpoint, at);
                    change(completion, delivery -> delivery.succeeded(attempt));
                } else {
                    failed(completion, queue, attempt);
                }
            }
            case Outcome.NoAnswer(String error, long durationMs) -> {
                counters.attempted(endpoint, at, null);
                failed(completion, queue, new Attempt(at, null, error, durationMs));
            }
            case Outcome.Dropped(String reason) -> {
                counts.count(Kind.DROPPED);
                change(completion, delivery -> delivery.dropped(notSent(at, reason)));
            }
        }
    }

    private void failed(Completion completion, EndpointQueue queue, Attempt attempt) {
        counts.count(Kind.FAILED_ATTEMPT);
        boolean isAsked = completion.batch().origin() instanceof Retry(Entry entry) && entry.isAsked();
        change(completion, delivery -> {
            if (!isAsked && delivery.isRetried()) {
                counts.count(Kind.RETRY);
                var then = new Later(
                        attempt.at()
                                .plus(RetryPlan.delay(delivery.retriesLeft()))
                                .toEpochMilli(),
                        false);
                // Written before the delivery, which names this position.
                queue.add(delivery.id(), then);
                return delivery.failed(attempt, then);
            }
            WebhookDelivery after = isAsked ? delivery.failedAsked(attempt) : delivery.failed(attempt, null);
            if (after.status() == WebhookDelivery.Status.FAILED) {
                counts.count(Kind.FAILED);
                counters.failed(completion.batch().endpoint(), attempt.at());
            }
            return after;
        });
    }

    /** Changes a delivery, unless it was erased since the attempt began. */
    private void change(Completion completion, UnaryOperator<WebhookDelivery> change) {
        Endpoint endpoint = completion.batch().endpoint();
        WebhookDelivery delivery = store.delivery(endpoint, completion.batch().deliveryAt(completion.index()));
        if (delivery != null) {
            store.putDelivery(endpoint, change.apply(delivery));
        }
    }

    /** Cancels the batches in flight. They are still stored, and the process that has the task next sends them again. */
    @Override
    public void close() {
        for (DeliveryBatch batch : inFlight) {
            batch.cancel();
            sender.ended();
        }
        inFlight.clear();
    }
}
