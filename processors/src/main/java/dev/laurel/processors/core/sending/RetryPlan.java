package dev.laurel.processors.core.sending;

import java.time.Duration;
import java.util.List;

/** When a failed attempt is followed by another: after 1, 2 and 4 minutes (webhooks.md §1); messages do as webhooks. Pure. */
public final class RetryPlan {

    private static final List<Duration> DELAYS = List.of(Duration.ofMinutes(1), Duration.ofMinutes(2),
            Duration.ofMinutes(4));

    /** How many attempts may follow the first. */
    public static final int RETRIES = DELAYS.size();

    private RetryPlan() {}

    /** How long after a failed attempt the next one is due. @param retriesLeft this one included, 1 to {@link #RETRIES} */
    public static Duration delay(int retriesLeft) {
        return DELAYS.get(RETRIES - retriesLeft);
    }
}
