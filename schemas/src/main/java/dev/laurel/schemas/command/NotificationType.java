package dev.laurel.schemas.command;

/** What a user can be told of (semantics.md §8); on the wire in lower case. */
public enum NotificationType {
    ACHIEVEMENT_COMPLETED, RECAP, REACTIVATION, STREAK_REMINDER
}
