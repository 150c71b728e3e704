package dev.laurel.core.sending;

import java.time.Duration;
import java.util.List;

/** The delays of retries of webhooks and messages: 1, 2 and 4 minutes (docs/webhooks.md §1). Pure. */
public final class RetryPlan {

    private static final List<Duration> DELAYS = List.of(Duration.ofMinutes(1), Duration.ofMinutes(2),
            Duration.ofMinutes(4));

    public static final int RETRIES = DELAYS.size();

    private RetryPlan() {}

    /** The delay of the next retry. @param retriesLeft including this one, 1 to {@link #RETRIES} */
    public static Duration delay(int retriesLeft) {
        return DELAYS.get(RETRIES - retriesLeft);
    }
}
