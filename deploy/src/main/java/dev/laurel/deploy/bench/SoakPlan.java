package dev.laurel.deploy.bench;

import java.time.Duration;

/**
 * A steady load for long.
 *
 * @param ratePerSecond events; as many reads beside them
 * @param interval between two samples; latencies are those of one interval
 */
record SoakPlan(int partitions, int users, Duration duration, int ratePerSecond, Duration interval) {
    static final int RATE = 200;
    private static final int PARTITIONS = 4;
    private static final int USERS = 10_000;
    private static final int RATE_MAX = 20_000;
    private static final Duration DURATION_MIN = Duration.ofSeconds(10);
    private static final Duration DURATION_MAX = Duration.ofHours(12);
    private static final Duration INTERVAL_MIN = Duration.ofMillis(500);
    private static final Duration INTERVAL_MAX = Duration.ofSeconds(15);
    private static final int SAMPLES = 40;
    private static final long EVENTS_BEFORE_MAX = 1_000_000;

    SoakPlan {
        if (ratePerSecond < 1 || ratePerSecond > RATE_MAX) {
            throw new IllegalArgumentException("a rate is 1 to " + RATE_MAX + " events/s, not " + ratePerSecond);
        }
        if (duration.compareTo(DURATION_MIN) < 0 || duration.compareTo(DURATION_MAX) > 0) {
            throw new IllegalArgumentException(
                    "a soak lasts " + DURATION_MIN + " to " + DURATION_MAX + ", not " + duration);
        }
    }

    /** @throws IllegalArgumentException saying what is out of its range */
    static SoakPlan of(Duration duration, int ratePerSecond) {
        Duration part = duration.dividedBy(SAMPLES);
        Duration interval = part.compareTo(INTERVAL_MAX) > 0 ? INTERVAL_MAX : part;
        return new SoakPlan(PARTITIONS, USERS, duration, ratePerSecond,
                interval.compareTo(INTERVAL_MIN) < 0 ? INTERVAL_MIN : interval);
    }

    /** Given at once before the load: as many as it has itself, a million at most. */
    int eventsBefore() {
        return (int) Math.min(EVENTS_BEFORE_MAX, ratePerSecond * duration.toSeconds());
    }

    /**
     * What is left out at the beginning: the compiler is at work, the heap takes its size, users are new. A quarter, twenty minutes
     * at most.
     */
    Duration settling() {
        Duration quarter = duration.dividedBy(4);
        Duration most = Duration.ofMinutes(20);
        return quarter.compareTo(most) > 0 ? most : quarter;
    }
}
