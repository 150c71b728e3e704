package dev.laurel.delivery;

import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.schemas.kind.IssueList;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/** Counts of webhook deliveries and of messages since the start of the process. Thread-safe. */
public final class DeliveryCounts {

    private static final MeterName WEBHOOKS = MeterName.of(
            "laurel.delivery.webhooks", "Webhook deliveries that are settled, by outcome; stale also counts messages.");
    private static final MeterName ATTEMPTS_FAILED = MeterName.of(
            "laurel.delivery.webhook.attempts.failed", "Attempts that a webhook did not answer with 2xx in time.");
    private static final MeterName RETRIES =
            MeterName.of("laurel.delivery.webhook.retries", "Deliveries that were scheduled for another attempt.");
    private static final MeterName RETRYING = MeterName.of(
            "laurel.delivery.webhooks.retrying",
            "Webhooks for which at least one delivery waits for another attempt, counted in each partition.");
    private static final MeterName IN_FLIGHT =
            MeterName.of("laurel.delivery.webhook.flights", "Connections to webhooks that are in use.");
    private static final MeterName MESSAGES =
            MeterName.of("laurel.delivery.messages", "Emails and push messages that are settled, by outcome.");
    private static final MeterName MESSAGE_ATTEMPTS_FAILED = MeterName.of(
            "laurel.delivery.message.attempts.failed",
            "Attempts to send a message that failed and will be followed by another one.");
    private static final MeterName MESSAGES_UNDER_WAY =
            MeterName.of("laurel.delivery.messages.under.way", "Messages that are being sent.");

    /** The counts by the ordinal of the kind. */
    private final LongAdder[] counts = adders(Kind.values().length);

    private final Set<Retrying> retrying = ConcurrentHashMap.newKeySet();

    /** The counts of messages by the ordinal of the ending. */
    private final LongAdder[] ended = adders(Ending.values().length);

    private final LongAdder failedMessages = new LongAdder();
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
        RETRY
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

    /** Registers a task that starts; the task closes the result when it stops. */
    public Retrying taskStarted() {
        var ofTask = new Retrying();
        retrying.add(ofTask);
        return ofTask;
    }

    public void count(Kind kind) {
        counts[kind.ordinal()].increment();
    }

    public long number(Kind kind) {
        return counts[kind.ordinal()].sum();
    }

    /** Webhooks with a delivery that waits for a retry, counted in each partition of this process. */
    public int retrying() {
        return retrying.stream().mapToInt(task -> task.webhooks).sum();
    }

    // Messages.

    public void countEnded(Ending how) {
        ended[how.ordinal()].increment();
    }

    public long ended(Ending how) {
        return ended[how.ordinal()].sum();
    }

    /** An attempt to send a message failed and will be retried. */
    public void countFailedMessage() {
        failedMessages.increment();
    }

    /** Changes the number of messages in progress. @param more number of messages that have begun, less those that have ended */
    public void countUnderWay(int more) {
        underWay.addAndGet(more);
    }

    private static LongAdder[] adders(int number) {
        return Stream.generate(LongAdder::new).limit(number).toArray(LongAdder[]::new);
    }

    /** Registers the metrics of delivery. @param inFlight batches that are being sent to webhooks */
    public void register(MeterScope meters, IntSupplier inFlight) {
        for (Kind outcome : List.of(Kind.DELIVERED, Kind.FAILED, Kind.DROPPED, Kind.STALE)) {
            meters.counter(WEBHOOKS, tag(outcome), () -> number(outcome));
        }
        meters.counter(ATTEMPTS_FAILED, Tags.empty(), () -> number(Kind.FAILED_ATTEMPT));
        meters.counter(RETRIES, Tags.empty(), () -> number(Kind.RETRY));
        meters.gauge(RETRYING, Tags.empty(), this::retrying);
        meters.gauge(IN_FLIGHT, Tags.empty(), inFlight::getAsInt);
        for (Ending how : Ending.values()) {
            meters.counter(MESSAGES, tag(how), () -> ended(how));
        }
        meters.counter(MESSAGE_ATTEMPTS_FAILED, Tags.empty(), failedMessages::sum);
        meters.gauge(MESSAGES_UNDER_WAY, Tags.empty(), underWay::get);
    }

    private static Tags tag(Enum<?> outcome) {
        return Tags.of("outcome", IssueList.word(outcome));
    }
}
