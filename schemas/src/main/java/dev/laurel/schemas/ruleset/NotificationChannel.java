package dev.laurel.schemas.ruleset;

/** How a user can be told; on the wire in lower case. */
public enum NotificationChannel {
    EMAIL, PUSH
}
