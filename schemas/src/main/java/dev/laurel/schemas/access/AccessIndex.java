package dev.laurel.schemas.access;

import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.LastUsed;
import dev.laurel.schemas.access.AccessRecord.RevokedKey;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.SignedKey.KeySigner;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * Keys, tenants and secrets. One thread puts records, in the order of the topic; any thread reads. Admin keys, tenants, the
 * settings of the instance, the secrets that sign application keys and the ids of revoked keys are in memory, since most requests need
 * them; {@link Records} has the others. A key is found by its prefix, in constant time.
 */
public final class AccessIndex {

    /** The record keys of the secrets that sign application keys begin so. They are in memory, too. */
    public static final String SIGNERS = "secret/" + KeySigner.OWNER + "/";

    /** Compared with an unknown key, so that the comparison takes as long as for a known one. */
    private static final String NOBODY = "0".repeat(64);

    /** The keys of a user that are read at a time. */
    private static final int PAGE = 100;

    private final Map<UUID, AdminKey> adminKeys = new ConcurrentHashMap<>();
    private final Map<String, AdminKey> byPrefix = new ConcurrentHashMap<>();
    private final Map<UUID, Tenant> tenants = new ConcurrentHashMap<>();
    private final Map<String, Tenant> byCustomerId = new ConcurrentHashMap<>();
    private final Records records;
    private final RevokedKeys revoked = new RevokedKeys();
    private volatile KeySigner.Signers signers = KeySigner.Signers.NONE;
    private volatile Instance instance = new Instance(false);

    public AccessIndex(Records records) {
        this.records = records;
    }

    /**
     * The records of which there may be millions: application keys, times of use, and secrets. One thread puts, any thread reads.
     */
    public interface Records {

        /**
         * Applies a record of these kinds. Of two times of use of a key, the later one stays.
         *
         * @param record the newest record of the key; null: deleted
         */
        void put(String recordKey, @Nullable AccessRecord record);

        @Nullable
        ApplicationKey applicationKey(UUID id);

        @Nullable
        ApplicationKey applicationKeyOf(String prefix);

        /** A part of the application keys of a tenant, in the order of their places. */
        KeyPage applicationKeys(TenantId tenant, KeyRange range);

        /** Null if the key has never been used. */
        @Nullable
        Instant lastUsed(UUID keyId);

        /** @param recordKey see {@link Secret#recordKey} */
        @Nullable
        Secret secret(String recordKey);
    }

    /**
     * Which application keys of a tenant are listed.
     *
     * @param user null: the keys of all users
     * @param after the place of the last key of the page before; null: from the first
     * @param skip how many to leave out before
     */
    public record KeyRange(@Nullable UserId user, @Nullable KeyPlace after, int skip, int limit) {}

    /**
     * A page of application keys.
     *
     * @param skipped how many there were to leave out before, at most {@link KeyRange#skip}
     */
    public record KeyPage(List<ApplicationKey> keys, int skipped) {}

    /** The place of an application key among those of its tenant, oldest first. */
    public record KeyPlace(long createdMs, UUID id) {

        public static KeyPlace of(ApplicationKey key) {
            return new KeyPlace(key.created().toEpochMilli(), key.id());
        }
    }

    /** @param record the newest record of the key; null: deleted */
    public void put(String recordKey, @Nullable AccessRecord record) {
        switch (record) {
            case null -> remove(recordKey);
            case AdminKey key -> put(key);
            case Tenant tenant -> {
                tenants.put(tenant.id(), tenant);
                byCustomerId.put(tenant.customerId(), tenant);
            }
            case Instance changed -> instance = changed;
            case Secret secret -> putSecret(recordKey, secret);
            case RevokedKey(UUID id) -> revoked.add(id);
            case ApplicationKey _, LastUsed _ -> records.put(recordKey, record);
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
            case "application-key", "last-used" -> records.put(recordKey, null);
            case "tenant" -> {
                Tenant tenant = tenants.remove(idIn(recordKey, slash));
                if (tenant != null) {
                    byCustomerId.remove(tenant.customerId(), tenant);
                }
            }
            case "instance" -> instance = new Instance(false);
            case "secret" -> putSecret(recordKey, null);
            case "revoked-key" -> revoked.remove(idIn(recordKey, slash));
            default -> throw new IllegalArgumentException("no record of laurel.access: " + recordKey);
        }
    }

    /** @param secret null: deleted */
    private void putSecret(String recordKey, @Nullable Secret secret) {
        records.put(recordKey, secret);
        if (recordKey.startsWith(SIGNERS) && recordKey.endsWith("/")) { // of no tenant
            String name = recordKey.substring(SIGNERS.length(), recordKey.length() - 1);
            signers = signers.with(name, secret == null ? null : secret.value());
        }
    }

    private static UUID idIn(String recordKey, int slash) {
        return UUID.fromString(recordKey.substring(slash + 1));
    }

    /**
     * The active {@link AdminKey} or the {@link ApplicationKey} with this text; null if there is none. Compares in the same time for all
     * texts of the same length. Only the prefix, which is no secret, determines how long the search takes.
     */
    public @Nullable AccessRecord holderOf(String key) {
        String prefix = new ApiKey(key).prefix();
        AccessRecord found = byPrefix.get(prefix);
        if (found == null) {
            found = records.applicationKeyOf(prefix);
        }
        String kept = switch (found) {
            case AdminKey admin -> admin.hash();
            case ApplicationKey application -> application.hash();
            case null, default -> NOBODY;
        };
        boolean isEqual = MessageDigest.isEqual(HexFormat.of().parseHex(kept), UnicodeText.sha256(key));
        return isEqual ? found : null;
    }

    /**
     * The signed key with this text, if it is authentic, has not expired and is not revoked; else null.
     *
     * @param now time of day
     */
    public @Nullable SignedKey signedKey(String text, Instant now) {
        SignedKey key = SignedKey.hasForm(text) ? SignedKey.read(text, signers) : null;
        boolean isValid =
                key != null && (key.expires() == null || now.isBefore(key.expires())) && !revoked.contains(key.id());
        return isValid ? key : null;
    }

    /** Ids of revoked keys that have expired by the beginning of this day (since 1970, UTC), at most {@code limit}. */
    public List<UUID> expiredRevocations(long day, int limit) {
        return revoked.expiredBy(day, limit);
    }

    /** The number of signed keys that are revoked and may not have expired yet. */
    public int revocations() {
        return revoked.size();
    }

    /** The secrets that sign application keys. */
    public KeySigner.Signers signers() {
        return signers;
    }

    /** The secret that signs application keys, to be stored; empty if there is one. @param entropy supplies 32 random bytes */
    public List<Secret> missingSigner(Supplier<byte[]> entropy) {
        return KeySigner.missing(signers, entropy);
    }

    /** Whether any key, active or not, has this prefix. */
    public boolean isPrefixTaken(String prefix) {
        return byPrefix.containsKey(prefix)
                || records.applicationKeyOf(prefix) != null
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
        return records.applicationKey(id);
    }

    /** A part of the application keys of a tenant, oldest first. */
    public KeyPage applicationKeys(TenantId tenant, KeyRange range) {
        return records.applicationKeys(tenant, range);
    }

    /** All application keys of a user. */
    public List<ApplicationKey> applicationKeysOf(UserKey user) {
        var keys = new ArrayList<ApplicationKey>();
        List<ApplicationKey> page;
        do {
            KeyPlace after = keys.isEmpty() ? null : KeyPlace.of(keys.getLast());
            page = records.applicationKeys(user.tenant(), new KeyRange(user.user(), after, 0, PAGE))
                    .keys();
            keys.addAll(page);
        } while (page.size() == PAGE);
        return keys;
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
        return records.lastUsed(keyId);
    }

    public @Nullable String secret(TenantId tenant, String owner, String name) {
        Secret secret = records.secret(Secret.recordKey(tenant, owner, name));
        return secret == null ? null : secret.value();
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
