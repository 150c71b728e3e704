package dev.laurel.processors.ledger;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.store.PartitionState;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.key.TenantId;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The rulesets in force in one partition of the log: for each tenant, that of the last marker read. Those of the tenants used last are in
 * memory. One task, one thread.
 */
final class PartitionRulesets {

    private static final int MAX_IN_MEMORY = 1_000;

    private final RulesetVersions versions;
    private final PartitionState partition;
    /** In the order of their last use. */
    private final LinkedHashMap<TenantId, CompiledRuleset> inForce = new LinkedHashMap<>(16, 0.75f, true);

    PartitionRulesets(RulesetVersions versions, PartitionState partition) {
        this.versions = versions;
        this.partition = partition;
    }

    CompiledRuleset inForce(TenantId tenant) {
        CompiledRuleset rules = inForce.get(tenant);
        if (rules == null) {
            rules = versions.published(tenant, partition.rulesetVersion(tenant));
            keep(tenant, rules);
        }
        return rules;
    }

    /** A published version; null if none has this number. */
    @Nullable
    CompiledRuleset find(TenantId tenant, long version) {
        return versions.get(tenant, version);
    }

    void putInForce(TenantId tenant, CompiledRuleset rules) {
        partition.putRulesetVersion(tenant, rules.version());
        keep(tenant, rules);
    }

    private void keep(TenantId tenant, CompiledRuleset rules) {
        inForce.put(tenant, rules);
        if (inForce.size() > MAX_IN_MEMORY) {
            inForce.pollFirstEntry();
        }
    }
}
