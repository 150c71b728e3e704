package dev.laurel.schemas.access;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A value of {@code laurel.access}, of which the newest per {@link #recordKey} applies. Keys to Laurel are stored only as hashes;
 * credentials for other services are {@link Secret}s.
 */
public sealed interface AccessRecord {

    /** Key of the record in the topic. */
    String recordKey();

    /** Only start keys can be {@code DELETED}: their deletion must be known at the next start. */
    enum KeyStatus {
        ACTIVE,
        INACTIVE,
        DELETED
    }

    /**
     * A record without role, tenant and end is of a key without limits. Versions before such limits read only such records, and stop
     * at others, so that none takes a limited key for one without limits.
     *
     * @param hash see {@link ApiKey#hash}
     * @param tenant customer id of the tenant that the key is bound to; null: none
     * @param expires the key is refused from then on; null: never
     */
    record AdminKey(
            UUID id,
            String name,
            String prefix,
            String hash,
            KeyStatus status,
            Instant created,
            Role role,
            @Nullable String tenant,
            @Nullable Instant expires)
            implements AccessRecord {

        public AdminKey {
            role = Objects.requireNonNullElse(role, Role.ADMIN);
        }

        /** A key without limits. */
        public AdminKey(UUID id, String name, String prefix, String hash, KeyStatus status, Instant created) {
            this(id, name, prefix, hash, status, created, Role.ADMIN, null, null);
        }

        @Override
        public String recordKey() {
            return "admin-key/" + id;
        }

        public boolean isActive() {
            return status == KeyStatus.ACTIVE;
        }

        /** Whether the key is accepted at this time. */
        public boolean isValid(Instant now) {
            return isActive() && (expires == null || now.isBefore(expires));
        }

        /** Whether the key may do everything for as long as it is active, and therefore create other keys. */
        public boolean managesKeys() {
            return isActive() && role == Role.ADMIN && tenant == null && expires == null;
        }

        /** Whether the key was given on the command line or in the data directory, and may be given again. */
        public boolean isStartKey() {
            return id.version() == START_KEY_ID_VERSION;
        }
    }

    /**
     * A record without role is of a key that may also write, as for {@link AdminKey}.
     *
     * @param role {@link Role#VIEWER} or {@link Role#SUPPORT}
     */
    record ApplicationKey(
            UUID id, TenantId tenant, UserId userId, String prefix, String hash, Instant created, Role role)
            implements AccessRecord {

        /** What an application key may be limited to, and what it may do otherwise. */
        public static final List<Role> ROLES = List.of(Role.VIEWER, Role.SUPPORT);

        public ApplicationKey {
            role = Objects.requireNonNullElse(role, Role.SUPPORT);
        }

        @Override
        public String recordKey() {
            return "application-key/" + id;
        }
    }

    enum TenantStatus {
        ACTIVE,
        ARCHIVED
    }

    /** @param customerId the tenant in keys of records, unless it is {@link Instance#firstTenant}; never changes */
    record Tenant(UUID id, String customerId, String name, TenantStatus status, Instant created, Instant updated)
            implements AccessRecord {

        @Override
        public String recordKey() {
            return "tenant/" + id;
        }

        public boolean isActive() {
            return status == TenantStatus.ACTIVE;
        }
    }

    /**
     * The settings of the whole instance.
     *
     * @param firstTenant customer id of the tenant whose data are those without a tenant; null: none has them
     */
    record Instance(boolean multiTenancyEnabled, @Nullable String firstTenant) implements AccessRecord {

        public static final String RECORD_KEY = "instance";

        public Instance(boolean multiTenancyEnabled) {
            this(multiTenancyEnabled, null);
        }

        @Override
        public String recordKey() {
            return RECORD_KEY;
        }
    }

    /**
     * A credential for another service, or a secret that signs deliveries; stored in plain text.
     *
     * @param owner id of a webhook, or {@link #CHANNELS}
     */
    record Secret(TenantId tenant, String owner, String name, String value) implements AccessRecord {

        /** The owner of credentials for services that send messages. */
        public static final String CHANNELS = "channels";

        /** The name of the secret that signs deliveries to a webhook. */
        public static final String SIGNING = "signing";

        /** The name of the URL of the mail server, of {@link #CHANNELS}. */
        public static final String SMTP_URL = "smtpUrl";

        /** The name of the key for unsubscribe links, of {@link #CHANNELS}; generated and never shown. */
        public static final String UNSUBSCRIBE = "unsubscribe";

        /** Owners and names contain no slash; tenants may. */
        public static String recordKey(TenantId tenant, String owner, String name) {
            return "secret/" + owner + "/" + name + "/" + tenant.value();
        }

        @Override
        public String recordKey() {
            return recordKey(tenant, owner, name);
        }

        /** Omits the value, because the text may be logged. */
        @Override
        public String toString() {
            return recordKey();
        }
    }

    /**
     * The revocation of a {@link SignedKey}, which applies from the time at which a process reads it. Deleted once the key has expired.
     * Versions before signed keys stop at such a record.
     */
    record RevokedKey(UUID id) implements AccessRecord {

        @Override
        public String recordKey() {
            return recordKey(id);
        }

        public static String recordKey(UUID id) {
            return "revoked-key/" + id;
        }
    }

    /** The last use of a key. Written by the processes that accept keys; the newest time applies. */
    record LastUsed(UUID keyId, Instant at) implements AccessRecord {

        @Override
        public String recordKey() {
            return lastUsedKey(keyId);
        }
    }

    static String lastUsedKey(UUID keyId) {
        return "last-used/" + keyId;
    }

    /** The UUID version of ids that are derived from a name; other ids are random. */
    int START_KEY_ID_VERSION = 3;

    /** The id of an admin key that was given at a start. */
    static UUID startKeyId(String hash) {
        return UUID.nameUUIDFromBytes(("laurel-start-key/" + hash).getBytes(StandardCharsets.UTF_8));
    }
}
