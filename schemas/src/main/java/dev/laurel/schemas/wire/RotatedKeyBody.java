package dev.laurel.schemas.wire;

import java.util.UUID;

/** The answer to a rotation, to which the gateway adds the key (admin-api.md B6). */
public record RotatedKeyBody(UUID id, String prefix) {}
