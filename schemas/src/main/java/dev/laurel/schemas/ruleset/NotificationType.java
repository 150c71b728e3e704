package dev.laurel.schemas.ruleset;

/** What a user can be told of (docs/semantics.md §8); on the wire in lower case. */
public enum NotificationType {
    ACHIEVEMENT_COMPLETED, RECAP, REACTIVATION, STREAK_REMINDER
}
