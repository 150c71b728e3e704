package dev.laurel.processors.ledger;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.store.PartitionState;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.key.TenantId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rulesets in force in one partition of the log: for each tenant, that of the last marker read. One task, one thread. */
final class PartitionRulesets {

    private final RulesetVersions versions;
    private final PartitionState partition;
    private final Map<TenantId, CompiledRuleset> inForce = new HashMap<>();

    PartitionRulesets(RulesetVersions versions, PartitionState partition) {
        this.versions = versions;
        this.partition = partition;
    }

    CompiledRuleset inForce(TenantId tenant) {
        CompiledRuleset rules = inForce.get(tenant);
        if (rules == null) {
            rules = versions.published(tenant, partition.rulesetVersion(tenant));
            inForce.put(tenant, rules);
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
        inForce.put(tenant, rules);
    }
}
