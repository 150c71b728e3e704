package dev.laurel.schemas.ruleset;

/** How a boosted award becomes a whole number. */
public enum Rounding {
    DOWN, UP,
    /** Half up. */
    NEAREST
}
