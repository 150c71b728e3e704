package dev.laurel.processors.delivery.webhook;

import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * One event at one webhook, and what came of it so far. Times are in milliseconds.
 *
 * @param id the same for all attempts; made by {@code DeliveryIds}
 * @param source the id of the {@code Outgoing} it comes from, by which the body is found
 * @param created when the event happened
 * @param attempts oldest first; the newest {@link #MAX_ATTEMPTS}
 * @param made how many attempts there were
 * @param retriesLeft how often a failed attempt is still followed by another one of itself
 * @param isQueued whether an attempt that nobody has asked for is still to come
 */
public record HookDelivery(UUID id, UUID source, WebhookEvent event, Instant created, Status status,
        List<Attempt> attempts, int made, int retriesLeft, boolean isQueued) {

    /** Four are made at the most; operators may ask for any number of others. */
    public static final int MAX_ATTEMPTS = 20;

    public HookDelivery {
        attempts = List.copyOf(attempts);
    }

    /** The order is durable data. */
    public enum Status {

        /** An attempt is under way or will be. */
        PENDING,

        /** The webhook has taken it. */
        SUCCEEDED,

        /** No attempt is left, or there is nobody to send it to. */
        FAILED
    }

    /**
     * One attempt, or why none was made.
     *
     * @param at when it had ended, by the instance's clock
     * @param responseStatus null if there was no answer
     * @param error null if there was an answer that needs no words
     * @param durationMs in real time
     */
    public record Attempt(Instant at, Integer responseStatus, String error, long durationMs) {}

    /** It was to be sent, and waits for that. */
    static HookDelivery queued(UUID id, UUID source, WebhookEvent event, Instant created) {
        return new HookDelivery(id, source, event, created, Status.PENDING, List.of(), 0, RetryPlan.RETRIES, true);
    }

    /** An operator has asked for it: there is one attempt. */
    static HookDelivery asked(UUID id, UUID source, WebhookEvent event, Instant created) {
        return new HookDelivery(id, source, event, created, Status.PENDING, List.of(), 0, 0, false);
    }

    /** An operator has asked for one more attempt. */
    HookDelivery askedAgain() {
        return new HookDelivery(id, source, event, created, Status.PENDING, attempts, made, retriesLeft, isQueued);
    }

    /** A failed attempt of its own will be followed by another. */
    boolean isRetried() {
        return isQueued && retriesLeft > 0;
    }

    HookDelivery succeeded(Attempt attempt) {
        return new HookDelivery(id, source, event, created, Status.SUCCEEDED, with(attempt), made + 1, retriesLeft,
                false);
    }

    /** An attempt that an operator has asked for was made in vain: that changes nothing of those to come. */
    HookDelivery failedAsked(Attempt attempt) {
        return new HookDelivery(id, source, event, created, isQueued ? Status.PENDING : Status.FAILED, with(attempt),
                made + 1, retriesLeft, isQueued);
    }

    /** An attempt of its own was made in vain; another one follows if any is left, and none was asked for with success. */
    HookDelivery failed(Attempt attempt) {
        if (!isQueued) {
            return new HookDelivery(id, source, event, created, status, with(attempt), made + 1, retriesLeft, false);
        }
        return new HookDelivery(id, source, event, created, isRetried() ? Status.PENDING : Status.FAILED,
                with(attempt), made + 1, Math.max(0, retriesLeft - 1), isRetried());
    }

    /** There is no attempt any more. @param reason in place of one */
    HookDelivery dropped(Attempt reason) {
        return new HookDelivery(id, source, event, created, Status.FAILED, with(reason), made, 0, false);
    }

    private List<Attempt> with(Attempt attempt) {
        var all = new ArrayList<>(attempts);
        all.add(attempt);
        return all.subList(Math.max(0, all.size() - MAX_ATTEMPTS), all.size());
    }
}
