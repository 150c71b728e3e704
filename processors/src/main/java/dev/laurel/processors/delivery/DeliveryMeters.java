package dev.laurel.processors.delivery;

import dev.laurel.platform.metrics.MeterName;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.processors.core.sending.MessageDelivery.Ending;
import dev.laurel.processors.delivery.DeliveryCounts.Kind;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;

/** Registers the metrics of delivery, whose values are in {@link DeliveryCounts} and {@link MessageCounts}. */
public final class DeliveryMeters {

    private static final MeterName WEBHOOKS = MeterName.of("laurel.delivery.webhooks",
            "Webhook deliveries that are settled, by outcome; stale also counts messages.");
    private static final MeterName ATTEMPTS_FAILED = MeterName.of("laurel.delivery.webhook.attempts.failed",
            "Attempts that a webhook did not answer with 2xx in time.");
    private static final MeterName RETRIES = MeterName.of("laurel.delivery.webhook.retries",
            "Deliveries that were scheduled for another attempt.");
    private static final MeterName RETRYING = MeterName.of("laurel.delivery.webhooks.retrying",
            "Webhooks for which at least one delivery waits for another attempt, counted in each partition.");
    private static final MeterName IN_FLIGHT = MeterName.of("laurel.delivery.webhook.flights",
            "Connections to webhooks that are in use.");
    private static final MeterName MESSAGES = MeterName.of("laurel.delivery.messages",
            "Emails and push messages that are settled, by outcome.");
    private static final MeterName MESSAGE_ATTEMPTS_FAILED = MeterName.of("laurel.delivery.message.attempts.failed",
            "Attempts to send a message that failed and will be followed by another one.");
    private static final MeterName MESSAGES_UNDER_WAY = MeterName.of("laurel.delivery.messages.under.way",
            "Messages that are being sent.");

    private DeliveryMeters() {}

    /** @param inFlight batches that are being sent to webhooks */
    public static void register(MeterScope meters, DeliveryCounts webhooks, IntSupplier inFlight,
            MessageCounts messages) {
        for (Kind outcome : List.of(Kind.DELIVERED, Kind.FAILED, Kind.DROPPED, Kind.STALE)) {
            meters.counter(WEBHOOKS, tag(outcome), () -> webhooks.number(outcome));
        }
        meters.counter(ATTEMPTS_FAILED, Tags.empty(), () -> webhooks.number(Kind.FAILED_ATTEMPT));
        meters.counter(RETRIES, Tags.empty(), () -> webhooks.number(Kind.RETRY));
        meters.gauge(RETRYING, Tags.empty(), webhooks::retrying);
        meters.gauge(IN_FLIGHT, Tags.empty(), inFlight::getAsInt);
        for (Ending how : Ending.values()) {
            meters.counter(MESSAGES, tag(how), () -> messages.ended(how));
        }
        meters.counter(MESSAGE_ATTEMPTS_FAILED, Tags.empty(), messages::failedAttempts);
        meters.gauge(MESSAGES_UNDER_WAY, Tags.empty(), messages::underWay);
    }

    private static Tags tag(Enum<?> outcome) {
        return Tags.of("outcome", outcome.name().toLowerCase(Locale.ROOT));
    }
}
