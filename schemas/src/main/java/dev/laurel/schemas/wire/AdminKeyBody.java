package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.UUID;

/**
 * An admin key as it is shown: never the key itself (admin-api.md B6).
 *
 * @param lastUsed null if it never was
 */
public record AdminKeyBody(UUID id, String name, String prefix, String status, Instant created,
        Instant lastUsed) implements AdminBody {}
