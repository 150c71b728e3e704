package dev.laurel.processors.store;

/** Names of the stores of all applications, and so of their changelog topics: durable data, never renamed. */
public final class StoreNames {

    /** Profile and hot state by user. */
    public static final String USERS = "users";
    /** What happened per metric and local day, older than the newest day; runs of leaderboards older than the newest. */
    public static final String METRIC_DAYS = "metric-days";
    /** Met periods of streaks. */
    public static final String STREAK_PERIODS = "streak-periods";
    /** Every award but the newest few, in pages. */
    public static final String POINTS_LEDGER = "points-ledger";
    /** Used idempotency keys, kept forever. */
    public static final String IDEMPOTENCY_KEYS = "idempotency-keys";
    /** Who is to be looked at when, in due order. */
    public static final String TIMERS = "timers";
    /** What belongs to the partition: ruleset versions, counters, holds. */
    public static final String PARTITION_STATE = "partition-state";

    /** Who takes part in which group, and how far the log was heard. */
    public static final String LEADERBOARD_ENTRIES = "leaderboard-entries";
    /** Groups and runs of leaderboards: what was closed, told, finished. */
    public static final String LEADERBOARD_RUNS = "leaderboard-runs";
    /** Ranks and values at the end of days. */
    public static final String LEADERBOARD_DAYS = "leaderboard-days";

    /** What webhooks are sent, what waits for that, and what came of it. */
    public static final String WEBHOOKS = "webhooks";
    /** Messages to users: what waits, what came of the others, who has marked them. */
    public static final String MESSAGES = "messages";
    /** What throttled events wait for, and how users stand on leaderboards as far as webhooks were told. */
    public static final String THROTTLED_EVENTS = "throttled-events";

    private StoreNames() {}
}
