package dev.laurel.processors.store;

/** The names of the stores of all applications, and so of their changelog topics: durable data that is never renamed. */
public final class StoreNames {

    /** The profile and the current state of each user. */
    public static final String USERS = "users";
    /** Days of metrics before the newest day, and runs of leaderboards before the newest run. */
    public static final String METRIC_DAYS = "metric-days";
    /** Periods of streaks in which users met the conditions. */
    public static final String STREAK_PERIODS = "streak-periods";
    /** All awards except the newest few, in pages. */
    public static final String POINTS_LEDGER = "points-ledger";
    /** Used idempotency keys, kept forever. */
    public static final String IDEMPOTENCY_KEYS = "idempotency-keys";
    /** Users by the time at which they are due. */
    public static final String TIMERS = "timers";
    /** Counters of the account, see docs/analytics.md: a store of the ledger. */
    public static final String COUNTERS = "counters";
    /** State of the partition itself: ruleset versions, counters, holds, scores held back at the last commit. */
    public static final String PARTITION_STATE = "partition-state";

    /** Participants of groups, and the position up to which the log was processed. */
    public static final String LEADERBOARD_ENTRIES = "leaderboard-entries";
    /** Groups and runs of leaderboards: open, final, announced. */
    public static final String LEADERBOARD_RUNS = "leaderboard-runs";
    /** Ranks and values at the end of days. */
    public static final String LEADERBOARD_DAYS = "leaderboard-days";

    /** Deliveries to webhooks and messages to users: what is throttled, what waits, bodies, outcomes, send marks. */
    public static final String DELIVERIES = "deliveries";

    /** Counters of what became of deliveries and messages, see docs/analytics.md: a store of delivery. */
    public static final String OUTCOMES = "outcomes";

    private StoreNames() {}
}
