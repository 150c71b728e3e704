package dev.laurel.schemas.ruleset;

/**
 * What is wrong with a {@link RulesetSource}.
 *
 * @param path JSON pointer into the source, such as {@code /points/xp/triggers/per-commit/metric}
 * @param message for people: what is wrong and what is allowed
 */
public record RulesetIssue(String path, String message) {}
