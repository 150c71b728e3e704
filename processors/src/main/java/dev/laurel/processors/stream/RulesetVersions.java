package dev.laurel.processors.stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.RulesetKey;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Published rulesets, compiled and shared by all tasks and reads of this process: the versions that were used last or most, which are the
 * newest ones, and of a node that lags those of the commands that it reads. Others are compiled again when they are needed. Thread-safe.
 */
public final class RulesetVersions {

    /** As estimated. A task also has the versions in force of the tenants that it used last. */
    private static final long MAX_BYTES = 100_000_000;

    /** A ruleset without objects. */
    private static final int LEAST_BYTES = 2_048;

    /** Of a character in the text form of a document: the document, and what is compiled of it. */
    private static final int BYTES_PER_CHARACTER = 4;

    private final Duration timeout;
    private volatile Known known;

    /** The rulesets, and what is compiled of them. */
    private record Known(Rulesets rulesets, Cache<RulesetKey, CompiledRuleset> compiled) {}

    /** @param timeout the longest wait for a version that the log names */
    public RulesetVersions(Rulesets rulesets, Duration timeout) {
        this(rulesets, timeout, MAX_BYTES);
    }

    RulesetVersions(Rulesets rulesets, Duration timeout, long maxBytes) {
        this(
                new Known(
                        rulesets,
                        Caffeine.newBuilder()
                                .maximumWeight(maxBytes)
                                .weigher(RulesetVersions::bytesOf)
                                .executor(Runnable::run)
                                .build()),
                timeout);
    }

    private RulesetVersions(Known known, Duration timeout) {
        this.known = known;
        this.timeout = timeout;
    }

    private static int bytesOf(RulesetKey key, CompiledRuleset rules) {
        return Math.addExact(
                LEAST_BYTES, BYTES_PER_CHARACTER * rules.document().toString().length());
    }

    /** Other versions for now the same rulesets, see {@link #become}. Both share what they compile. */
    public RulesetVersions shared() {
        return new RulesetVersions(known, timeout);
    }

    /**
     * @return null if no such version was ever published
     * @throws IllegalStateException if that could not be determined in time: a fault
     */
    public @Nullable CompiledRuleset get(TenantId tenant, long version) {
        Known now = known;
        var key = new RulesetKey(tenant, version);
        CompiledRuleset rules = now.compiled.getIfPresent(key);
        return rules != null ? rules : compile(now, key);
    }

    private @Nullable CompiledRuleset compile(Known now, RulesetKey key) {
        try {
            Ruleset document = now.rulesets.await(key.tenant(), key.version(), timeout);
            return document == null ? null : now.compiled.get(key, _ -> new CompiledRuleset(document));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for ruleset " + key, e);
        }
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
        known = next.known;
    }

    /** The newest published version; partitions of the log may not have read its marker yet. */
    public CompiledRuleset newest(TenantId tenant) {
        // Reads call this often, and the document stays in memory, whereas its number alone may be read from disk each
        // time.
        return published(tenant, known.rulesets.newest(tenant).version());
    }

    /** The number of the newest published version. Nothing is compiled. */
    public long newestVersion(TenantId tenant) {
        return known.rulesets.newestVersion(tenant);
    }

    /** See {@link Rulesets#haveTenants}. */
    public boolean haveTenants() {
        return known.rulesets.haveTenants();
    }

    /** See {@link Rulesets#awaitNewest}. */
    public boolean awaitNewest(Duration timeout) throws InterruptedException {
        return known.rulesets.awaitNewest(timeout);
    }

    /** The number of versions that are kept. */
    long kept() {
        return known.compiled.estimatedSize();
    }
}
