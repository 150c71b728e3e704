package dev.laurel.schemas.http;

import dev.laurel.schemas.http.RequestLimits.Tier;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RateLimitsTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId POOL = new TenantId("pool");

    private final Map<TenantId, Settings.RateLimits> limits = new HashMap<>();
    private final RateLimits rates = new RateLimits(new Limited());

    /** How many of so many requests go through. */
    private int passed(TenantId tenant, Tier tier, int requests) {
        int passed = 0;
        for (int i = 0; i < requests; i++) {
            int retryAfterS = rates.retryAfterS(tenant, tier);
            assertTrue(retryAfterS == 0 || retryAfterS == 1, "after " + retryAfterS);
            passed += retryAfterS == 0 ? 1 : 0;
        }
        return passed;
    }

    @Test
    void shouldLetEverythingThroughWithoutLimits() {
        assertEquals(1000, passed(ACME, Tier.WRITE, 1000));
        limits.put(ACME, new Settings.RateLimits(null, 5));
        assertEquals(1000, passed(ACME, Tier.WRITE, 1000));
    }

    @Test
    void shouldCountTiersAndTenantsApart() {
        limits.put(ACME, new Settings.RateLimits(5, 50));
        limits.put(POOL, new Settings.RateLimits(5, 50));

        int writes = passed(ACME, Tier.WRITE, 100);
        assertTrue(writes >= 5 && writes <= 10, "passed " + writes);
        assertTrue(passed(ACME, Tier.OTHER, 40) == 40);
        assertTrue(passed(POOL, Tier.WRITE, 100) >= 5);
    }

    @Test
    void shouldGoByNewLimitsAtOnce() {
        limits.put(ACME, new Settings.RateLimits(1, null));
        passed(ACME, Tier.WRITE, 10);
        limits.put(ACME, new Settings.RateLimits(500_000, null));
        assertEquals(1000, passed(ACME, Tier.WRITE, 1000));
        limits.remove(ACME);
        assertEquals(1000, passed(ACME, Tier.WRITE, 1000));
    }

    private final class Limited implements Rulesets {

        @Override
        public Ruleset newest(TenantId tenant) {
            Ruleset empty = Ruleset.empty(tenant);
            Settings before = empty.settings();
            var settings = new Settings(0, before.defaultTimeZone(), before.weekStartsOn(), false, null, null,
                    limits.get(tenant), null);
            return new Ruleset(tenant, 1, empty.published(), 1, List.of(), List.of(), List.of(), empty.streak(),
                    List.of(),
                    List.of(), settings, List.of(), empty.notifications(), List.of());
        }

        @Override
        public Ruleset version(TenantId tenant, long version) {
            return newest(tenant);
        }

        @Override
        public Ruleset await(TenantId tenant, long version, Duration timeout) {
            return newest(tenant);
        }

        @Override
        public boolean awaitNewest(Duration timeout) {
            return true;
        }
    }
}
