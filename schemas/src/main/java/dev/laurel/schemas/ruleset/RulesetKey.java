package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.key.TenantId;

/** The key of {@code laurel.rulesets}. Each version has a key of its own, so compaction keeps all versions. */
public record RulesetKey(TenantId tenant, long version) {}
