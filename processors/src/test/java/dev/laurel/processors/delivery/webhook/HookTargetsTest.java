package dev.laurel.processors.delivery.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.processors.store.Endpoint;
import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HookTargetsTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final Endpoint WEBHOOK = new Endpoint(ACME, new UUID(1, 1));

    private final AccessBook book = new AccessBook();
    private final HookTargets targets = new HookTargets(rulesets(), access());

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

    private static Rulesets rulesets() {
        return new Rulesets() {
            @Override
            public Ruleset newest(TenantId tenant) {
                return Ruleset.empty(tenant);
            }

            @Override
            public Ruleset version(TenantId tenant, long version) {
                throw new AssertionError("the newest counts");
            }

            @Override
            public Ruleset await(TenantId tenant, long version, Duration timeout) {
                throw new AssertionError("the newest counts");
            }

            @Override
            public boolean awaitNewest(Duration timeout) {
                return true;
            }
        };
    }

    private AccessView access() {
        return new AccessView() {
            @Override
            public AccessBook book() {
                return book;
            }

            @Override
            public boolean awaitNewest(Duration timeout) {
                return true;
            }
        };
    }
}
