package dev.laurel.schemas.wire;

import dev.laurel.schemas.ruleset.RulesetIssue;
import java.util.List;

/**
 * The answer to {@code PUT /admin/v1/ruleset}.
 *
 * @param version the version now in force
 * @param changed false if the ruleset said the same already
 */
public record RulesetAppliedBody(long version, boolean changed, List<RulesetIssue> issues) {}
