package dev.laurel.delivery.webhook;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sends requests to webhooks. Blocks on the virtual thread of the attempt; thread-safe. */
interface WebhookClient extends AutoCloseable {

    /** @throws InterruptedException if the batch was cancelled */
    Outcome post(WebhookTargets.Target target, WebhookRequest request) throws InterruptedException;

    @Override
    default void close() {
        // Holds no resources by default.
    }

    /**
     * One attempt of a delivery.
     *
     * @param attempt 1, 2, ...
     * @param body JSON; never changed
     */
    record WebhookRequest(UUID delivery, int attempt, byte[] body) {}

    /** The outcome of one attempt, or why there was none. */
    sealed interface Outcome extends WebhookTargets.Found {

        /** The webhook has answered. @param error the reason of a failure that the status does not show; null otherwise */
        record Answered(int status, @Nullable String error, long durationMs) implements Outcome {

            boolean isSuccess() {
                return status >= 200 && status < 300;
            }
        }

        /** There was no answer. */
        record NoAnswer(String error, long durationMs) implements Outcome {}

        /** No attempt was made, and none will be: the webhook is deleted or inactive. */
        record Dropped(String reason) implements Outcome {}
    }
}
