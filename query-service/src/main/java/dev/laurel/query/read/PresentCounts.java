package dev.laurel.query.read;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.laurel.processors.core.analytics.Counter;
import dev.laurel.processors.core.analytics.SegmentGroup;
import dev.laurel.processors.store.AccountCounters;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.wire.AchievementBody;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts of a tenant's present users, from the counters of the account, which every node knows. A read of one user asks no other node for
 * them. They are at most a second old. Thread-safe.
 */
public final class PresentCounts {

    /** Counters follow a change within half a second or a little more, so that counts of this age are not older than a second. */
    private static final Duration AGE = Duration.ofMillis(250);
    private static final int MAX_TENANTS = 1_000;

    private final Supplier<@Nullable AccountCounters> counters;
    private final LoadingCache<TenantId, OfTenant> counts;

    /**
     * @param users the number of users
     * @param completions the number of users who have an achievement, by its number
     * @param streaks the number of users with a streak of some length or longer, by the length
     */
    private record OfTenant(long users, Map<Integer, Long> completions, NavigableMap<Integer, Long> streaks) {}

    /** @param counters of the account; null while they are not known */
    public PresentCounts(Supplier<@Nullable AccountCounters> counters) {
        this(counters, AGE);
    }

    /** @param age the greatest age of the counts beyond that of the counters */
    PresentCounts(Supplier<@Nullable AccountCounters> counters, Duration age) {
        this.counters = counters;
        this.counts = Caffeine.newBuilder().maximumSize(MAX_TENANTS).expireAfterWrite(age).build(this::read);
    }

    private OfTenant read(TenantId tenant) {
        try (AccountCounters known = counters.get()) {
            if (known == null) {
                throw new NotReadyException("the counters of the account are being read");
            }
            var completions = new HashMap<Integer, Long>();
            known.forEach(tenant, Counter.COMPLETED, 0, SegmentGroup.ALL, completions::put);
            var lengths = new TreeMap<Integer, Long>();
            known.forEach(tenant, Counter.STREAK_LENGTHS, 0, SegmentGroup.ALL, lengths::put);
            long longer = 0;
            for (Map.Entry<Integer, Long> length : lengths.descendingMap().entrySet()) {
                longer += length.getValue();
                length.setValue(longer);
            }
            return new OfTenant(known.sum(tenant, Counter.USERS, 0, SegmentGroup.ALL, 0, 0), completions, lengths);
        }
    }

    /** The number of users with a longer streak. @throws NotReadyException while the counters are being read after a start */
    long longerStreaks(TenantId tenant, int length) {
        Map.Entry<Integer, Long> next = counts.get(tenant).streaks.higherEntry(length);
        return next == null ? 0 : next.getValue();
    }

    /** The number of users who have an achievement. @throws NotReadyException while the counters are being read after a start */
    long completions(TenantId tenant, Achievement achievement) {
        return counts.get(tenant).completions.getOrDefault(achievement.number(), 0L);
    }

    /**
     * The bodies of achievements with the number of users who have them, and the share of all users.
     *
     * @throws NotReadyException while the counters are being read after a start
     */
    List<AchievementBody> addTo(TenantId tenant, List<Achievement> achievements,
            Function<Achievement, AchievementBody> body) {
        OfTenant now = counts.get(tenant);
        return achievements.stream().map(achievement -> {
            long completions = now.completions.getOrDefault(achievement.number(), 0L);
            return body.apply(achievement).counted(completions, rarity(completions, now.users));
        }).toList();
    }

    /** In percent of all users, with two decimals. */
    private static BigDecimal rarity(long completions, long users) {
        return users == 0
                ? BigDecimal.ZERO
                : BigDecimal.valueOf(completions * 100).divide(BigDecimal.valueOf(users), 2, RoundingMode.HALF_UP);
    }
}
