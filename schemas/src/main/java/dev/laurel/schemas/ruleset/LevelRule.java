package dev.laurel.schemas.ruleset;

/** How a total compares with a level's threshold. */
public enum LevelRule {
    /** The total must be above it. */
    EXCEEDS,
    /** The total must be at or above it. */
    REACHES
}
