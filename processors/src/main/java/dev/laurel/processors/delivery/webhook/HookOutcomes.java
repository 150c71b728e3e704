package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.core.sending.RetryPlan;
import dev.laurel.processors.delivery.DeliveryCounts;
import dev.laurel.processors.delivery.webhook.Flight.Again;
import dev.laurel.processors.delivery.webhook.HookDelivery.Attempt;
import dev.laurel.processors.store.Endpoint;
import dev.laurel.processors.store.WebhookStore;
import dev.laurel.processors.store.WebhookStore.Retry;
import java.time.Instant;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Decides what is sent, and what comes of how that ended. One task, one thread. */
final class HookOutcomes implements EndpointQueue.Judge {

    private final HookSettings settings;
    private final WebhookStore store;
    private final DeliveryCounts counts;

    HookOutcomes(HookSettings settings, WebhookStore store, DeliveryCounts counts) {
        this.settings = settings;
        this.store = store;
        this.counts = counts;
    }

    @Override
    public Post post(Endpoint endpoint, UUID id, boolean isAsked) {
        HookDelivery delivery = store.delivery(endpoint, id);
        if (delivery == null || !isAsked && !delivery.isQueued()) {
            return null; // forgotten, or settled by an attempt that an operator has asked for
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
        return new Post(id, endpoint.tenant(), delivery.made() + 1, body);
    }

    /** Writes down what came of an attempt. @param queue of the webhook: takes what is to be tried again */
    void landed(Landing landing, EndpointQueue queue) {
        Instant at = landing.at();
        switch (landing.outcome()) {
            case Outcome.Answered answer when answer.isSuccess() -> {
                counts.countDelivered();
                change(landing,
                        d -> d.succeeded(new Attempt(at, answer.status(), answer.error(), answer.durationMs())));
            }
            case Outcome.Answered answer ->
                failed(landing, queue, new Attempt(at, answer.status(), answer.error(), answer.durationMs()));
            case Outcome.NoAnswer(String error, long durationMs) ->
                failed(landing, queue, new Attempt(at, null, error, durationMs));
            case Outcome.Dropped(String reason) -> {
                counts.countDropped();
                change(landing, d -> d.dropped(notSent(at, reason)));
            }
            case Outcome.Fault(Throwable cause) ->
                throw new IllegalStateException("an attempt to deliver to a webhook has met a fault", cause);
        }
    }

    private void failed(Landing landing, EndpointQueue queue, Attempt attempt) {
        counts.countFailedAttempt();
        boolean isAsked = landing.flight().reason() instanceof Again(Retry retry) && retry.isAsked();
        change(landing, delivery -> {
            if (!isAsked && delivery.isRetried()) {
                counts.countRetry();
                long dueMs = attempt.at().plus(RetryPlan.delay(delivery.retriesLeft())).toEpochMilli();
                // Before what says that it is there.
                queue.add(new Retry(dueMs, delivery.id(), false));
                return delivery.failed(attempt, new HookDelivery.Later(dueMs, false));
            }
            HookDelivery after = isAsked ? delivery.failedAsked(attempt) : delivery.failed(attempt, null);
            if (after.status() == HookDelivery.Status.FAILED) {
                counts.countFailed();
            }
            return after;
        });
    }

    /** What has been forgotten meanwhile is so. */
    private void change(Landing landing, UnaryOperator<HookDelivery> change) {
        Endpoint endpoint = landing.flight().endpoint();
        HookDelivery delivery = store.delivery(endpoint, landing.flight().deliveryAt(landing.index()));
        if (delivery != null) {
            store.putDelivery(endpoint, change.apply(delivery));
        }
    }

    private void drop(Endpoint endpoint, HookDelivery delivery, Instant at, String reason) {
        store.putDelivery(endpoint, delivery.dropped(notSent(at, reason)));
    }

    private static Attempt notSent(Instant at, String reason) {
        return new Attempt(at, null, "not sent: " + reason, 0);
    }
}
