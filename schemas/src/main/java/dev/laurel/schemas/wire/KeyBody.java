package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.UUID;

/** Bodies of API keys, tenants and secrets (docs/admin-api.md A1, A2). */
public sealed interface KeyBody extends AdminBody {

    /**
     * An admin key as it is shown: never the key itself (docs/admin-api.md B6).
     *
     * @param lastUsed null if it never was
     */
    record AdminKeyBody(UUID id, String name, String prefix, String status, Instant created,
            Instant lastUsed) implements KeyBody {}

    /**
     * An application key as it is shown: never the key itself (docs/admin-api.md A7).
     *
     * @param lastUsed null if it never was
     */
    record ApplicationKeyBody(UUID id, String userId, String prefix, Instant created,
            Instant lastUsed) implements KeyBody {

        /** In the answer to its creation, to which the gateway adds the key. */
        public record Created(UUID id, String userId, String prefix) implements KeyBody {}
    }

    /** The answer to a rotation, to which the gateway adds the key (docs/admin-api.md B6). */
    record RotatedKeyBody(UUID id, String prefix) {}

    /** The secret of a webhook (docs/admin-api.md B5). */
    record SecretBody(String secret) {

        /** Without it: this may end up in a log. */
        @Override
        public String toString() {
            return "SecretBody[…]";
        }
    }

    /** A tenant (docs/admin-api.md A8). */
    record TenantBody(UUID id, String customerId, String name, String status, Instant created,
            Instant updated) implements KeyBody {}
}
