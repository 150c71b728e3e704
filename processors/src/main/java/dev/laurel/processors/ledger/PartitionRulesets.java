package dev.laurel.processors.ledger;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.store.PartitionState;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.key.TenantId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rulesets in force in one partition of the log: for each tenant, the newest that a marker or a command's header has named so far.
 * One task, one thread.
 */
final class PartitionRulesets {

    private final RulesetVersions versions;
    private final PartitionState partition;
    private final Consumer<TenantId> onTenant;
    private final Map<TenantId, CompiledRuleset> inForce = new HashMap<>();
    private boolean areStamped;

    /** @param onTenant called when this task meets a tenant for the first time */
    PartitionRulesets(RulesetVersions versions, PartitionState partition, Consumer<TenantId> onTenant) {
        this.versions = versions;
        this.partition = partition;
        this.onTenant = onTenant;
        this.areStamped = partition.areCommandsStamped();
    }

    CompiledRuleset inForce(TenantId tenant) {
        CompiledRuleset rules = inForce.get(tenant);
        if (rules == null) {
            rules = versions.published(tenant, partition.rulesetVersion(tenant));
            inForce.put(tenant, rules);
            onTenant.accept(tenant);
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

    /** A command of the tenant with the version of its rules has been read. */
    void noteStamp(TenantId tenant) {
        if (!areStamped) {
            areStamped = true;
            partition.putCommandsStamped();
        }
        if (inForce(tenant).version() == 0 && !partition.isKnown(tenant)) {
            // The first version of the tenant is missing here if the ruleset writer does not know of its users yet.
            partition.putRulesetVersion(tenant, 0);
        }
    }

    /** Whether a command with the version of its rules was ever read in this partition. */
    boolean areStamped() {
        return areStamped;
    }
}
