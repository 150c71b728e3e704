package dev.laurel.deploy.tools.imports;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.key.TenantId;
import org.jspecify.annotations.Nullable;

/** Finds the tenant of the users of an import. */
public final class TenantLookup {

    private TenantLookup() {}

    /**
     * Reads the tenants from Kafka.
     *
     * @param customerId customer id of the tenant; null: not given
     * @throws CommandFailed if none was given and there are tenants, or the reverse, or there is no such tenant
     */
    public static TenantId at(KafkaAccess kafka, @Nullable String customerId) {
        return in(AccessTable.read(kafka, AccessTable::index), customerId);
    }

    static TenantId in(AccessIndex index, @Nullable String customerId) {
        if (!index.isMultiTenant()) {
            if (customerId != null) {
                throw new CommandFailed("--tenant: this instance has no tenants");
            }
            return TenantId.NONE;
        }
        if (customerId == null) {
            throw new CommandFailed("this instance has several tenants: name one with --tenant");
        }
        TenantId tenant = index.activeTenant(customerId);
        if (tenant == null) {
            throw new CommandFailed("--tenant: there is no active tenant " + customerId);
        }
        return tenant;
    }
}
