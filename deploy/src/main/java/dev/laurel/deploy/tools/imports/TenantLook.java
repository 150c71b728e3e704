package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.TableLook;
import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.AccessTable;
import dev.laurel.schemas.topic.KafkaAccess;

/** Whose users an import is about. */
final class TenantLook {

    private TenantLook() {}

    /**
     * Blocks for a moment.
     *
     * @param customerId of the tenant; null if none was named
     * @throws CommandFailed if none was named and there are tenants, or the other way round, or there is no such tenant
     */
    static TenantId at(KafkaAccess kafka, String customerId) {
        return in(TableLook.atAccess(kafka, AccessTable::book), customerId);
    }

    static TenantId in(AccessBook book, String customerId) {
        if (!book.isMultiTenant()) {
            if (customerId != null) {
                throw new CommandFailed("--tenant: this instance has no tenants");
            }
            return TenantId.NONE;
        }
        if (customerId == null) {
            throw new CommandFailed("this instance has several tenants: name one with --tenant");
        }
        TenantId tenant = book.activeTenant(customerId);
        if (tenant == null) {
            throw new CommandFailed("--tenant: there is no active tenant " + customerId);
        }
        return tenant;
    }
}
