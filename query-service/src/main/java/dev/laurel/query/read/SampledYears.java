package dev.laurel.query.read;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.rules.CalendarYear;
import dev.laurel.core.statistics.SampledYear;
import dev.laurel.core.view.WrappedYear.Percentiles;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery.SampleUsers.SampledUsers;
import dev.laurel.query.partition.UserQuery.SampleUsers;
import dev.laurel.query.partition.UserQuery.SumYears;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Caches the years of samples of users, for percentiles. Reading the days of a whole sample takes up to seconds, so it happens in
 * the background, once for all requests of the next minutes. Only the years of the sample may be that old; the year of the user
 * of a request is always current. Thread-safe.
 */
final class SampledYears {

    private static final Duration REFRESHED_AFTER = Duration.ofMinutes(5);
    private static final Duration EXPIRED_AFTER = Duration.ofHours(1);

    /** The wait of the first request. A sample of users who were active every day takes longer. */
    private static final long MAX_WAIT_MS = 500;

    /** The number of users per query, so that no query takes long. */
    private static final int CHUNK = 64;

    /** The maximum of cached numbers, of eight bytes each. */
    private static final long MAX_NUMBERS = 8_000_000;

    private final Nodes nodes;
    private final AsyncLoadingCache<Key, @Nullable SampledYear> years;

    private record Key(TenantId tenant, int year, DayOfWeek weekStart) {}

    SampledYears(Nodes nodes, InstantSource clock) {
        this.nodes = nodes;
        this.years = Caffeine.newBuilder().refreshAfterWrite(REFRESHED_AFTER).expireAfterWrite(EXPIRED_AFTER)
                .maximumWeight(MAX_NUMBERS).weigher((Key _, SampledYear year) -> year.weight())
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis())).buildAsync(this::read);
    }

    /** Compares a user with others of the tenant. Empty while the sample is not known. */
    Percentiles percentiles(UserKey user, CalendarYear year) {
        return new Comparison(user, new Key(user.tenant(), year.year(), year.weekStart()));
    }

    /** Loads the sample at the first call: most years have nothing to compare. */
    private final class Comparison implements Percentiles {
        private final UserKey user;
        private final Key key;
        private boolean isKnown;
        private @Nullable SampledYear sampled;

        Comparison(UserKey user, Key key) {
            this.user = user;
            this.key = key;
        }

        @Override
        public Optional<Integer> of(int number, Span span, BigDecimal change) {
            if (!isKnown) {
                sampled = awaitBriefly(years.get(key));
                isKnown = true;
            }
            return sampled == null
                    ? Optional.empty()
                    : Optional.of(sampled.percentile(user.user(), number, span, change));
        }

        @Override
        public Optional<Integer> sample() {
            return sampled == null ? Optional.empty() : sampled.size();
        }
    }

    /** Null if it is not loaded in time; a later request will find it. */
    private static @Nullable SampledYear awaitBriefly(CompletableFuture<@Nullable SampledYear> year) {
        try {
            return year.get(MAX_WAIT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a sample of users cannot be read", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a sample of users", e);
        }
    }

    /** Null, which is not cached, if the sample cannot be read. */
    private @Nullable SampledYear read(Key key) {
        try {
            return read(key, nodes.ask(new SampleUsers(key.tenant())));
        } catch (NotReadyException _) {
            return null;
        }
    }

    private SampledYear read(Key key, SampledUsers sample) {
        List<UserId> users = sample.users();
        var year = new SampledYear(new CalendarYear(key.year(), key.weekStart()), users.size(), sample.hasAll());
        for (int from = 0; from < users.size(); from += CHUNK) {
            List<UserId> some = users.subList(from, Math.min(users.size(), from + CHUNK));
            nodes.ask(new SumYears(key.tenant(), key.year(), key.weekStart(), some)).values().forEach(year::add);
        }
        return year;
    }
}
