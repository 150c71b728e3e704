package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.KafkaClients;
import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.key.TenantId;

/** Finds the tenant whose users an import is about. */
final class TenantLookup {

    private TenantLookup() {}

    /**
     * Reads the tenants from Kafka.
     *
     * @param customerId customer id of the tenant; null if none was given
     * @throws CommandFailed if none was given and there are tenants, or the reverse, or there is no such tenant
     */
    static TenantId at(KafkaAccess kafka, String customerId) {
        return in(KafkaClients.readAccess(kafka, AccessTable::index), customerId);
    }

    static TenantId in(AccessIndex index, String customerId) {
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
