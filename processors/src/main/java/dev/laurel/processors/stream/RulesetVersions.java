package dev.laurel.processors.stream;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Published rulesets, each compiled once and shared by all tasks and reads of this process. Thread-safe. */
public final class RulesetVersions {

    /**
     * Objects of old versions kept, some 100 MB of them. Users who were away for long are brought through every version
     * since, so hundreds of versions of a usual ruleset have to fit; what is forgotten is compiled again.
     */
    private static final int MAX_OBJECTS_KEPT = 200_000;

    private volatile Rulesets rulesets;
    private final Duration patience;
    private final Map<RulesetKey, CompiledRuleset> compiled = new ConcurrentHashMap<>();

    /** Of what was compiled since versions were last forgotten. */
    private final AtomicInteger objectsKept = new AtomicInteger();

    /** @param patience limit for the wait for a version that the log names */
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
        if (objectsKept.get() >= MAX_OBJECTS_KEPT) {
            forgetOld();
        }
        return compiled.computeIfAbsent(key, this::compile);
    }

    /** Uses the rulesets of another instance from now on. */
    public void become(RulesetVersions next) {
        rulesets = next.rulesets;
        compiled.clear();
        objectsKept.set(0);
    }

    /** Keeps the newest version of each tenant, which most commands and reads need, and which the tasks hold anyway. */
    private void forgetOld() {
        compiled.keySet().removeIf(key -> key.version() != rulesets.newest(key.tenant()).version());
        objectsKept.set(0);
    }

    /** The newest published version; partitions of the log may not have read its marker yet. */
    public CompiledRuleset newest(TenantId tenant) {
        return get(tenant, rulesets.newest(tenant).version());
    }

    /** See {@link Rulesets#awaitNewest}. */
    public boolean awaitNewest(Duration timeout) throws InterruptedException {
        return rulesets.awaitNewest(timeout);
    }

    private CompiledRuleset compile(RulesetKey key) {
        try {
            Ruleset document = rulesets.await(key.tenant(), key.version(), patience);
            if (document == null) {
                return null;
            }
            objectsKept.addAndGet(document.nextNumber() - document.retired().size());
            return new CompiledRuleset(document);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for ruleset " + key, e);
        }
    }
}
