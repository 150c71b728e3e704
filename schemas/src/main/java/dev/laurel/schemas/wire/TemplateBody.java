package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * admin-api.md B4.
 *
 * @param key in {@code laurel.yaml}, if that named it
 * @param subject of an email, as is {@code title} of a push message
 */
public record TemplateBody(UUID id, String name, Optional<String> key, String type, String channel,
        Optional<String> subject, Optional<String> title, String body, String status,
        List<FilterConfigBody> userAttributes, List<TextBody> variations, Instant created,
        Instant updated) implements AdminBody {

    public record TextBody(Optional<String> subject, Optional<String> title, String body) {}
}
