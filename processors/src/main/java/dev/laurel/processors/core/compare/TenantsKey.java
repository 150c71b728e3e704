package dev.laurel.processors.core.compare;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;

/** The key of an object in the ruleset of one tenant. Others may have another object of that name. */
public record TenantsKey(TenantId tenant, String key) implements Comparable<TenantsKey> {

    /** As users are written: the key alone where multi-tenancy is off, else with the tenant in front. */
    public String text() {
        return UserKey.prefixOf(tenant) + key;
    }

    @Override
    public int compareTo(TenantsKey other) {
        int byTenant = tenant.value().compareTo(other.tenant.value());
        return byTenant == 0 ? key.compareTo(other.key) : byTenant;
    }
}
