package dev.laurel.processors.store;

/** Names of the ledger's stores, and so of its changelog topics: durable data, never renamed. */
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

    private StoreNames() {}
}
