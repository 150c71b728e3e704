package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.RevokedKey;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.key.TenantId;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keys, tenants and secrets with the changes of an edit so far, so that later items see earlier ones. Belongs to one edit. */
final class PendingAccess {

    private final AccessIndex current;
    private final Map<String, @Nullable AccessRecord> changes = new LinkedHashMap<>();
    private final Set<String> newPrefixes = new HashSet<>();

    PendingAccess(AccessIndex current) {
        this.current = current;
    }

    /** The changed records by key, in the order of the changes; null: deleted. */
    Map<String, @Nullable AccessRecord> changes() {
        return Collections.unmodifiableMap(changes);
    }

    void put(AccessRecord record) {
        changes.put(record.recordKey(), record);
        if (record instanceof AdminKey key) {
            newPrefixes.add(key.prefix());
        }
    }

    /** Deletes a key and the time of its last use. */
    void deleteKey(AccessRecord key, UUID id) {
        changes.put(key.recordKey(), null);
        changes.put(AccessRecord.lastUsedKey(id), null);
    }

    /** Deletes the revocation of a key that has expired. */
    void deleteRevocation(UUID id) {
        changes.put(RevokedKey.recordKey(id), null);
    }

    boolean isPrefixTaken(String prefix) {
        return newPrefixes.contains(prefix) || current.isPrefixTaken(prefix);
    }

    /** An admin key that is not deleted. */
    @Nullable
    AdminKey adminKey(UUID id) {
        AdminKey key = (AdminKey) newest("admin-key/" + id, current.adminKey(id));
        return key == null || key.status() == KeyStatus.DELETED ? null : key;
    }

    /** Whether there is another key that {@linkplain AdminKey#managesKeys manages keys}. */
    boolean hasOtherKeyToManageKeys(UUID id) {
        Stream<AdminKey> changed =
                changes.values().stream().filter(AdminKey.class::isInstance).map(AdminKey.class::cast);
        Stream<AdminKey> unchanged = current.adminKeys().stream().filter(key -> !changes.containsKey(key.recordKey()));
        return Stream.concat(changed, unchanged)
                .anyMatch(key -> key.managesKeys() && !key.id().equals(id));
    }

    @Nullable
    ApplicationKey applicationKey(UUID id) {
        return (ApplicationKey) newest("application-key/" + id, current.applicationKey(id));
    }

    @Nullable
    Tenant tenant(UUID id) {
        return (Tenant) newest("tenant/" + id, current.tenant(id));
    }

    /** Whether a tenant, possibly archived, has this id. */
    boolean isCustomerIdTaken(String customerId) {
        return current.tenantOf(customerId) != null
                || changes.values().stream()
                        .anyMatch(record -> record instanceof Tenant tenant
                                && tenant.customerId().equals(customerId));
    }

    @Nullable
    String secret(TenantId tenant, String owner, String name) {
        String key = Secret.recordKey(tenant, owner, name);
        return changes.get(key) instanceof Secret secret
                ? secret.value()
                : changes.containsKey(key) ? null : current.secret(tenant, owner, name);
    }

    void deleteSecret(TenantId tenant, String owner, String name) {
        if (secret(tenant, owner, name) != null) {
            changes.put(Secret.recordKey(tenant, owner, name), null);
        }
    }

    boolean isMultiTenant() {
        return changes.get(Instance.RECORD_KEY) instanceof Instance changed
                ? changed.multiTenancyEnabled()
                : current.isMultiTenant();
    }

    private @Nullable AccessRecord newest(String recordKey, @Nullable AccessRecord otherwise) {
        return changes.containsKey(recordKey) ? changes.get(recordKey) : otherwise;
    }
}
