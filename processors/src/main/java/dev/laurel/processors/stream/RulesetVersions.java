package dev.laurel.processors.stream;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Published rulesets, each compiled once and shared by all tasks and reads of this process. Thread-safe. */
public final class RulesetVersions {

    /** Older ones are asked for now and then; what is forgotten is compiled again. */
    private static final int MAX_KEPT = 200;

    private final Rulesets rulesets;
    private final Duration patience;
    private final Map<RulesetKey, CompiledRuleset> compiled = new ConcurrentHashMap<>();

    /** @param patience how long a task waits to find out about a version that its log names */
    public RulesetVersions(Rulesets rulesets, Duration patience) {
        this.rulesets = rulesets;
        this.patience = patience;
    }

    /**
     * @return null if no such version was ever published
     * @throws IllegalStateException if that could not be found out in time: a fault
     */
    public CompiledRuleset get(TenantId tenant, long version) {
        var key = new RulesetKey(tenant, version);
        CompiledRuleset known = compiled.get(key);
        if (known != null) {
            return known;
        }
        if (compiled.size() >= MAX_KEPT) {
            compiled.clear();
        }
        return compiled.computeIfAbsent(key, this::compile);
    }

    /** The newest published version, which a partition of the log may not have read yet. */
    public CompiledRuleset newest(TenantId tenant) {
        return get(tenant, rulesets.newest(tenant).version());
    }

    private CompiledRuleset compile(RulesetKey key) {
        try {
            Ruleset document = rulesets.await(key.tenant(), key.version(), patience);
            return document == null ? null : new CompiledRuleset(document);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for ruleset " + key, e);
        }
    }
}
