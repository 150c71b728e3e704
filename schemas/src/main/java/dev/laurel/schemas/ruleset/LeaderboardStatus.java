package dev.laurel.schemas.ruleset;

/** What becomes of a leaderboard in time (semantics.md §7). The order is durable data. */
public enum LeaderboardStatus {
    /** Invisible, takes nobody. */
    INACTIVE,
    /** Becomes active by itself. */
    SCHEDULED, ACTIVE,
    /** Final; its runs stay readable. */
    FINISHED
}
