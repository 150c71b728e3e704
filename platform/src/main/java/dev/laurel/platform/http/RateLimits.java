package dev.laurel.platform.http;

import dev.laurel.platform.http.HttpSettings.RequestLimits;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.TokensInheritanceStrategy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Enforces the limits from the tenants' settings (docs/admin-api.md B3 {@code rateLimits}). Each process counts for itself and
 * enforces its share, the limit divided by the number of live gateways. A tenant that was idle may use a full second's share at
 * once, and at least one request. A share below one per second is one request in several seconds. Thread-safe.
 */
public final class RateLimits implements RequestLimits {

    /** The maximum number of tenants with counters; when it is reached, all counters are dropped. */
    private static final int MAX_TENANTS = 100_000;

    private final Rulesets rulesets;
    private final IntSupplier gateways;
    private final TimeMeter clock;
    private final Map<TenantId, Buckets> buckets = new ConcurrentHashMap<>();

    /**
     * @param of the limits that the buckets implement a share of
     * @param gateways the number of shares
     * @param write bucket of the tier WRITE; null for no limit
     * @param other bucket of the tier OTHER; null for no limit
     */
    private record Buckets(Settings.RateLimits of, int gateways, @Nullable Bucket write, @Nullable Bucket other) {

        static Buckets of(Settings.RateLimits limits, int gateways, TimeMeter clock) {
            return new Buckets(limits, gateways, bucket(limits.tier1(), gateways, clock),
                    bucket(limits.tier2(), gateways, clock));
        }

        private static @Nullable Bucket bucket(@Nullable Integer perSecond, int gateways, TimeMeter clock) {
            return perSecond == null
                    ? null
                    : Bucket.builder().withCustomTimePrecision(clock).addLimit(share(perSecond, gateways)).build();
        }

        /** The tokens of a second, over all gateways, come to each of them in as many seconds as there are gateways. */
        private static Bandwidth share(int perSecond, int gateways) {
            return Bandwidth.builder().capacity(Math.ceilDiv(perSecond, gateways))
                    .refillGreedy(perSecond, Duration.ofSeconds(gateways)).build();
        }

        boolean implement(Settings.RateLimits limits, int shares) {
            return of.equals(limits) && gateways == shares;
        }

        /** Returns the same buckets with another share. What a tenant has used or owes remains in proportion. */
        Buckets sharedBy(int shares) {
            resize(write, of.tier1(), shares);
            resize(other, of.tier2(), shares);
            return new Buckets(of, shares, write, other);
        }

        private static void resize(@Nullable Bucket bucket, @Nullable Integer perSecond, int shares) {
            if (bucket != null && perSecond != null) {
                bucket.replaceConfiguration(
                        BucketConfiguration.builder().addLimit(share(perSecond, shares)).build(),
                        TokensInheritanceStrategy.PROPORTIONALLY);
            }
        }
    }

    /**
     * @param rulesets provide the settings with the limits
     * @param gateways the number of live gateways, at least 1
     */
    public RateLimits(Rulesets rulesets, IntSupplier gateways) {
        this(rulesets, gateways, TimeMeter.SYSTEM_NANOTIME);
    }

    RateLimits(Rulesets rulesets, IntSupplier gateways, TimeMeter clock) {
        this.rulesets = rulesets;
        this.gateways = gateways;
        this.clock = clock;
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
    private static int retryAfterS(Bucket bucket) {
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        return probe.isConsumed()
                ? 0
                : Math.toIntExact(1 + TimeUnit.NANOSECONDS.toSeconds(probe.getNanosToWaitForRefill() - 1));
    }

    private Buckets of(TenantId tenant, Settings.RateLimits limits) {
        int shares = gateways.getAsInt();
        Buckets known = buckets.get(tenant);
        if (known != null && known.implement(limits, shares)) {
            return known;
        }
        if (known == null && buckets.size() >= MAX_TENANTS) {
            buckets.clear();
        }
        return buckets.compute(tenant, (_, other) -> {
            if (other == null || !other.of().equals(limits)) {
                return Buckets.of(limits, shares, clock);
            }
            return other.gateways() == shares ? other : other.sharedBy(shares);
        });
    }

    /**
     * Limits what each key does in a minute, and what all do. Each process counts for itself. Thread-safe.
     *
     * @param <K> a user, an address
     */
    public static final class PerMinute<K> {

        /** The maximum number of keys with counters. At this number, all of them are reset; the total limit still applies. */
        private static final int MAX_KEYS = 10_000;

        private final TimeMeter clock;
        private final int perKey;
        private final Bucket total;
        private final Map<K, Bucket> keys = new ConcurrentHashMap<>();

        /** @param perKey what one key does at once, and in a minute */
        public PerMinute(TimeMeter clock, int perKey, Bandwidth total) {
            this.clock = clock;
            this.perKey = perKey;
            this.total = bucket(total);
        }

        private Bucket bucket(Bandwidth limit) {
            return Bucket.builder().withCustomTimePrecision(clock).addLimit(limit).build();
        }

        private Bucket bucketOf(K key) {
            if (keys.size() >= MAX_KEYS) {
                keys.clear();
            }
            return keys.computeIfAbsent(key, _ -> bucket(
                    Bandwidth.builder().capacity(perKey).refillGreedy(perKey, Duration.ofMinutes(1)).build()));
        }

        /** Counts one. @return 0 if it is within the limits, otherwise the seconds after which to retry */
        public int retryAfterS(K key) {
            Bucket own = bucketOf(key);
            int ownS = RateLimits.retryAfterS(own);
            int totalS = ownS > 0 ? 0 : RateLimits.retryAfterS(total);
            if (totalS > 0) {
                own.addTokens(1);
            }
            return Math.max(ownS, totalS);
        }

        /** Takes one back that was counted. */
        public void uncount(K key) {
            bucketOf(key).addTokens(1);
            total.addTokens(1);
        }
    }
}
