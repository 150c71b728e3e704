package dev.laurel.schemas.access;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/**
 * What is known of who may call: the values of {@code laurel.access}, of which the newest per {@link #recordKey} counts. No
 * value holds a key of ours: only its hash. What opens something of others is a {@link Secret}.
 */
public sealed interface AccessRecord {

    /** Key of the record in the topic. */
    String recordKey();

    /** {@code DELETED} only of start keys, which must be known to have been deleted when they come again. */
    enum KeyStatus {
        ACTIVE, INACTIVE, DELETED
    }

    /** @param hash see {@link ApiKey#hash} */
    record AdminKey(UUID id, String name, String prefix, String hash, KeyStatus status,
            Instant created) implements AccessRecord {

        @Override
        public String recordKey() {
            return "admin-key/" + id;
        }

        public boolean isActive() {
            return status == KeyStatus.ACTIVE;
        }

        /** Whether it came from the command line or the data directory, and may come from there again. */
        public boolean isStartKey() {
            return id.version() == START_KEY_ID_VERSION;
        }
    }

    record ApplicationKey(UUID id, TenantId tenant, UserId userId, String prefix, String hash,
            Instant created) implements AccessRecord {

        @Override
        public String recordKey() {
            return "application-key/" + id;
        }

        /** Whose key it is. */
        public UserKey owner() {
            return new UserKey(tenant, userId);
        }
    }

    enum TenantStatus {
        ACTIVE, ARCHIVED
    }

    /** @param customerId also what the tenant is called in keys of records, so it stays for good */
    record Tenant(UUID id, String customerId, String name, TenantStatus status, Instant created,
            Instant updated) implements AccessRecord {

        @Override
        public String recordKey() {
            return "tenant/" + id;
        }

        public boolean isActive() {
            return status == TenantStatus.ACTIVE;
        }
    }

    /** What concerns the whole instance. */
    record Instance(boolean multiTenancyEnabled) implements AccessRecord {

        public static final String RECORD_KEY = "instance";

        @Override
        public String recordKey() {
            return RECORD_KEY;
        }
    }

    /**
     * What opens something of others, or signs what they are sent: it has to be known as it is.
     *
     * @param owner the id of a webhook, or {@link #CHANNELS}
     */
    record Secret(TenantId tenant, String owner, String name, String value) implements AccessRecord {

        /** Owner of what opens the services that carry messages. */
        public static final String CHANNELS = "channels";

        /** Name of what signs the payloads of a webhook. */
        public static final String SIGNING = "signing";

        /** Name of where emails are handed over, of {@link #CHANNELS}. */
        public static final String SMTP_URL = "smtpUrl";

        /** Name of what proves that a link to unsubscribe is ours, of {@link #CHANNELS}; made by us, never shown. */
        public static final String UNSUBSCRIBE = "unsubscribe";

        /** Neither owners nor names have a slash; tenants may. */
        public static String recordKey(TenantId tenant, String owner, String name) {
            return "secret/" + owner + "/" + name + "/" + tenant.value();
        }

        @Override
        public String recordKey() {
            return recordKey(tenant, owner, name);
        }

        /** Without the value: this may end up in a log. */
        @Override
        public String toString() {
            return recordKey();
        }
    }

    /** When a key was used. Written by those that saw it, without the writer: the newest time counts. */
    record LastUsed(UUID keyId, Instant at) implements AccessRecord {

        @Override
        public String recordKey() {
            return lastUsedKey(keyId);
        }
    }

    static String lastUsedKey(UUID keyId) {
        return "last-used/" + keyId;
    }

    /** Of ids that come from a name; others are random. */
    int START_KEY_ID_VERSION = 3;

    /** The id of an admin key that was given at start-up: the same for the same key. */
    static UUID startKeyId(String hash) {
        return UUID.nameUUIDFromBytes(("laurel-start-key/" + hash).getBytes(StandardCharsets.UTF_8));
    }
}
