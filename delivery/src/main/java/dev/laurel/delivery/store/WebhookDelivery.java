package dev.laurel.delivery.store;

import dev.laurel.core.sending.MessageDelivery.RetryPlan;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One event at one webhook, with its attempts so far.
 *
 * @param id the same for all attempts; made by {@code DeliveryIds}
 * @param source id of the {@code Outgoing} that it follows from, which leads to the body
 * @param created when the event happened
 * @param attempts oldest first; the newest {@link #MAX_ATTEMPTS}
 * @param made number of attempts
 * @param retriesLeft number of automatic retries that are left
 * @param isQueued whether an automatic attempt follows
 * @param position in the queue; null if no attempt follows
 */
public record WebhookDelivery(
        UUID id,
        UUID source,
        WebhookEvent event,
        Instant created,
        Status status,
        List<Attempt> attempts,
        int made,
        int retriesLeft,
        boolean isQueued,
        @Nullable Position position) {

    /** The most attempts that are stored. Four are automatic; operators may ask for any number of others. */
    public static final int MAX_ATTEMPTS = 20;

    public WebhookDelivery {
        attempts = List.copyOf(attempts);
    }

    /** A webhook of a tenant. It may have been deleted. */
    public record Endpoint(TenantId tenant, UUID webhook) {}

    /** The position of a delivery in the queue. A delivery that is not found there after a crash is put back. */
    public sealed interface Position {}

    /** A position in a lane, in the order of arrival. @param number within the lane */
    public record InLane(Bytes lane, long number) implements Position {}

    /** A position in the due queue. @param dueMs by the instance's clock @param isAsked whether an operator asked for the attempt */
    public record Later(long dueMs, boolean isAsked) implements Position {

        /** The entry of the due queue by which a delivery waits at this position. */
        public DueIndex.Entry entryOf(UUID delivery) {
            return new DueIndex.Entry(dueMs, delivery, isAsked);
        }
    }

    /** The states of a delivery. The order is durable data. */
    public enum Status {

        /** An attempt is in flight or will follow. */
        PENDING,

        /** The webhook has accepted it. */
        SUCCEEDED,

        /** No attempt is left, or the webhook is gone. */
        FAILED
    }

    /**
     * One attempt, or the reason why none was made.
     *
     * @param at its end, by the instance's clock
     * @param responseStatus null: no answer
     * @param error null: the status says everything
     * @param durationMs in real time
     */
    public record Attempt(
            Instant at,
            @Nullable Integer responseStatus,
            @Nullable String error,
            long durationMs) {}

    /** A new delivery of an event. */
    public static WebhookDelivery queued(UUID id, UUID source, WebhookEvent event, Instant created, Position position) {
        return new WebhookDelivery(
                id, source, event, created, Status.PENDING, List.of(), 0, RetryPlan.RETRIES, true, position);
    }

    /** A delivery that an operator asked for, of one attempt. */
    public static WebhookDelivery asked(UUID id, UUID source, WebhookEvent event, Instant created) {
        return new WebhookDelivery(
                id,
                source,
                event,
                created,
                Status.PENDING,
                List.of(),
                0,
                0,
                false,
                new Later(created.toEpochMilli(), true));
    }

    /** The delivery after an operator asked for another attempt. The position of automatic attempts does not change. */
    public WebhookDelivery askedAgain(Later then) {
        return Records.with(this, "status", Status.PENDING, "position", isQueued ? position : then);
    }

    /** The delivery at another position. */
    public WebhookDelivery at(Position another) {
        return Records.with(this, "position", another);
    }

    /** Whether a failed automatic attempt is followed by another. */
    public boolean isRetried() {
        return isQueued && retriesLeft > 0;
    }

    public WebhookDelivery succeeded(Attempt attempt) {
        return ended(Status.SUCCEEDED, attempt, made + 1, retriesLeft);
    }

    /** The delivery after a failed attempt that an operator had asked for; automatic attempts that are left do not change. */
    public WebhookDelivery failedAsked(Attempt attempt) {
        return isQueued
                ? Records.with(this, "status", Status.PENDING, "attempts", with(attempt), "made", made + 1)
                : ended(Status.FAILED, attempt, made + 1, retriesLeft);
    }

    /**
     * The delivery after a failed automatic attempt. Another one follows if one is left, unless an attempt that an operator had asked
     * for has succeeded.
     *
     * @param then position of the next attempt; ignored if no attempt follows
     */
    public WebhookDelivery failed(Attempt attempt, @Nullable Later then) {
        if (!isQueued) {
            return Records.with(this, "attempts", with(attempt), "made", made + 1);
        }
        return isRetried()
                ? Records.with(
                        this,
                        "status",
                        Status.PENDING,
                        "attempts",
                        with(attempt),
                        "made",
                        made + 1,
                        "retriesLeft",
                        retriesLeft - 1,
                        "position",
                        then)
                : ended(Status.FAILED, attempt, made + 1, 0);
    }

    /** The delivery when it is dropped: no attempt follows. @param reason for the list of attempts */
    public WebhookDelivery dropped(Attempt reason) {
        return ended(Status.FAILED, reason, made, 0);
    }

    private WebhookDelivery ended(Status how, Attempt last, int attemptsMade, int left) {
        return new WebhookDelivery(id, source, event, created, how, with(last), attemptsMade, left, false, null);
    }

    private List<Attempt> with(Attempt attempt) {
        var all = new ArrayList<>(attempts);
        all.add(attempt);
        return all.subList(Math.max(0, all.size() - MAX_ATTEMPTS), all.size());
    }
}
