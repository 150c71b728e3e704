package dev.laurel.processors.stream;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Published rulesets, each compiled once and shared by all tasks and reads of this process. Thread-safe.
 *
 * <p>A user who was away for long migrates through every version since then, so thousands of versions of a usual ruleset must be at
 * hand. They share what the edits did not change. What only events and reads need is kept while a task or a read uses the
 * version. Discarded versions are compiled again when they are needed.
 */
public final class RulesetVersions {

    /** The maximum of compiled versions besides the newest one of each tenant, as estimated. */
    private static final long MAX_KEPT_BYTES = 100_000_000;

    private final Duration timeout;
    private volatile Cache cache;

    /** @param timeout the longest wait for a version that the log names */
    public RulesetVersions(Rulesets rulesets, Duration timeout) {
        this(rulesets, timeout, MAX_KEPT_BYTES);
    }

    RulesetVersions(Rulesets rulesets, Duration timeout, long maxKeptBytes) {
        this(new Cache(rulesets, maxKeptBytes), timeout);
    }

    private RulesetVersions(Cache cache, Duration timeout) {
        this.cache = cache;
        this.timeout = timeout;
    }

    /** Other versions for now the same rulesets, see {@link #become}. Both share what they compile. */
    public RulesetVersions shared() {
        return new RulesetVersions(cache, timeout);
    }

    /**
     * Versions of which those before the newest are compiled ahead of time, on another thread, as soon as the ruleset of their tenant is
     * used: a process that has just started knows none of them when the first user returns.
     *
     * @param timeout the longest wait for a version that the log names
     */
    public static RulesetVersions loadedAhead(Rulesets rulesets, Duration timeout) {
        var versions = new RulesetVersions(rulesets, timeout);
        versions.cache.ahead = new Ahead(versions.cache, timeout);
        return versions;
    }

    /**
     * @return null if no such version was ever published
     * @throws IllegalStateException if that could not be determined in time: a fault
     */
    public @Nullable CompiledRuleset get(TenantId tenant, long version) {
        return cache.of(tenant).get(version, timeout);
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
        cache = next.cache;
    }

    /** The newest published version; partitions of the log may not have read its marker yet. */
    public CompiledRuleset newest(TenantId tenant) {
        // Reads call this often, and the document stays in memory, whereas its number alone may be read from disk each time.
        return published(tenant, cache.rulesets.newest(tenant).version());
    }

    /** The number of the newest published version. Nothing is compiled. */
    public long newestVersion(TenantId tenant) {
        return cache.rulesets.newestVersion(tenant);
    }

    /** See {@link Rulesets#haveTenants}. */
    public boolean haveTenants() {
        return cache.rulesets.haveTenants();
    }

    /** See {@link Rulesets#awaitNewest}. */
    public boolean awaitNewest(Duration timeout) throws InterruptedException {
        return cache.rulesets.awaitNewest(timeout);
    }

    /** The estimated memory of the versions that are kept, besides the newest ones. */
    long keptBytes() {
        return cache.keptBytes;
    }

    /** The versions of all tenants. */
    private static final class Cache {

        private final Rulesets rulesets;
        private final long maxKeptBytes;
        private final Map<TenantId, TenantVersions> tenants = new ConcurrentHashMap<>();
        private volatile @Nullable Ahead ahead;

        // Written by synchronized methods only.
        private volatile long keptBytes;

        /** The number of versions compiled so far, by which the tenants that were used last are known. */
        private volatile long compiled;

        Cache(Rulesets rulesets, long maxKeptBytes) {
            this.rulesets = rulesets;
            this.maxKeptBytes = maxKeptBytes;
        }

        TenantVersions of(TenantId tenant) {
            TenantVersions known = tenants.get(tenant);
            if (known != null) {
                return known;
            }
            var made = new TenantVersions(this, tenant);
            known = tenants.putIfAbsent(tenant, made);
            Ahead loader = ahead;
            if (known == null && loader != null) {
                loader.add(made);
            }
            return known == null ? made : known;
        }

        /** Adds a version that was just compiled, and discards old ones if there are too many. */
        synchronized void add(TenantVersions tenant, Version made) {
            if (made.isKept) {
                return;
            }
            made.isKept = true;
            compiled++;
            Version former = tenant.newest;
            if (former == null || former.rules.version() < made.rules.version()) {
                keptBytes += former == null ? 0 : former.bytes;
                tenant.newest = made;
                tenant.newestInUse = made.inUse();
            } else {
                keptBytes += made.bytes;
            }
            tenant.lastUse = compiled;
            if (keptBytes > maxKeptBytes) {
                discardOld();
            }
        }

        /** Discards half, first of the tenants whose rulesets were not used for longest, of each the oldest versions. */
        private void discardOld() {
            var byUse = new ArrayList<Use>();
            tenants.values().forEach(tenant -> byUse.add(new Use(tenant, tenant.lastUse)));
            byUse.sort(Comparator.comparingLong(Use::last));
            for (Use use : byUse) {
                TenantVersions tenant = use.tenant;
                for (long version : tenant.versions.keySet().stream().sorted().toList()) {
                    if (keptBytes <= maxKeptBytes / 2) {
                        return;
                    }
                    Version old = tenant.versions.get(version);
                    if (old != null && old.isKept && old != tenant.newest) {
                        tenant.versions.remove(version);
                        keptBytes -= old.bytes;
                    }
                }
            }
        }
    }

    /** The last use of a tenant's versions at some moment; it goes on changing. */
    private record Use(TenantVersions tenant, long last) {}

    /** The compiled versions of one tenant. */
    private static final class TenantVersions {

        private final Cache cache;
        private final TenantId tenant;
        private final Map<Long, Version> versions = new ConcurrentHashMap<>();
        private volatile @Nullable Version newest;

        /** Keeps the indexes, since most commands and reads need them. */
        private volatile @Nullable CompiledRuleset newestInUse;
        private volatile long lastUse;

        TenantVersions(Cache cache, TenantId tenant) {
            this.cache = cache;
            this.tenant = tenant;
        }

        @Nullable
        CompiledRuleset get(long version, Duration timeout) {
            Version known = versions.get(version);
            if (known == null) {
                known = versions.computeIfAbsent(version, number -> compile(number, timeout));
                if (known == null) {
                    return null;
                }
                cache.add(this, known);
                prepareTransition(known.inUse(), version);
            } else if (lastUse != cache.compiled) {
                lastUse = cache.compiled;
            }
            return known.inUse();
        }

        /** Now, since otherwise the first user who returns would wait for the transitions of all versions since then. */
        private void prepareTransition(CompiledRuleset made, long version) {
            Version former = versions.get(version - 1);
            Version next = versions.get(version + 1);
            if (former != null) {
                made.transitionFrom(former.inUse());
            }
            if (next != null) {
                next.inUse().transitionFrom(made);
            }
        }

        private @Nullable Version compile(long version, Duration timeout) {
            try {
                Ruleset document = cache.rulesets.await(tenant, version, timeout);
                if (document == null) {
                    return null;
                }
                Version near = near(version);
                return new Version(
                        near == null ? new CompiledRuleset(document) : CompiledRuleset.near(near.rules, document));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(
                        "interrupted while waiting for ruleset version " + version + " of tenant '" + tenant + "'", e);
            }
        }

        /** A version that is likely to have most objects in common. */
        private @Nullable Version near(long version) {
            Version found = versions.get(version - 1);
            found = found == null ? versions.get(version + 1) : found;
            return found == null ? newest : found;
        }
    }

    /** A compiled version without indexes, and the one with indexes while somebody uses it. */
    private static final class Version {

        private final CompiledRuleset rules;
        private final long bytes;

        /** Guarded by the cache. */
        private boolean isKept;
        private volatile WeakReference<CompiledRuleset> inUse = new WeakReference<>(null);

        Version(CompiledRuleset rules) {
            this.rules = rules;
            this.bytes = rules.ownBytes();
        }

        CompiledRuleset inUse() {
            CompiledRuleset used = inUse.get();
            return used == null ? use() : used;
        }

        private synchronized CompiledRuleset use() {
            CompiledRuleset used = inUse.get();
            if (used == null) {
                used = rules.withoutIndexes();
                inUse = new WeakReference<>(used);
            }
            return used;
        }
    }

    /** Compiles versions ahead of time, tenant by tenant, the newest versions first. Its thread ends when there is nothing to do. */
    private static final class Ahead {

        /** Of one tenant; a user who was away for longer waits for those before. */
        private static final int MAX_VERSIONS = 1_000;

        private final Cache cache;
        private final Duration timeout;
        private final ConcurrentLinkedQueue<TenantVersions> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean isRunning = new AtomicBoolean();

        Ahead(Cache cache, Duration timeout) {
            this.cache = cache;
            this.timeout = timeout;
        }

        void add(TenantVersions tenant) {
            waiting.add(tenant);
            startIfIdle();
        }

        private void startIfIdle() {
            if (!waiting.isEmpty() && isRunning.compareAndSet(false, true)) {
                Thread.ofPlatform().daemon().name("ruleset-versions").priority(Thread.MIN_PRIORITY).start(this::run);
            }
        }

        private void run() {
            try {
                for (TenantVersions next = waiting.poll(); next != null; next = waiting.poll()) {
                    load(next);
                }
            } catch (RuntimeException _) {
                // The process stops, or the task that needs the version gets the same failure and reports it.
            } finally {
                isRunning.set(false);
            }
            startIfIdle();
        }

        private void load(TenantVersions tenant) {
            long newest = cache.rulesets.newestVersion(tenant.tenant);
            long first = Math.max(1, newest - MAX_VERSIONS);
            // Room is left for what tasks and reads need.
            for (long version = newest; version >= first && cache.keptBytes < cache.maxKeptBytes / 2; version--) {
                tenant.get(version, timeout);
            }
        }
    }
}
