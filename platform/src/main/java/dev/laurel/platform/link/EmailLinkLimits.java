package dev.laurel.platform.link;

import dev.laurel.platform.http.RateLimits;
import dev.laurel.schemas.key.UserKey;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits the requests by links of emails that become commands in the log or reads of a user, because anyone with a link can send them: a
 * few per minute for each user, and in total as many as mail programs send after a mailing. Each process counts for itself. Client addresses are not counted,
 * because behind a proxy they are all the same. Thread-safe.
 */
public final class EmailLinkLimits {

    /** What one user changes by links in a minute. */
    public static final int CHANGES = 5;
    /** How often one user opens the page in a minute, which each change does, too. */
    public static final int VIEWS = 30;

    private static final Duration PER_USER_TIME = Duration.ofMinutes(1);
    private static final int TOTAL_BURST = 1_000;
    private static final int TOTAL_PER_SECOND = 100;

    /** The maximum number of users with counters. At this number, all counters are reset; the total limit still applies. */
    private static final int MAX_USERS = 10_000;

    private final TimeMeter clock;
    private final int perUser;
    private final Bucket total;
    private final Map<UserKey, Bucket> users = new ConcurrentHashMap<>();

    /** @param perUser the requests of one user in a minute */
    public EmailLinkLimits(int perUser) {
        this(TimeMeter.SYSTEM_NANOTIME, perUser);
    }

    EmailLinkLimits(TimeMeter clock, int perUser) {
        this.clock = clock;
        this.perUser = perUser;
        this.total = Bucket.builder().withCustomTimePrecision(clock).addLimit(
                limit -> limit.capacity(TOTAL_BURST).refillGreedy(TOTAL_PER_SECOND, Duration.ofSeconds(1)))
                .build();
    }

    /** Counts a request with a valid token. @return 0 if it is within the limits, otherwise the seconds after which to retry */
    public int retryAfterS(UserKey user) {
        int own = RateLimits.retryAfterS(bucketOf(user));
        return own > 0 ? own : RateLimits.retryAfterS(total);
    }

    private Bucket bucketOf(UserKey user) {
        if (users.size() >= MAX_USERS) {
            users.clear();
        }
        return users.computeIfAbsent(user, _ -> Bucket.builder().withCustomTimePrecision(clock)
                .addLimit(limit -> limit.capacity(perUser).refillGreedy(perUser, PER_USER_TIME)).build());
    }
}
