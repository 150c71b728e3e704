package dev.laurel.processors.delivery.webhook;

import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * One event at one webhook, and what came of it so far.
 *
 * @param id the same for all attempts; made by {@code DeliveryIds}
 * @param source the id of the {@code Outgoing} it comes from, by which the body is found
 * @param created when the event happened
 * @param attempts oldest first; of the first ones and the newest, if an operator has asked for very many
 * @param made how many attempts there were
 */
public record HookDelivery(UUID id, UUID source, WebhookEvent event, Instant created, Status status,
        List<Attempt> attempts, int made) {

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
     * @param at by the instance's clock
     * @param responseStatus null if there was no answer
     * @param error null if there was an answer that needs no words
     * @param durationMs in real time
     */
    public record Attempt(Instant at, Integer responseStatus, String error, long durationMs) {}
}
