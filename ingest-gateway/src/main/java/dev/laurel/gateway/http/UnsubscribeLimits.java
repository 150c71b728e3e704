package dev.laurel.gateway.http;

import dev.laurel.schemas.key.UserKey;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * How often users may be unsubscribed, since anyone who has a link can ask and each time is a command in the log: a few times a
 * minute per user, and in all as many as mail programs send after a mailing. Counted by this process for itself, never by
 * address, which says nothing behind proxies. Thread-safe.
 */
final class UnsubscribeLimits {

    private static final int PER_USER = 5;
    private static final Duration PER_USER_TIME = Duration.ofMinutes(1);
    private static final int IN_ALL_AT_ONCE = 1_000;
    private static final int IN_ALL_PER_SECOND = 100;

    /** Those who are counted; where there are more, all are counted anew, and the limit in all still holds. */
    private static final int MAX_USERS = 10_000;

    private final TimeMeter clock;
    private final Bucket inAll;
    private final Map<UserKey, Bucket> users = new ConcurrentHashMap<>();

    UnsubscribeLimits(TimeMeter clock) {
        this.clock = clock;
        this.inAll = Bucket.builder().withCustomTimePrecision(clock).addLimit(
                limit -> limit.capacity(IN_ALL_AT_ONCE).refillGreedy(IN_ALL_PER_SECOND, Duration.ofSeconds(1)))
                .build();
    }

    /** Counts one request, of a link that is ours. @return 0 if it may be done, else after how many seconds to try again */
    int retryAfterS(UserKey user) {
        int own = consume(bucketOf(user));
        return own > 0 ? own : consume(inAll);
    }

    private Bucket bucketOf(UserKey user) {
        if (users.size() >= MAX_USERS) {
            users.clear();
        }
        return users.computeIfAbsent(user, _ -> Bucket.builder().withCustomTimePrecision(clock)
                .addLimit(limit -> limit.capacity(PER_USER).refillGreedy(PER_USER, PER_USER_TIME)).build());
    }

    private static int consume(Bucket bucket) {
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        return probe.isConsumed()
                ? 0
                : Math.toIntExact(1 + TimeUnit.NANOSECONDS.toSeconds(probe.getNanosToWaitForRefill() - 1));
    }
}
