package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import dev.laurel.schemas.wire.KeyBody.ApplicationKeyBody;
import dev.laurel.schemas.wire.KeyBody.TenantBody;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the bodies of keys and tenants. Pure. */
public final class AccessBodies {

    private AccessBodies() {}

    /** All admin keys that are not deleted, oldest first. */
    public static List<AdminKeyBody> adminKeys(AccessIndex index) {
        return index.adminKeys().stream().filter(key -> key.status() != KeyStatus.DELETED)
                .sorted(Comparator.comparing(AdminKey::created).thenComparing(AdminKey::id))
                .map(key -> of(key, index.lastUsed(key.id()))).toList();
    }

    /** Adds the times of use to application keys. */
    public static List<ApplicationKeyBody> of(AccessIndex index, List<ApplicationKey> keys) {
        return keys.stream().map(key -> new ApplicationKeyBody(key.id(), key.userId().value(), key.prefix(),
                key.role().word(), key.created(), Optional.empty(), index.lastUsed(key.id()))).toList();
    }

    /** All tenants, including archived ones, oldest first. */
    public static List<TenantBody> tenants(AccessIndex index) {
        return index.tenants().stream().sorted(Comparator.comparing(Tenant::created).thenComparing(Tenant::id))
                .map(AccessBodies::of).toList();
    }

    static AdminKeyBody of(AdminKey key, @Nullable Instant lastUsed) {
        return new AdminKeyBody(key.id(), key.name(), key.prefix(), key.role().word(), key.tenant(),
                IssueList.word(key.status()), key.created(), Optional.ofNullable(key.expires()), lastUsed);
    }

    public static TenantBody of(Tenant tenant) {
        return new TenantBody(tenant.id(), tenant.customerId(), tenant.name(), IssueList.word(tenant.status()),
                tenant.created(), tenant.updated());
    }
}
