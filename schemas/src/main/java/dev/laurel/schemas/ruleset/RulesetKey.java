package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.key.TenantId;

/**
 * The key of {@code laurel.rulesets}. Each version has a key of its own, so compaction keeps all versions that are not deleted. Version 0
 * is the index of the versions of the tenant in {@code laurel.ruleset-archive}.
 */
public record RulesetKey(TenantId tenant, long version) {}
