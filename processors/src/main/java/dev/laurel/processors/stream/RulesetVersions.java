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
import org.jspecify.annotations.Nullable;

/** Published rulesets, each compiled once and shared by all tasks and reads of this process. Thread-safe. */
public final class RulesetVersions {

    /**
     * The maximum of objects in compiled versions, about 100 MB. A user who was away for long migrates through every version since
     * then, so hundreds of versions of a usual ruleset must fit. Discarded versions are compiled again when they are needed.
     */
    private static final int MAX_OBJECTS_KEPT = 200_000;

    private volatile Rulesets rulesets;
    private final Duration timeout;
    private final Map<RulesetKey, CompiledRuleset> compiled = new ConcurrentHashMap<>();

    /** The objects in the versions that were compiled since versions were last discarded. */
    private final AtomicInteger objectsKept = new AtomicInteger();

    /** @param timeout the longest wait for a version that the log names */
    public RulesetVersions(Rulesets rulesets, Duration timeout) {
        this.rulesets = rulesets;
        this.timeout = timeout;
    }

    /**
     * @return null if no such version was ever published
     * @throws IllegalStateException if that could not be determined in time: a fault
     */
    public @Nullable CompiledRuleset get(TenantId tenant, long version) {
        var key = new RulesetKey(tenant, version);
        CompiledRuleset known = compiled.get(key);
        if (known != null) {
            return known;
        }
        if (objectsKept.get() >= MAX_OBJECTS_KEPT) {
            discardOld();
        }
        return compiled.computeIfAbsent(key, this::compile);
    }

    /** A version that stored state refers to. @throws IllegalStateException if it was never published */
    public CompiledRuleset published(TenantId tenant, long version) {
        CompiledRuleset rules = get(tenant, version);
        if (rules == null) {
            throw new IllegalStateException(
                    "ruleset version " + version + " of tenant '" + tenant + "' was never published");
        }
        return rules;
    }

    /** Replaces the rulesets by those of another instance. */
    public void become(RulesetVersions next) {
        rulesets = next.rulesets;
        compiled.clear();
        objectsKept.set(0);
    }

    /** Keeps the newest version of each tenant, which most commands and reads need, and to which the tasks refer anyway. */
    private void discardOld() {
        compiled.keySet().removeIf(key -> key.version() != rulesets.newest(key.tenant()).version());
        objectsKept.set(0);
    }

    /** The newest published version; partitions of the log may not have read its marker yet. */
    public CompiledRuleset newest(TenantId tenant) {
        return published(tenant, rulesets.newest(tenant).version());
    }

    /** See {@link Rulesets#newestVersion}. */
    public long newestVersion(TenantId tenant) {
        return rulesets.newestVersion(tenant);
    }

    /** See {@link Rulesets#haveTenants}. */
    public boolean haveTenants() {
        return rulesets.haveTenants();
    }

    /** See {@link Rulesets#awaitNewest}. */
    public boolean awaitNewest(Duration timeout) throws InterruptedException {
        return rulesets.awaitNewest(timeout);
    }

    private @Nullable CompiledRuleset compile(RulesetKey key) {
        try {
            Ruleset document = rulesets.await(key.tenant(), key.version(), timeout);
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
