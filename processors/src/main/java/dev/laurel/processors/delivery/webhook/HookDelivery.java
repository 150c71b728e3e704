package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.core.sending.RetryPlan;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

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
 * @param place where it waits for its next attempt; null if none is to come
 */
public record HookDelivery(UUID id, UUID source, WebhookEvent event, Instant created, Status status,
        List<Attempt> attempts, int made, int retriesLeft, boolean isQueued, Place place) {

    /** Four are made at the most; operators may ask for any number of others. */
    public static final int MAX_ATTEMPTS = 20;

    public HookDelivery {
        attempts = List.copyOf(attempts);
    }

    /** Where a delivery waits. What waits must be found there; what is not, after a crash, is put there again. */
    public sealed interface Place {}

    /** Among others of its lane, in the order in which they came. @param number it got there */
    public record InLane(Bytes lane, long number) implements Place {}

    /** For its time. @param dueMs in milliseconds since 1970, by the instance's clock */
    public record Later(long dueMs, boolean isAsked) implements Place {}

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
    static HookDelivery queued(UUID id, UUID source, WebhookEvent event, Instant created, InLane place) {
        return new HookDelivery(id, source, event, created, Status.PENDING, List.of(), 0, RetryPlan.RETRIES, true,
                place);
    }

    /** An operator has asked for it: there is one attempt. */
    static HookDelivery asked(UUID id, UUID source, WebhookEvent event, Instant created) {
        return new HookDelivery(id, source, event, created, Status.PENDING, List.of(), 0, 0, false,
                new Later(created.toEpochMilli(), true));
    }

    /** An operator has asked for one more attempt. Where it waits for those of its own does not change. */
    HookDelivery askedAgain(Later then) {
        return new HookDelivery(id, source, event, created, Status.PENDING, attempts, made, retriesLeft, isQueued,
                isQueued ? place : then);
    }

    /** It has lost its place. */
    HookDelivery at(Place another) {
        return new HookDelivery(id, source, event, created, status, attempts, made, retriesLeft, isQueued, another);
    }

    /** A failed attempt of its own will be followed by another. */
    boolean isRetried() {
        return isQueued && retriesLeft > 0;
    }

    HookDelivery succeeded(Attempt attempt) {
        return new HookDelivery(id, source, event, created, Status.SUCCEEDED, with(attempt), made + 1, retriesLeft,
                false, null);
    }

    /** An attempt that an operator has asked for was made in vain: that changes nothing of those to come. */
    HookDelivery failedAsked(Attempt attempt) {
        return new HookDelivery(id, source, event, created, isQueued ? Status.PENDING : Status.FAILED, with(attempt),
                made + 1, retriesLeft, isQueued, isQueued ? place : null);
    }

    /**
     * An attempt of its own was made in vain; another one follows if any is left, and none was asked for with success.
     *
     * @param then where it waits for that; not looked at if none follows
     */
    HookDelivery failed(Attempt attempt, Later then) {
        if (!isQueued) {
            return new HookDelivery(id, source, event, created, status, with(attempt), made + 1, retriesLeft, false,
                    place);
        }
        return new HookDelivery(id, source, event, created, isRetried() ? Status.PENDING : Status.FAILED,
                with(attempt), made + 1, Math.max(0, retriesLeft - 1), isRetried(), isRetried() ? then : null);
    }

    /** There is no attempt any more. @param reason in place of one */
    HookDelivery dropped(Attempt reason) {
        return new HookDelivery(id, source, event, created, Status.FAILED, with(reason), made, 0, false,
                null);
    }

    private List<Attempt> with(Attempt attempt) {
        var all = new ArrayList<>(attempts);
        all.add(attempt);
        return all.subList(Math.max(0, all.size() - MAX_ATTEMPTS), all.size());
    }
}
