package dev.laurel.schemas.topic;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * All versions of all rulesets, followed from {@code laurel.rulesets}. Old versions stay at hand, since a task that
 * replays old commands judges them by the version of their time.
 */
public final class RulesetTable implements Rulesets, AutoCloseable {

    private final Map<RulesetKey, Ruleset> versions = new ConcurrentHashMap<>();
    private final Map<TenantId, Ruleset> newest = new ConcurrentHashMap<>();
    private final TopicTable<RulesetKey, Ruleset> table;

    public RulesetTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this.table = new TopicTable<>(Topics.RULESETS, clientConfig, this::put, onFault);
    }

    public void start() {
        table.start();
    }

    public void awaitCaughtUp(Duration timeout) throws InterruptedException {
        table.awaitCaughtUp(timeout);
    }

    /** Completes when everything published before this call is known here. */
    public CompletableFuture<Void> barrier() {
        return table.barrier();
    }

    private void put(RulesetKey key, Ruleset ruleset) {
        if (ruleset == null) {
            throw new IllegalStateException("ruleset " + key + " was deleted from the log, though it may be needed");
        }
        versions.put(key, ruleset);
        newest.merge(key.tenant(), ruleset, (a, b) -> a.version() > b.version() ? a : b);
    }

    @Override
    public Ruleset newest(TenantId tenant) {
        Ruleset ruleset = newest.get(tenant);
        return ruleset == null ? Ruleset.empty(tenant) : ruleset;
    }

    @Override
    public Ruleset version(TenantId tenant, long version) {
        return version == 0 ? Ruleset.empty(tenant) : versions.get(new RulesetKey(tenant, version));
    }

    @Override
    public Ruleset await(TenantId tenant, long version, Duration timeout) throws InterruptedException {
        Ruleset there = version(tenant, version);
        if (there != null) {
            return there;
        }
        try {
            table.barrier().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(
                    "could not find out within " + timeout + " whether ruleset version " + version + " exists", e);
        }
        return version(tenant, version);
    }

    @Override
    public void close() {
        table.close();
    }
}
