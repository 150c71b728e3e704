package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.core.sending.RetryPlan;
import dev.laurel.processors.delivery.DeliveryCounts;
import dev.laurel.processors.delivery.queue.CompletionQueue;
import dev.laurel.processors.delivery.queue.DeliveryScheduler;
import dev.laurel.processors.delivery.queue.InFlightLimits;
import dev.laurel.processors.delivery.queue.QueueRecovery;
import dev.laurel.processors.delivery.queue.SendPolicy;
import dev.laurel.processors.delivery.webhook.DeliveryBatch.Retry;
import dev.laurel.processors.delivery.webhook.WebhookClient.Outcome;
import dev.laurel.processors.delivery.webhook.WebhookClient.WebhookRequest;
import dev.laurel.processors.delivery.webhook.WebhookSender.Completion;
import dev.laurel.processors.store.DueIndex.Entry;
import dev.laurel.processors.store.WebhookDelivery;
import dev.laurel.processors.store.WebhookDelivery.Attempt;
import dev.laurel.processors.store.WebhookDelivery.InLane;
import dev.laurel.processors.store.WebhookDelivery.Later;
import dev.laurel.processors.store.WebhookDelivery.Position;
import dev.laurel.processors.store.WebhookStore;
import dev.laurel.processors.store.WebhookStore.Endpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Queues deliveries, decides which are sent, and stores what came of them: at least once, since a batch starts at once and what
 * was in flight when the process died is sent again. One life of a task, one thread.
 */
final class WebhookDispatcher implements SendPolicy<Endpoint, EndpointQueue, DeliveryBatch>, AutoCloseable {

    /** Batches in flight of an instance, and to one webhook; no task has fewer in flight than the least. */
    private static final int MAX_IN_FLIGHT = 1024;
    private static final int MAX_PER_ENDPOINT = 32;
    private static final int LEAST_OF_TASK = 32;

    /** In one run, so that none takes long. */
    private static final int MAX_STARTS = 2_000;

    /** For how long a batch without progress counts as work that is left; real time. */
    private static final long PATIENCE_NS = Duration.ofSeconds(5).toNanos();

    private final WebhookProcessor.Settings settings;
    private final WebhookSender sender;
    private final WebhookStore store;
    private final DeliveryCounts counts;
    private final CompletionQueue completions = new CompletionQueue(
            call -> Thread.ofVirtual().name("webhook").start(call),
            "an attempt to deliver to a webhook has met a fault");
    private final Set<DeliveryBatch> inFlight = new HashSet<>();
    private final DeliveryScheduler<Endpoint, EndpointQueue, DeliveryBatch> scheduler;
    private final QueueRecovery recovery;

    WebhookDispatcher(WebhookProcessor.Settings settings, WebhookSender sender, WebhookStore store,
            DeliveryCounts counts) {
        this.settings = settings;
        this.sender = sender;
        this.store = store;
        this.counts = counts;
        this.scheduler = new DeliveryScheduler<>(this, completions, store.awaited(), MAX_STARTS);
        this.recovery = new QueueRecovery(List.of(
                (after, limit) -> store.visitLanes(after, limit, this::repair),
                (after, limit) -> store.visitDeliveries(after, limit, this::repair)));
    }

    /**
     * The limits of a task. Each has its share of what the instance may have in flight, so that one with a long queue cannot keep
     * another one from a webhook.
     *
     * @param partitions of the outbox
     */
    static InFlightLimits limits(int partitions) {
        return new InFlightLimits(Math.max(LEAST_OF_TASK, MAX_IN_FLIGHT / partitions),
                Math.max(1, MAX_PER_ENDPOINT / partitions));
    }

    // The queue.

    /** Has a delivery wait in a lane. @return where that is */
    InLane add(Endpoint endpoint, byte[] lane, UUID delivery) {
        scheduler.wake(endpoint);
        return scheduler.queue(endpoint).add(lane, delivery);
    }

    /** Has a delivery wait for its time. */
    void add(Endpoint endpoint, Entry entry) {
        scheduler.wake(endpoint);
        scheduler.queue(endpoint).add(entry);
    }

    /** Writes once more what lets a delivery be found at its position. @return false if it is not there */
    boolean putAgain(Endpoint endpoint, UUID delivery, Position position) {
        scheduler.wake(endpoint);
        return scheduler.queue(endpoint).putAgain(delivery, position);
    }

    private void repair(Endpoint endpoint, byte[] lane) {
        scheduler.wake(endpoint);
        scheduler.queue(endpoint).repair(lane);
    }

    private void repair(Endpoint endpoint, WebhookDelivery delivery) {
        if (delivery.position() != null) {
            scheduler.wake(endpoint);
            Position another = scheduler.queue(endpoint).repair(delivery.id(), delivery.position());
            if (another != null) {
                store.putDelivery(endpoint, delivery.at(another));
            }
        }
    }

    /** Repairs some of what was stored before this life. */
    void recover() {
        recovery.step();
    }

    /** Stores what has ended, and starts what can be started. */
    void run() {
        scheduler.run(nowMs());
    }

    /**
     * Whether anything is in flight, or waits, is due and could start. A batch of which no delivery has ended for 5 s of real time
     * does not count, nor what waits behind such batches: otherwise a webhook that never answers would hold up the test clock for
     * as long as an attempt may take.
     */
    boolean hasWork() {
        return inFlight.stream().anyMatch(batch -> batch.stalledNs() < PATIENCE_NS) || scheduler.hasWork(nowMs());
    }

    /** Webhooks for which a delivery waits for its time. */
    int retrying() {
        return scheduler.waitingGroups();
    }

    private long nowMs() {
        return settings.clock().millis();
    }

    // What is sent.

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
            return null; // erased, or settled by an attempt that an operator has asked for
        }
        Instant now = settings.clock().instant();
        if (!isAsked && delivery.created().plus(settings.staleAfter()).isBefore(now)) {
            counts.countStale();
            drop(endpoint, delivery, now, "it happened longer than " + settings.staleAfter() + " ago");
            return null;
        }
        byte[] body = store.body(endpoint.tenant(), delivery);
        if (body == null) {
            counts.countDropped();
            drop(endpoint, delivery, now, "what was to be sent is kept no longer");
            return null;
        }
        return new WebhookRequest(id, endpoint.tenant(), delivery.made() + 1, body);
    }

    private void drop(Endpoint endpoint, WebhookDelivery delivery, Instant at, String reason) {
        store.putDelivery(endpoint, delivery.dropped(notSent(at, reason)));
    }

    private static Attempt notSent(Instant at, String reason) {
        return new Attempt(at, null, "not sent: " + reason, 0);
    }

    // What came of it.

    private void completed(Completion completion) {
        DeliveryBatch batch = completion.batch();
        Endpoint endpoint = batch.endpoint();
        EndpointQueue queue = scheduler.queue(endpoint);
        store(completion, queue);
        queue.completed(batch, completion.index());
        batch.progressed();
        if (batch.isLast(completion.index())) {
            inFlight.remove(batch);
            sender.ended();
            scheduler.ended(endpoint);
        }
        scheduler.wake(endpoint);
    }

    private void store(Completion completion, EndpointQueue queue) {
        Instant at = completion.at();
        switch (completion.outcome()) {
            case Outcome.Answered answer when answer.isSuccess() -> {
                counts.countDelivered();
                change(completion,
                        delivery -> delivery.succeeded(
                                new Attempt(at, answer.status(), answer.error(), answer.durationMs())));
            }
            case Outcome.Answered answer ->
                failed(completion, queue, new Attempt(at, answer.status(), answer.error(), answer.durationMs()));
            case Outcome.NoAnswer(String error, long durationMs) ->
                failed(completion, queue, new Attempt(at, null, error, durationMs));
            case Outcome.Dropped(String reason) -> {
                counts.countDropped();
                change(completion, delivery -> delivery.dropped(notSent(at, reason)));
            }
        }
    }

    private void failed(Completion completion, EndpointQueue queue, Attempt attempt) {
        counts.countFailedAttempt();
        boolean isAsked = completion.batch().origin() instanceof Retry(Entry entry) && entry.isAsked();
        change(completion, delivery -> {
            if (!isAsked && delivery.isRetried()) {
                counts.countRetry();
                var then = new Later(attempt.at().plus(RetryPlan.delay(delivery.retriesLeft())).toEpochMilli(), false);
                // Before the delivery says that it is there.
                queue.add(then.entryOf(delivery.id()));
                return delivery.failed(attempt, then);
            }
            WebhookDelivery after = isAsked ? delivery.failedAsked(attempt) : delivery.failed(attempt, null);
            if (after.status() == WebhookDelivery.Status.FAILED) {
                counts.countFailed();
            }
            return after;
        });
    }

    /** What was erased meanwhile stays so. */
    private void change(Completion completion, UnaryOperator<WebhookDelivery> change) {
        Endpoint endpoint = completion.batch().endpoint();
        WebhookDelivery delivery = store.delivery(endpoint, completion.batch().deliveryAt(completion.index()));
        if (delivery != null) {
            store.putDelivery(endpoint, change.apply(delivery));
        }
    }

    /** Cancels what is in flight: it is still stored, and sent again by whichever process has the task next. */
    @Override
    public void close() {
        for (DeliveryBatch batch : inFlight) {
            batch.cancel();
            sender.ended();
        }
        inFlight.clear();
    }
}
