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

    /** The maximum number of counters; when it is reached, all are dropped. */
    private static final int MAX_SHARES = 200_000;

    private final Rulesets rulesets;
    private final IntSupplier gateways;
    private final TimeMeter clock;
    private final Map<Limited, Share> shares = new ConcurrentHashMap<>();

    private record Limited(TenantId tenant, Tier tier) {}

    /** A counter of one of several shares of a limit. */
    private record Share(int perSecond, int shares, Bucket bucket) {

        static Share of(int perSecond, int shares, TimeMeter clock) {
            return new Share(
                    perSecond,
                    shares,
                    Bucket.builder()
                            .withCustomTimePrecision(clock)
                            .addLimit(limit(perSecond, shares))
                            .build());
        }

        /** The tokens of a second, over all gateways, come to each of them in as many seconds as there are gateways. */
        private static Bandwidth limit(int perSecond, int shares) {
            return Bandwidth.builder()
                    .capacity(Math.ceilDiv(perSecond, shares))
                    .refillGreedy(perSecond, Duration.ofSeconds(shares))
                    .build();
        }

        /** Returns the same bucket with another share. What a tenant has used or owes remains in proportion. */
        Share resized(int number) {
            bucket.replaceConfiguration(
                    BucketConfiguration.builder()
                            .addLimit(limit(perSecond, number))
                            .build(),
                    TokensInheritanceStrategy.PROPORTIONALLY);
            return new Share(perSecond, number, bucket);
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
        Integer perSecond = switch (tier) {
            case WRITE -> limits.tier1();
            case OTHER -> limits.tier2();
        };
        return perSecond == null ? null : bucketOf(new Limited(tenant, tier), perSecond);
    }

    private Bucket bucketOf(Limited limited, int perSecond) {
        int number = gateways.getAsInt();
        Share known = shares.get(limited);
        if (known != null && known.perSecond == perSecond && known.shares == number) {
            return known.bucket;
        }
        if (known == null && shares.size() >= MAX_SHARES) {
            shares.clear();
        }
        return shares.compute(limited, (_, other) -> {
                    if (other == null || other.perSecond != perSecond) {
                        return Share.of(perSecond, number, clock);
                    }
                    return other.shares == number ? other : other.resized(number);
                })
                .bucket;
    }

    /** Takes a token from the bucket. @return 0 if there was one, otherwise the number of seconds until the next */
    private static int retryAfterS(Bucket bucket) {
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        return probe.isConsumed()
                ? 0
                : Math.toIntExact(1 + TimeUnit.NANOSECONDS.toSeconds(probe.getNanosToWaitForRefill() - 1));
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
            return Bucket.builder()
                    .withCustomTimePrecision(clock)
                    .addLimit(limit)
                    .build();
        }

        private Bucket bucketOf(K key) {
            if (keys.size() >= MAX_KEYS) {
                keys.clear();
            }
            return keys.computeIfAbsent(
                    key,
                    _ -> bucket(Bandwidth.builder()
                            .capacity(perKey)
                            .refillGreedy(perKey, Duration.ofMinutes(1))
                            .build()));
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
