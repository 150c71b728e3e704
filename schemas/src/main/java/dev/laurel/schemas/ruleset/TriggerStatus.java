package dev.laurel.schemas.ruleset;

/** Whether a points trigger pays. */
public enum TriggerStatus {
    ACTIVE, INACTIVE
}
