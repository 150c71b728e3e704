package dev.laurel.schemas.wire;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.kind.IssueList;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Bodies of API keys, tenants and secrets (docs/admin-api.md A1, A2). */
public sealed interface KeyBody {

    /**
     * An admin key without its text (docs/admin-api.md B6).
     *
     * @param tenant customer id of the tenant that the key is bound to; null: none
     * @param expires empty: never
     * @param lastUsed null: never used
     */
    record AdminKeyBody(
            UUID id,
            String name,
            String prefix,
            String role,
            @Nullable String tenant,
            String status,
            Instant created,
            Optional<Instant> expires,
            @Nullable Instant lastUsed)
            implements KeyBody {

        public static AdminKeyBody of(AdminKey key, @Nullable Instant lastUsed) {
            return new AdminKeyBody(
                    key.id(),
                    key.name(),
                    key.prefix(),
                    key.role().word(),
                    key.tenant(),
                    IssueList.word(key.status()),
                    key.created(),
                    Optional.ofNullable(key.expires()),
                    lastUsed);
        }

        /** All admin keys that are not deleted, oldest first. */
        public static List<AdminKeyBody> all(AccessIndex index) {
            return index.adminKeys().stream()
                    .filter(key -> key.status() != KeyStatus.DELETED)
                    .sorted(Comparator.comparing(AdminKey::created).thenComparing(AdminKey::id))
                    .map(key -> of(key, index.lastUsed(key.id())))
                    .toList();
        }
    }

    /**
     * An application key without its text (docs/admin-api.md A7).
     *
     * @param expires empty: never
     * @param lastUsed null: never used, or not known
     */
    record ApplicationKeyBody(
            UUID id,
            String userId,
            String prefix,
            String role,
            Instant created,
            Optional<Instant> expires,
            @Nullable Instant lastUsed)
            implements KeyBody {

        /** Adds the times of use to application keys. */
        public static List<ApplicationKeyBody> of(AccessIndex index, List<ApplicationKey> keys) {
            return keys.stream()
                    .map(key -> new ApplicationKeyBody(
                            key.id(),
                            key.userId().value(),
                            key.prefix(),
                            key.role().word(),
                            key.created(),
                            Optional.empty(),
                            index.lastUsed(key.id())))
                    .toList();
        }

        /** The answer to the creation, to which the gateway adds the text of the key. */
        public record Created(UUID id, String userId, String prefix, String role, Optional<Instant> expires)
                implements KeyBody {}
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
    record TenantBody(UUID id, String customerId, String name, String status, Instant created, Instant updated)
            implements KeyBody {

        public static TenantBody of(Tenant tenant) {
            return new TenantBody(
                    tenant.id(),
                    tenant.customerId(),
                    tenant.name(),
                    IssueList.word(tenant.status()),
                    tenant.created(),
                    tenant.updated());
        }

        /** All tenants, including archived ones, oldest first. */
        public static List<TenantBody> all(AccessIndex index) {
            return index.tenants().stream()
                    .sorted(Comparator.comparing(Tenant::created).thenComparing(Tenant::id))
                    .map(TenantBody::of)
                    .toList();
        }
    }
}
