package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.key.TenantId;

/** Key of {@code laurel.rulesets}: every version is a record of its own, so compaction keeps them all. */
public record RulesetKey(TenantId tenant, long version) {}
