package dev.laurel.schemas.wire;

import java.util.List;

/**
 * What is different between two rulesets.
 *
 * @param from the version that changes
 * @param to the version it changes to; null for one that is not published
 */
public record RulesetDiffBody(long from, Long to, List<RulesetChangeBody> changes) {}
