package dev.laurel.deploy.bench;

/**
 * A log that is folded once more.
 *
 * @param events in the log
 * @param rounds measured, after one that warms up
 */
record ReplayPlan(int partitions, int users, int events, int rounds) {
    private static final int PARTITIONS = 4;
    private static final int USERS = 10_000;
    private static final int EVENTS = 1_000_000;
    private static final int EVENTS_QUICK = 500_000;
    private static final int EVENTS_MIN = 1_000;
    private static final int EVENTS_MAX = 50_000_000;

    ReplayPlan {
        if (events < EVENTS_MIN || events > EVENTS_MAX) {
            throw new IllegalArgumentException(
                    "a log to be replayed has " + EVENTS_MIN + " to " + EVENTS_MAX + " events, not " + events);
        }
    }

    /** @param events {@code null}: as many as a figure needs, or a look */
    static ReplayPlan of(Integer events, boolean isQuick) {
        int given = events != null ? events : isQuick ? EVENTS_QUICK : EVENTS;
        return new ReplayPlan(PARTITIONS, USERS, given, isQuick ? 1 : 3);
    }
}
