package dev.laurel.query.read;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.laurel.processors.core.account.SampledYear;
import dev.laurel.processors.core.account.UserSample;
import dev.laurel.processors.core.rules.CalendarYear;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.core.view.WrappedYear.Percentiles;
import dev.laurel.query.locate.Partitions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What samples of the users of tenants came to in years, for percentiles. Looking through the days of a whole sample takes
 * up to seconds, so it is done once for whoever asks in the next minutes: how others are doing may be that old, how the user
 * is doing never is. Thread-safe.
 */
final class SampledYears {

    private static final Duration REFRESHED_AFTER = Duration.ofMinutes(5);
    private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

    /** Numbers that are kept, of eight bytes each. */
    private static final long MAX_NUMBERS = 8_000_000;

    private final Partitions partitions;
    private final LoadingCache<Key, SampledYear> years;

    private record Key(TenantId tenant, int year, DayOfWeek weekStart) {}

    SampledYears(Partitions partitions, InstantSource clock) {
        this.partitions = partitions;
        this.years = Caffeine.newBuilder().refreshAfterWrite(REFRESHED_AFTER).expireAfterWrite(FORGOTTEN_AFTER)
                .maximumWeight(MAX_NUMBERS).weigher((Key _, SampledYear year) -> year.weight())
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis())).build(this::read);
    }

    /** How this user compares with others of the tenant. Nothing is said while that cannot be found out here. */
    Percentiles percentiles(UserKey user, CalendarYear year) {
        SampledYear sampled = years.get(new Key(user.tenant(), year.year(), year.weekStart()));
        return sampled == null
                ? Percentiles.UNKNOWN
                : (number, span, change) -> Optional.of(sampled.percentile(user.user(), number, span, change));
    }

    /** Null, which is not kept, if it cannot be read. */
    private SampledYear read(Key key) {
        try {
            return read(key, sampleOf(key.tenant()));
        } catch (NotReadyException _) {
            return null;
        }
    }

    private UserSample sampleOf(TenantId tenant) {
        var all = new UserSample();
        partitions.readAll(reader -> {
            var sample = new UserSample();
            reader.forEachUser(tenant, user -> sample.offer(user.id()));
            return sample;
        }).forEach(all::add);
        return all;
    }

    private SampledYear read(Key key, UserSample sample) {
        var year = new SampledYear(new CalendarYear(key.year(), key.weekStart()));
        for (UserId id : sample.users()) {
            byte[] user = new UserKey(key.tenant(), id).bytes();
            partitions.readOwner(user, reader -> {
                UserState state = reader.user(user);
                if (state != null) {
                    year.add(state, reader.historyOf(user, _ -> null));
                }
                return null;
            });
        }
        return year;
    }
}
