package dev.laurel.schemas.access;

import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.LastUsed;
import dev.laurel.schemas.access.AccessRecord.RevokedKey;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keys, tenants and secrets in memory. One thread puts records, in the order of the topic; any thread reads. A key is found by its
 * prefix, in constant time.
 */
public final class AccessIndex {

    /** Compared with an unknown key, so that an unknown prefix takes as long as a known one. */
    private static final String NOBODY = "0".repeat(64);

    private final Map<UUID, AdminKey> adminKeys = new ConcurrentHashMap<>();
    private final Map<UUID, ApplicationKey> applicationKeys = new ConcurrentHashMap<>();
    private final Map<String, AccessRecord> byPrefix = new ConcurrentHashMap<>();
    private final Map<UUID, Tenant> tenants = new ConcurrentHashMap<>();
    private final Map<String, Tenant> byCustomerId = new ConcurrentHashMap<>();
    private final Map<UUID, Instant> lastUsed = new ConcurrentHashMap<>();
    private final Map<String, Secret> secrets = new ConcurrentHashMap<>();
    private final RevokedKeys revoked = new RevokedKeys();
    private volatile KeySigner.Signers signers = KeySigner.Signers.NONE;
    private volatile Instance instance = new Instance(false);

    /** @param record the newest record of the key; null: deleted */
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
            case Instance changed -> instance = changed;
            case Secret secret -> {
                secrets.put(recordKey, secret);
                if (secret.owner().equals(KeySigner.OWNER)) {
                    signers = signers.with(secret.name(), secret.value());
                }
            }
            case RevokedKey(UUID id) -> revoked.add(id);
            case LastUsed(UUID id, Instant at) -> lastUsed.merge(id, at, (a, b) -> a.isAfter(b) ? a : b);
        }
    }

    private void put(AdminKey key) {
        AdminKey before = adminKeys.put(key.id(), key);
        if (key.isActive()) {
            byPrefix.put(key.prefix(), key); // first, so that a renamed key is never missing
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
            case "instance" -> instance = new Instance(false);
            case "secret" -> {
                Secret secret = secrets.remove(recordKey);
                if (secret != null && secret.owner().equals(KeySigner.OWNER)) {
                    signers = signers.with(secret.name(), null);
                }
            }
            case "revoked-key" -> revoked.remove(idIn(recordKey, slash));
            default -> throw new IllegalArgumentException("no record of laurel.access: " + recordKey);
        }
    }

    private static UUID idIn(String recordKey, int slash) {
        return UUID.fromString(recordKey.substring(slash + 1));
    }

    /**
     * The active {@link AdminKey} or the {@link ApplicationKey} with this text; null if there is none. Takes the same time for all
     * texts of the same length.
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

    /**
     * The signed key with this text, if it is authentic, has not expired and is not revoked; else null.
     *
     * @param now time of day
     */
    public @Nullable SignedKey signedKey(String text, Instant now) {
        SignedKey key = SignedKey.hasForm(text) ? SignedKey.read(text, this) : null;
        boolean isValid = key != null && (key.expires() == null || now.isBefore(key.expires()))
                && !revoked.contains(key.id());
        return isValid ? key : null;
    }

    /** The ids of signed keys that are revoked and may not have expired yet. */
    public RevokedKeys revokedKeys() {
        return revoked;
    }

    KeySigner.Signers signers() {
        return signers;
    }

    /** The secret that signs application keys, to be stored; empty if there is one. @param entropy supplies 32 random bytes */
    public List<Secret> missingSigner(Supplier<byte[]> entropy) {
        return KeySigner.missing(signers, entropy);
    }

    /** Whether any key, active or not, has this prefix. */
    public boolean isPrefixTaken(String prefix) {
        return byPrefix.containsKey(prefix)
                || adminKeys.values().stream().anyMatch(key -> key.prefix().equals(prefix));
    }

    /** The admin key, which may be a deleted start key. */
    public @Nullable AdminKey adminKey(UUID id) {
        return adminKeys.get(id);
    }

    /** Whether an admin key with this hash was ever registered at a start, or exists otherwise. */
    public boolean isKnownStartKey(String hash) {
        return adminKeys.containsKey(AccessRecord.startKeyId(hash))
                || adminKeys.values().stream().anyMatch(key -> key.hash().equals(hash));
    }

    public Collection<AdminKey> adminKeys() {
        return Collections.unmodifiableCollection(adminKeys.values());
    }

    public @Nullable ApplicationKey applicationKey(UUID id) {
        return applicationKeys.get(id);
    }

    /** The keys of all tenants. */
    public Collection<ApplicationKey> applicationKeys() {
        return Collections.unmodifiableCollection(applicationKeys.values());
    }

    public @Nullable Tenant tenant(UUID id) {
        return tenants.get(id);
    }

    public Collection<Tenant> tenants() {
        return Collections.unmodifiableCollection(tenants.values());
    }

    /** The tenant, which may be archived. */
    public @Nullable Tenant tenantOf(String customerId) {
        return byCustomerId.get(customerId);
    }

    /** The tenant's id in keys and rulesets; null if there is no such tenant, or it is archived. */
    public @Nullable TenantId activeTenant(String customerId) {
        Tenant tenant = byCustomerId.get(customerId);
        return tenant == null || !tenant.isActive() ? null : idOf(customerId);
    }

    /** The id in keys and rulesets of a tenant, which need not exist. */
    public TenantId idOf(String customerId) {
        return customerId.equals(instance.firstTenant()) ? TenantId.NONE : new TenantId(customerId);
    }

    /** The customer id of the tenant with this id in keys; empty if it has none, or there are no tenants. */
    public String customerIdOf(TenantId tenant) {
        String first = instance.firstTenant();
        return !tenant.equals(TenantId.NONE) ? tenant.value() : first == null || !isMultiTenant() ? "" : first;
    }

    /** The customer id of the tenant that has the data without a tenant; null: none has them. */
    public @Nullable String firstTenant() {
        return instance.firstTenant();
    }

    /** Null if the key has never been used. */
    public @Nullable Instant lastUsed(UUID keyId) {
        return lastUsed.get(keyId);
    }

    public @Nullable String secret(TenantId tenant, String owner, String name) {
        Secret secret = secrets.get(Secret.recordKey(tenant, owner, name));
        return secret == null ? null : secret.value();
    }

    /** The tenants that have this secret. Iterates over all secrets. */
    public List<TenantId> tenantsWith(String owner, String name) {
        return secrets.values().stream().filter(secret -> secret.owner().equals(owner) && secret.name().equals(name))
                .map(Secret::tenant).toList();
    }

    public boolean isMultiTenant() {
        return instance.multiTenancyEnabled();
    }

    /** The keys, tenants and secrets known to this process. Thread-safe. */
    public interface AccessView {

        AccessIndex index();

        /**
         * Waits until all records written before this call are known.
         *
         * @return false if that cannot be determined in time
         */
        boolean awaitNewest(Duration timeout) throws InterruptedException;
    }
}
