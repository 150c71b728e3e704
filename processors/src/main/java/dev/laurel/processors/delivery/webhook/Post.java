package dev.laurel.processors.delivery.webhook;

import dev.laurel.schemas.key.TenantId;
import java.util.UUID;

/**
 * What is sent in one attempt.
 *
 * @param attempt 1, 2, ...
 * @param body JSON; never changed
 */
record Post(UUID delivery, TenantId tenant, int attempt, byte[] body) {}
