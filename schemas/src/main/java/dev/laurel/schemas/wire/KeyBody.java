package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Bodies of API keys, tenants and secrets (docs/admin-api.md A1, A2). */
public sealed interface KeyBody extends AdminBody {

    /**
     * An admin key without its text (docs/admin-api.md B6).
     *
     * @param tenant customer id of the tenant that the key is bound to; null: none
     * @param expires empty: never
     * @param lastUsed null: never used
     */
    record AdminKeyBody(UUID id, String name, String prefix, String role, @Nullable String tenant, String status,
            Instant created, Optional<Instant> expires, @Nullable Instant lastUsed) implements KeyBody {}

    /**
     * An application key without its text (docs/admin-api.md A7).
     *
     * @param expires empty: never
     * @param lastUsed null: never used, or not known
     */
    record ApplicationKeyBody(UUID id, String userId, String prefix, String role, Instant created,
            Optional<Instant> expires, @Nullable Instant lastUsed) implements KeyBody {

        /** The answer to the creation, to which the gateway adds the text of the key. */
        public record Created(UUID id, String userId, String prefix, String role,
                Optional<Instant> expires) implements KeyBody {}
    }

    /**
     * The answer of the log to the erasure of a user some of whose keys are not revoked; no client gets it.
     *
     * @param keys ids of these keys
     */
    record KeysNotRevokedBody(String error, List<UUID> keys) {}

    /** The answer to a rotation, to which the gateway adds the text of the key (docs/admin-api.md B6). */
    record RotatedKeyBody(UUID id, String prefix) {}

    /** The secret of a webhook (docs/admin-api.md B5). */
    record SecretBody(String secret) {

        /** Omits the secret, because the text may be logged. */
        @Override
        public String toString() {
            return "SecretBody[…]";
        }
    }

    /** A tenant (docs/admin-api.md A8). */
    record TenantBody(UUID id, String customerId, String name, String status, Instant created,
            Instant updated) implements KeyBody {}
}
