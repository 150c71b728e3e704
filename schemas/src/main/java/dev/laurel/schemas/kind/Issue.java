package dev.laurel.schemas.kind;

/**
 * A problem of a ruleset in its human form.
 *
 * @param path JSON pointer into the ruleset, such as {@code /points/xp/triggers/per-commit/metric}
 * @param message what is wrong and what is allowed, for people
 */
public record Issue(String path, String message) {}
