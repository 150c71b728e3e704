package dev.laurel.processors.delivery.webhook;

import java.time.Duration;
import java.util.List;

/** When a failed attempt is followed by another (webhooks.md §1). */
final class RetryPlan {

    private static final List<Duration> DELAYS = List.of(Duration.ofMinutes(1), Duration.ofMinutes(2),
            Duration.ofMinutes(4));

    static final int RETRIES = DELAYS.size();

    private RetryPlan() {}

    /** How long after a failed attempt the next one is due. @param retriesLeft this one included, at least 1 */
    static Duration delay(int retriesLeft) {
        return DELAYS.get(RETRIES - retriesLeft);
    }
}
