package dev.laurel.delivery.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.delivery.KnownAccess;
import dev.laurel.delivery.NewestRules;
import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WebhookTargetsTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final Endpoint WEBHOOK = new Endpoint(ACME, new UUID(1, 1));

    private final AccessIndex index = InMemoryAccessStore.index();
    private final WebhookTargets targets = new WebhookTargets(new NewestRules(Ruleset::empty), new KnownAccess(index));

    @Test
    void shouldFindNoTargetOfAnArchivedTenant() throws InterruptedException {
        acmeIs(TenantStatus.ACTIVE);
        assertEquals(
                new WebhookClient.Outcome.Dropped("the webhook was deleted"), targets.find(WEBHOOK, System.nanoTime()));

        acmeIs(TenantStatus.ARCHIVED);
        assertEquals(
                new WebhookClient.Outcome.Dropped("the tenant is archived"), targets.find(WEBHOOK, System.nanoTime()));
    }

    private void acmeIs(TenantStatus status) {
        var tenant = new Tenant(new UUID(2, 2), ACME.value(), "Acme", status, Instant.EPOCH, Instant.EPOCH);
        index.put(tenant.recordKey(), tenant);
    }
}
