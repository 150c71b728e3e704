package dev.laurel.schemas.http;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The limits that tenants have in their settings (admin-api.md B3 {@code rateLimits}), counted by this process for itself: a
 * deployment of n gateways lets n times as many through. A tenant that has been silent for a second may send a whole
 * second's requests at once.
 */
public final class RateLimits implements RequestLimits {

    /** Where there are more tenants with limits than this, those that come last have theirs counted anew. */
    private static final int MAX_TENANTS = 100_000;

    private final Rulesets rulesets;
    private final Map<TenantId, Buckets> buckets = new ConcurrentHashMap<>();

    /** @param of the limits that these were made for; @param write null: there is no limit, likewise {@code other} */
    private record Buckets(Settings.RateLimits of, Bucket write, Bucket other) {

        static Buckets of(Settings.RateLimits limits) {
            return new Buckets(limits, bucket(limits.tier1()), bucket(limits.tier2()));
        }

        private static Bucket bucket(Integer perSecond) {
            return perSecond == null
                    ? null
                    : Bucket.builder().addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond,
                            Duration.ofSeconds(1))).build();
        }
    }

    /** @param rulesets in whose settings the limits are */
    public RateLimits(Rulesets rulesets) {
        this.rulesets = rulesets;
    }

    @Override
    public int retryAfterS(TenantId tenant, Tier tier) {
        Settings.RateLimits limits = rulesets.newest(tenant).settings().rateLimits();
        if (limits == null) {
            return 0;
        }
        Buckets own = of(tenant, limits);
        Bucket bucket = switch (tier) {
            case WRITE -> own.write();
            case OTHER -> own.other();
        };
        if (bucket == null) {
            return 0;
        }
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        return probe.isConsumed()
                ? 0
                : Math.toIntExact(1 + TimeUnit.NANOSECONDS.toSeconds(probe.getNanosToWaitForRefill() - 1));
    }

    private Buckets of(TenantId tenant, Settings.RateLimits limits) {
        Buckets there = buckets.get(tenant);
        if (there != null && there.of().equals(limits)) {
            return there;
        }
        if (there == null && buckets.size() >= MAX_TENANTS) {
            buckets.clear();
        }
        return buckets.compute(tenant,
                (_, other) -> other != null && other.of().equals(limits) ? other : Buckets.of(limits));
    }
}
