package dev.laurel.delivery;

import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.platform.metrics.EnumCounts;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.schemas.kind.IssueList;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** Counts of webhook deliveries and of messages since the start of the process. Thread-safe. */
public final class DeliveryCounts extends EnumCounts {

    private static final MeterName WEBHOOKS = MeterName.of(
            "laurel.delivery.webhooks", "Webhook deliveries that are settled, by outcome; stale also counts messages.");
    private static final MeterName MESSAGES =
            MeterName.of("laurel.delivery.messages", "Emails and push messages that are settled, by outcome.");

    private final Set<Retrying> retrying = ConcurrentHashMap.newKeySet();
    private final AtomicInteger underWay = new AtomicInteger();

    /** The kinds of counts. */
    public enum Kind {
        /** The webhook has accepted the delivery. */
        DELIVERED,
        /** The delivery has failed for good: no attempt is left. */
        FAILED,
        /** The delivery was dropped: the webhook is deleted or inactive. */
        DROPPED,
        /** The event was too old to be sent; also counts messages. */
        STALE,
        /** An attempt has failed. */
        FAILED_ATTEMPT,
        /** A failed attempt will be followed by another one. */
        RETRY,
        /** An attempt to send a message failed and will be retried. */
        FAILED_MESSAGE
    }

    /** The number of webhooks of one task with a delivery that waits for a retry. Written by the thread of the task. */
    public final class Retrying implements AutoCloseable {

        private volatile int webhooks;

        public void set(int number) {
            webhooks = number;
        }

        @Override
        public void close() {
            retrying.remove(this);
        }
    }

    /** Counts each {@link Kind}, and messages by their {@link Ending}. */
    public DeliveryCounts() {
        super(Kind.values(), Ending.values());
    }

    /** Registers a task that starts; the task closes the result when it stops. */
    public Retrying taskStarted() {
        var ofTask = new Retrying();
        retrying.add(ofTask);
        return ofTask;
    }

    /** Webhooks with a delivery that waits for a retry, counted in each partition of this process. */
    public int retrying() {
        return retrying.stream().mapToInt(task -> task.webhooks).sum();
    }

    /** Changes the number of messages in progress. @param more number of messages that have begun, less those that have ended */
    public void countUnderWay(int more) {
        underWay.addAndGet(more);
    }

    /** Registers the metrics of delivery. @param inFlight batches that are being sent to webhooks */
    public void register(MeterScope meters, IntSupplier inFlight) {
        for (Kind outcome : List.of(Kind.DELIVERED, Kind.FAILED, Kind.DROPPED, Kind.STALE)) {
            meters.counter(WEBHOOKS, tag(outcome), () -> of(outcome));
        }
        meters.counter(
                "laurel.delivery.webhook.attempts.failed",
                "Attempts that a webhook did not answer with 2xx in time.",
                () -> of(Kind.FAILED_ATTEMPT));
        meters.counter(
                "laurel.delivery.webhook.retries",
                "Deliveries that were scheduled for another attempt.",
                () -> of(Kind.RETRY));
        meters.gauge(
                "laurel.delivery.webhooks.retrying",
                "Webhooks for which at least one delivery waits for another attempt, counted in each partition.",
                this::retrying);
        meters.gauge("laurel.delivery.webhook.flights", "Connections to webhooks that are in use.", inFlight::getAsInt);
        for (Ending how : Ending.values()) {
            meters.counter(MESSAGES, tag(how), () -> of(how));
        }
        meters.counter(
                "laurel.delivery.message.attempts.failed",
                "Attempts to send a message that failed and will be followed by another one.",
                () -> of(Kind.FAILED_MESSAGE));
        meters.gauge("laurel.delivery.messages.under.way", "Messages that are being sent.", underWay::get);
    }

    private static Tags tag(Enum<?> outcome) {
        return Tags.of("outcome", IssueList.word(outcome));
    }
}
