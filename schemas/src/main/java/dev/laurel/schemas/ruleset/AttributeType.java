package dev.laurel.schemas.ruleset;

/** What an attribute describes. */
public enum AttributeType {
    USER, EVENT
}
