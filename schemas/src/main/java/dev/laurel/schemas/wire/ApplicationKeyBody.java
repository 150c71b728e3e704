package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.UUID;

/**
 * An application key as it is shown: never the key itself (admin-api.md A7).
 *
 * @param lastUsed null if it never was
 */
public record ApplicationKeyBody(UUID id, String userId, String prefix, Instant created,
        Instant lastUsed) implements AdminBody {

    /** In the answer to its creation, to which the gateway adds the key. */
    public record Created(UUID id, String userId, String prefix) implements AdminBody {}
}
