package dev.laurel.schemas.access;

import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.LastUsed;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.key.TenantId;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who may call, and the secrets by which we call others, in memory. One thread puts records, in the order of the topic; any thread reads. A key is found in constant
 * time, by its prefix.
 */
public final class AccessIndex {

    /** Compared with where there is no such key: a prefix that nobody has takes as long as one that somebody has. */
    private static final String NOBODY = "0".repeat(64);

    private final Map<UUID, AdminKey> adminKeys = new ConcurrentHashMap<>();
    private final Map<UUID, ApplicationKey> applicationKeys = new ConcurrentHashMap<>();
    private final Map<String, AccessRecord> byPrefix = new ConcurrentHashMap<>();
    private final Map<UUID, Tenant> tenants = new ConcurrentHashMap<>();
    private final Map<String, Tenant> byCustomerId = new ConcurrentHashMap<>();
    private final Map<UUID, Instant> lastUsed = new ConcurrentHashMap<>();
    private final Map<String, Secret> secrets = new ConcurrentHashMap<>();
    private volatile boolean isMultiTenant;

    /** @param record the newest of this key; null: it was deleted */
    public void put(String recordKey, @Nullable AccessRecord record) {
        switch (record) {
            case null -> remove(recordKey);
            case AdminKey key -> put(key);
            case ApplicationKey key -> {
                applicationKeys.put(key.id(), key);
                byPrefix.put(key.prefix(), key);
            }
            case Tenant tenant -> {
                tenants.put(tenant.id(), tenant);
                byCustomerId.put(tenant.customerId(), tenant);
            }
            case Instance instance -> isMultiTenant = instance.multiTenancyEnabled();
            case Secret secret -> secrets.put(recordKey, secret);
            case LastUsed(UUID id, Instant at) -> lastUsed.merge(id, at, (a, b) -> a.isAfter(b) ? a : b);
        }
    }

    private void put(AdminKey key) {
        AdminKey before = adminKeys.put(key.id(), key);
        if (key.isActive()) {
            byPrefix.put(key.prefix(), key); // first, so that a key that only gets a name is never missing
        }
        if (before != null && !(key.isActive() && before.prefix().equals(key.prefix()))) {
            byPrefix.remove(before.prefix(), before);
        }
    }

    private void remove(String recordKey) {
        int slash = recordKey.indexOf('/');
        String kind = slash < 0 ? recordKey : recordKey.substring(0, slash);
        switch (kind) {
            case "admin-key" -> {
                AdminKey key = adminKeys.remove(idIn(recordKey, slash));
                if (key != null) {
                    byPrefix.remove(key.prefix(), key);
                }
            }
            case "application-key" -> {
                ApplicationKey key = applicationKeys.remove(idIn(recordKey, slash));
                if (key != null) {
                    byPrefix.remove(key.prefix(), key);
                }
            }
            case "last-used" -> lastUsed.remove(idIn(recordKey, slash));
            case "tenant" -> {
                Tenant tenant = tenants.remove(idIn(recordKey, slash));
                if (tenant != null) {
                    byCustomerId.remove(tenant.customerId(), tenant);
                }
            }
            case "instance" -> isMultiTenant = false;
            case "secret" -> secrets.remove(recordKey);
            default -> throw new IllegalArgumentException("no record of laurel.access: " + recordKey);
        }
    }

    private static UUID idIn(String recordKey, int slash) {
        return UUID.fromString(recordKey.substring(slash + 1));
    }

    /**
     * Whose key this is, an {@link AdminKey} that is active or an {@link ApplicationKey}; null if it is nobody's. Takes the same
     * time for every text of the same length.
     */
    public @Nullable AccessRecord holderOf(String key) {
        AccessRecord found = byPrefix.get(new ApiKey(key).prefix());
        String kept = switch (found) {
            case AdminKey admin -> admin.hash();
            case ApplicationKey application -> application.hash();
            case null, default -> NOBODY;
        };
        boolean isEqual = MessageDigest.isEqual(HexFormat.of().parseHex(kept), ApiKey.sha256(key));
        return isEqual ? found : null;
    }

    /** Whether some key has this prefix; one that is not active need not have given it up. */
    public boolean isPrefixTaken(String prefix) {
        return byPrefix.containsKey(prefix)
                || adminKeys.values().stream().anyMatch(key -> key.prefix().equals(prefix));
    }

    /** Null if there is none, deleted start keys included. */
    public @Nullable AdminKey adminKey(UUID id) {
        return adminKeys.get(id);
    }

    /** Whether an admin key with this hash has been registered at a start, whatever has become of it, or made otherwise. */
    public boolean isKnownStartKey(String hash) {
        return adminKeys.containsKey(AccessRecord.startKeyId(hash))
                || adminKeys.values().stream().anyMatch(key -> key.hash().equals(hash));
    }

    public Collection<AdminKey> adminKeys() {
        return Collections.unmodifiableCollection(adminKeys.values());
    }

    /** Null if there is none. */
    public @Nullable ApplicationKey applicationKey(UUID id) {
        return applicationKeys.get(id);
    }

    /** Of all tenants. */
    public Collection<ApplicationKey> applicationKeys() {
        return Collections.unmodifiableCollection(applicationKeys.values());
    }

    /** Null if there is none. */
    public @Nullable Tenant tenant(UUID id) {
        return tenants.get(id);
    }

    public Collection<Tenant> tenants() {
        return Collections.unmodifiableCollection(tenants.values());
    }

    /** Archived ones, too; null if there is none. */
    public @Nullable Tenant tenantOf(String customerId) {
        return byCustomerId.get(customerId);
    }

    /** The tenant's id in keys and rulesets; null if there is none, or it is archived. */
    public @Nullable TenantId activeTenant(String customerId) {
        Tenant tenant = byCustomerId.get(customerId);
        return tenant == null || !tenant.isActive() ? null : new TenantId(customerId);
    }

    /** Null if the key has never been used. */
    public @Nullable Instant lastUsed(UUID keyId) {
        return lastUsed.get(keyId);
    }

    /** Null if there is none. */
    public @Nullable String secret(TenantId tenant, String owner, String name) {
        Secret secret = secrets.get(Secret.recordKey(tenant, owner, name));
        return secret == null ? null : secret.value();
    }

    /** Whose secrets include this one; looks at all secrets. */
    public List<TenantId> tenantsWith(String owner, String name) {
        return secrets.values().stream().filter(secret -> secret.owner().equals(owner) && secret.name().equals(name))
                .map(Secret::tenant).toList();
    }

    public boolean isMultiTenant() {
        return isMultiTenant;
    }

    /** Who may call, as far as it is known here. Thread-safe. */
    public interface AccessView {

        AccessIndex index();

        /**
         * Waits until everything is known here that was written before this call.
         *
         * @return false if that cannot be found out in time
         */
        boolean awaitNewest(Duration timeout) throws InterruptedException;
    }
}
