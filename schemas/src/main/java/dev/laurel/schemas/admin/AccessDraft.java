package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.key.TenantId;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** What is known of who may call, with the changes of one edit so far: a later item sees what an earlier one did. */
final class AccessDraft {

    private final AccessIndex current;
    private final Map<String, AccessRecord> changes = new LinkedHashMap<>();
    private final Set<String> newPrefixes = new HashSet<>();

    AccessDraft(AccessIndex current) {
        this.current = current;
    }

    /** By record key, in their order; null for what is deleted. */
    Map<String, AccessRecord> changes() {
        return Collections.unmodifiableMap(changes);
    }

    void put(AccessRecord record) {
        changes.put(record.recordKey(), record);
        switch (record) {
            case AdminKey key -> newPrefixes.add(key.prefix());
            case ApplicationKey key -> newPrefixes.add(key.prefix());
            default -> {
            }
        }
    }

    /** A key that nobody can use any more leaves nothing behind. */
    void deleteKey(AccessRecord key, UUID id) {
        changes.put(key.recordKey(), null);
        changes.put(AccessRecord.lastUsedKey(id), null);
    }

    boolean isPrefixTaken(String prefix) {
        return newPrefixes.contains(prefix) || current.isPrefixTaken(prefix);
    }

    /** Null if there is none, or it was deleted. */
    AdminKey adminKey(UUID id) {
        AdminKey key = (AdminKey) newest("admin-key/" + id, current.adminKey(id));
        return key == null || key.status() == KeyStatus.DELETED ? null : key;
    }

    /** Whether somebody could get in without this key. */
    boolean hasOtherActiveAdminKey(UUID id) {
        Stream<AdminKey> changed = changes.values().stream().filter(AdminKey.class::isInstance)
                .map(AdminKey.class::cast);
        Stream<AdminKey> unchanged = current.adminKeys().stream()
                .filter(key -> !changes.containsKey(key.recordKey()));
        return Stream.concat(changed, unchanged).anyMatch(key -> key.isActive() && !key.id().equals(id));
    }

    /** Null if there is none. */
    ApplicationKey applicationKey(UUID id) {
        return (ApplicationKey) newest("application-key/" + id, current.applicationKey(id));
    }

    /** Null if there is none. */
    Tenant tenant(UUID id) {
        return (Tenant) newest("tenant/" + id, current.tenant(id));
    }

    /** Archived ones, too. */
    boolean isCustomerIdTaken(String customerId) {
        return current.tenantOf(customerId) != null || changes.values().stream()
                .anyMatch(record -> record instanceof Tenant tenant && tenant.customerId().equals(customerId));
    }

    /** Null if there is none. */
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

    /** @param enabled null: it stays as it is */
    void setMultiTenancy(Boolean enabled) {
        if (enabled != null && enabled != isMultiTenant()) {
            put(new Instance(enabled));
        }
    }

    private AccessRecord newest(String recordKey, AccessRecord otherwise) {
        return changes.containsKey(recordKey) ? changes.get(recordKey) : otherwise;
    }
}
