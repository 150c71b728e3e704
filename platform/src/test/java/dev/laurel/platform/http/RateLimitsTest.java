package dev.laurel.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.platform.http.HttpSettings.RequestLimits.Tier;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Settings;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RateLimitsTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId POOL = new TenantId("pool");

    private final Map<TenantId, Settings.RateLimits> limits = new HashMap<>();
    private int gateways = 1;
    private long nowNs;
    private final RateLimits rates = new RateLimits(
            new FixedSettings(tenant -> FixedSettings.of(true, limits.get(tenant))), () -> gateways, new TimeMeter() {
                @Override
                public long currentTimeNanos() {
                    return nowNs;
                }

                @Override
                public boolean isWallClockBased() {
                    return false;
                }
            });

    /** Sends requests. @return the number of requests within the limit */
    private int passed(TenantId tenant, Tier tier, int requests) {
        int passed = 0;
        for (int i = 0; i < requests; i++) {
            int retryAfterS = rates.retryAfterS(tenant, tier);
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

        assertEquals(5, passed(ACME, Tier.WRITE, 100));
        assertEquals(1, rates.retryAfterS(ACME, Tier.WRITE));
        assertEquals(40, passed(ACME, Tier.OTHER, 40));
        assertEquals(5, passed(POOL, Tier.WRITE, 100));
    }

    @Test
    void shouldTakeBatchBeyondTheLimitFromTheFollowingSeconds() {
        limits.put(ACME, new Settings.RateLimits(100, 100));

        assertEquals(0, rates.retryAfterS(ACME, Tier.WRITE));
        rates.add(ACME, Tier.WRITE, 999);

        assertEquals(10, rates.retryAfterS(ACME, Tier.WRITE)); // 900 owed, and one for the request
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

    @Test
    void shouldShareALimitAmongTheGateways() {
        limits.put(ACME, new Settings.RateLimits(100, 5));
        gateways = 2;

        assertEquals(50, passed(ACME, Tier.WRITE, 1000));
        assertEquals(3, passed(ACME, Tier.OTHER, 1000));

        waitS(1);
        assertEquals(50, passed(ACME, Tier.WRITE, 1000));
        assertEquals(2, passed(ACME, Tier.OTHER, 1000));
        waitS(1);
        assertEquals(3, passed(ACME, Tier.OTHER, 1000));
    }

    @Test
    void shouldAcceptOneRequestInSeveralSecondsIfThereAreMoreGatewaysThanRequests() {
        limits.put(ACME, new Settings.RateLimits(1, 2));
        gateways = 4;

        assertEquals(1, passed(ACME, Tier.WRITE, 10));
        assertEquals(4, rates.retryAfterS(ACME, Tier.WRITE));
        assertEquals(1, passed(ACME, Tier.OTHER, 10));
        waitS(3);
        assertEquals(1, rates.retryAfterS(ACME, Tier.WRITE));
        waitS(1);
        assertEquals(1, passed(ACME, Tier.WRITE, 10));

        waitS(60);
        assertEquals(1, passed(ACME, Tier.WRITE, 10));
    }

    @Test
    void shouldChangeTheShareAtOnceAndForgiveNothing() {
        limits.put(ACME, new Settings.RateLimits(100, null));
        assertEquals(100, passed(ACME, Tier.WRITE, 1000));
        gateways = 4;
        assertEquals(0, passed(ACME, Tier.WRITE, 10));
        waitS(1);
        assertEquals(25, passed(ACME, Tier.WRITE, 1000));

        rates.add(ACME, Tier.WRITE, 250);
        assertEquals(11, rates.retryAfterS(ACME, Tier.WRITE)); // ten seconds of its share, and the next request
        gateways = 1;
        assertEquals(11, rates.retryAfterS(ACME, Tier.WRITE));
        waitS(11);
        assertEquals(100, passed(ACME, Tier.WRITE, 1000));
    }

    private void waitS(int seconds) {
        nowNs += Duration.ofSeconds(seconds).toNanos();
    }
}
