package dev.laurel.processors.delivery.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.processors.store.Endpoint;
import dev.laurel.processors.delivery.KnownAccess;
import dev.laurel.processors.delivery.NewestRules;
import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HookTargetsTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final Endpoint WEBHOOK = new Endpoint(ACME, new UUID(1, 1));

    private final AccessBook book = new AccessBook();
    private final HookTargets targets = new HookTargets(new NewestRules(Ruleset::empty), new KnownAccess(book));

    @Test
    void shouldTellAnArchivedTenantNothing() throws InterruptedException {
        acmeIs(TenantStatus.ACTIVE);
        assertEquals(new HookTargets.Gone("the webhook was deleted"), targets.find(WEBHOOK, System.nanoTime()));

        acmeIs(TenantStatus.ARCHIVED);
        assertEquals(new HookTargets.Gone("the tenant is archived"), targets.find(WEBHOOK, System.nanoTime()));
    }

    private void acmeIs(TenantStatus status) {
        var tenant = new Tenant(new UUID(2, 2), ACME.value(), "Acme", status, Instant.EPOCH, Instant.EPOCH);
        book.put(tenant.recordKey(), tenant);
    }
}
