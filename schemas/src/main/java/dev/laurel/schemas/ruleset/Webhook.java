package dev.laurel.schemas.ruleset;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * An address that is told of events (admin-api.md B5). The secret that signs what it is sent is no part of it: documents are
 * kept for ever and exported.
 *
 * @param number see {@link Ruleset}
 * @param active an inactive one is told nothing, and what waits for it is dropped
 */
public record Webhook(int number, UUID id, String key, String name, String url, List<WebhookEvent> events,
        boolean active, Instant created, Instant updated) {

    public Webhook {
        events = List.copyOf(events);
    }
}
