package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * admin-api.md B5.
 *
 * @param key in {@code laurel.yaml}, if that named it
 * @param secret only in the answer to its creation
 */
public record WebhookBody(UUID id, String name, Optional<String> key, String url, List<String> events, String status,
        Instant created, Instant updated, Optional<String> secret) implements AdminBody {

    public WebhookBody withSecret(String secret) {
        return new WebhookBody(id, name, key, url, events, status, created, updated, Optional.of(secret));
    }

    /** Without the secret: this may end up in a log. */
    @Override
    public String toString() {
        return "WebhookBody[id=" + id + "]";
    }
}
