package dev.laurel.processors.ledger;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.key.TenantId;
import java.util.LinkedHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rulesets in force in one partition of the log: for each tenant, the newest that a marker or a command's header has named so far.
 * Those of the tenants used last are in memory. One task, one thread.
 */
final class PartitionRulesets {

    private static final int MAX_IN_MEMORY = 1_000;

    private final RulesetVersions versions;
    private final PartitionState partition;
    private final Consumer<TenantId> onTenant;

    /** In the order of their last use. */
    private final LinkedHashMap<TenantId, CompiledRuleset> inForce = new LinkedHashMap<>(16, 0.75f, true);

    private boolean areStamped;

    /** @param onTenant called when this task meets a tenant for the first time, or again after long */
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
            keep(tenant, rules);
            onTenant.accept(tenant);
        }
        return rules;
    }

    /** A published version; null if none has this number. */
    @Nullable
    CompiledRuleset find(TenantId tenant, long version) {
        return versions.get(tenant, version);
    }

    /** A version to which a user was brought. */
    CompiledRuleset published(TenantId tenant, long version) {
        return versions.published(tenant, version);
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
