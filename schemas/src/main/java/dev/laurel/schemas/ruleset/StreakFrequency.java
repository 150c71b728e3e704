package dev.laurel.schemas.ruleset;

/** The period that has to be met again and again, in the user's local time: a calendar day, week or month. */
public enum StreakFrequency {
    DAILY, WEEKLY, MONTHLY
}
