package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.UUID;

/** A tenant (admin-api.md A8). */
public record TenantBody(UUID id, String customerId, String name, String status, Instant created,
        Instant updated) implements AdminBody {}
