package dev.laurel.schemas.ruleset;

/** {@code INACTIVE → ACTIVE ↔ LOCKED} (docs/semantics.md §4). */
public enum AchievementStatus {
    /** Invisible, cannot be completed. */
    INACTIVE, ACTIVE,
    /** No new completions, visible only to those who have it. */
    LOCKED
}
