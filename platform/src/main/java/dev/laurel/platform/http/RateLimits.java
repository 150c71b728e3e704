package dev.laurel.platform.http;

import dev.laurel.platform.http.HttpSettings.RequestLimits;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Enforces the limits from the tenants' settings (docs/admin-api.md B3 {@code rateLimits}). Each process counts for
 * itself, so a deployment of n gateways accepts up to n times the limit. A tenant that was idle for a second may use a
 * full second's quota at once.
 */
public final class RateLimits implements RequestLimits {

    /** The maximum number of tenants with counters; when it is reached, all counters are dropped. */
    private static final int MAX_TENANTS = 100_000;

    private final Rulesets rulesets;
    private final Map<TenantId, Buckets> buckets = new ConcurrentHashMap<>();

    /**
     * @param of the limits that the buckets implement
     * @param write bucket of the tier WRITE; null for no limit
     * @param other bucket of the tier OTHER; null for no limit
     */
    private record Buckets(Settings.RateLimits of, @Nullable Bucket write, @Nullable Bucket other) {

        static Buckets of(Settings.RateLimits limits) {
            return new Buckets(limits, bucket(limits.tier1()), bucket(limits.tier2()));
        }

        private static @Nullable Bucket bucket(@Nullable Integer perSecond) {
            return perSecond == null
                    ? null
                    : Bucket.builder().addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond,
                            Duration.ofSeconds(1))).build();
        }
    }

    /** @param rulesets provide the settings with the limits */
    public RateLimits(Rulesets rulesets) {
        this.rulesets = rulesets;
    }

    @Override
    public int retryAfterS(TenantId tenant, Tier tier) {
        Bucket bucket = bucketOf(tenant, tier);
        return bucket == null ? 0 : retryAfterS(bucket);
    }

    @Override
    public void add(TenantId tenant, Tier tier, int requests) {
        Bucket bucket = bucketOf(tenant, tier);
        if (bucket != null && requests > 0) {
            bucket.consumeIgnoringRateLimits(requests);
        }
    }

    /** Returns null if there is no limit. */
    private @Nullable Bucket bucketOf(TenantId tenant, Tier tier) {
        Settings.RateLimits limits = rulesets.newest(tenant).settings().rateLimits();
        if (limits == null) {
            return null;
        }
        Buckets own = of(tenant, limits);
        return switch (tier) {
            case WRITE -> own.write();
            case OTHER -> own.other();
        };
    }

    /** Takes a token from the bucket. @return 0 if there was one, otherwise the number of seconds until the next */
    public static int retryAfterS(Bucket bucket) {
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        return probe.isConsumed()
                ? 0
                : Math.toIntExact(1 + TimeUnit.NANOSECONDS.toSeconds(probe.getNanosToWaitForRefill() - 1));
    }

    private Buckets of(TenantId tenant, Settings.RateLimits limits) {
        Buckets known = buckets.get(tenant);
        if (known != null && known.of().equals(limits)) {
            return known;
        }
        if (known == null && buckets.size() >= MAX_TENANTS) {
            buckets.clear();
        }
        return buckets.compute(tenant,
                (_, other) -> other != null && other.of().equals(limits) ? other : Buckets.of(limits));
    }
}
