package dev.laurel.deploy.tools.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.key.TenantId;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class CommandLogTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");

    private final AccessIndex index = InMemoryAccessStore.index();

    private void put(AccessRecord record) {
        index.put(record.recordKey(), record);
    }

    private void expectRefused(String customerId, String reason) {
        var refused = assertThrows(CommandFailed.class, () -> CommandLog.tenantIn(index, customerId));
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    }

    @Test
    void shouldReturnNoneWithoutTenants() {
        assertEquals(TenantId.NONE, CommandLog.tenantIn(index, null));
        expectRefused("acme", "has no tenants");
    }

    /** Users without a tenant cannot be reached there, so an import would be lost silently. */
    @Test
    void shouldRequireActiveTenant() {
        put(new Instance(true));
        put(new Tenant(UUID.randomUUID(), "acme", "Acme", TenantStatus.ACTIVE, NOON, NOON));
        put(new Tenant(UUID.randomUUID(), "old", "Old", TenantStatus.ARCHIVED, NOON, NOON));

        assertEquals(index.activeTenant("acme"), CommandLog.tenantIn(index, "acme"));
        expectRefused(null, "name one with --tenant");
        expectRefused("old", "no active tenant old");
        expectRefused("nobody", "no active tenant nobody");
    }
}
