package dev.laurel.processors.delivery.webhook;

import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What the delivery to webhooks goes by.
 *
 * @param clock of the instance
 * @param staleAfter what happened longer ago is not sent for the first time any more, nor tried again
 * @param limits of each task
 * @param sample makes up what a test sends
 */
record HookSettings(InstantSource clock, Duration staleAfter, HookLimits limits, Sample sample) {

    /** Makes up an event. */
    interface Sample {

        WebhookPayload of(WebhookEvent event, Instant at);
    }
}
