package dev.laurel.processors.store;

import dev.laurel.schemas.key.TenantId;
import java.util.UUID;

/** A webhook of a tenant, for which things are kept; whether it is there any more is not known here. */
public record Endpoint(TenantId tenant, UUID webhook) {}
