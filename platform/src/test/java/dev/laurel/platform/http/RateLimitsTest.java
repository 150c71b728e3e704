package dev.laurel.platform.http;

import dev.laurel.platform.http.HttpSettings.RequestLimits.Tier;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Settings;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RateLimitsTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId POOL = new TenantId("pool");

    private final Map<TenantId, Settings.RateLimits> limits = new HashMap<>();
    private final RateLimits rates = new RateLimits(
            new FixedSettings(tenant -> FixedSettings.of(true, limits.get(tenant))));

    /** Sends requests. @return the number of requests within the limit */
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
    void shouldAcceptAllRequestsWithoutLimits() {
        assertEquals(1000, passed(ACME, Tier.WRITE, 1000));
        limits.put(ACME, new Settings.RateLimits(null, 5));
        assertEquals(1000, passed(ACME, Tier.WRITE, 1000));
    }

    @Test
    void shouldCountEachTierAndTenantSeparately() {
        limits.put(ACME, new Settings.RateLimits(5, 50));
        limits.put(POOL, new Settings.RateLimits(5, 50));

        int writes = passed(ACME, Tier.WRITE, 100);
        assertTrue(writes >= 5 && writes <= 10, "passed " + writes);
        assertEquals(40, passed(ACME, Tier.OTHER, 40));
        assertTrue(passed(POOL, Tier.WRITE, 100) >= 5);
    }

    @Test
    void shouldTakeBatchBeyondTheLimitFromTheFollowingSeconds() {
        limits.put(ACME, new Settings.RateLimits(100, 100));

        assertEquals(0, rates.retryAfterS(ACME, Tier.WRITE));
        rates.add(ACME, Tier.WRITE, 999);

        int retryAfterS = rates.retryAfterS(ACME, Tier.WRITE);
        assertTrue(retryAfterS == 9 || retryAfterS == 10, "after " + retryAfterS);
        assertEquals(0, rates.retryAfterS(ACME, Tier.OTHER));
    }

    @Test
    void shouldCountNothingWithoutLimit() {
        rates.add(ACME, Tier.WRITE, 999);
        limits.put(ACME, new Settings.RateLimits(100, null));
        rates.add(ACME, Tier.OTHER, 999);
        rates.add(ACME, Tier.WRITE, 0);

        assertEquals(0, rates.retryAfterS(ACME, Tier.OTHER));
        assertEquals(0, rates.retryAfterS(ACME, Tier.WRITE));
    }

    @Test
    void shouldApplyNewLimitsAtOnce() {
        limits.put(ACME, new Settings.RateLimits(1, null));
        passed(ACME, Tier.WRITE, 10);
        limits.put(ACME, new Settings.RateLimits(500_000, null));
        assertEquals(1000, passed(ACME, Tier.WRITE, 1000));
        limits.remove(ACME);
        assertEquals(1000, passed(ACME, Tier.WRITE, 1000));
    }
}
