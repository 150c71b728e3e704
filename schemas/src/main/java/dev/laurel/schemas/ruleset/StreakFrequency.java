package dev.laurel.schemas.ruleset;

/** The period a streak counts. */
public enum StreakFrequency {
    DAILY
}
