package dev.laurel.schemas.topic;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.UnknownVersionException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * All versions of all rulesets, followed from {@code laurel.rulesets}. Of the newest ones the document is here, of the others
 * the place in the topic: a task that replays old commands judges them by the version of their time, and has it read back.
 * Every edit makes a version, so there may be many thousands; none is parsed before it is asked for.
 */
public final class RulesetTable implements Rulesets, AutoCloseable {

    private static final long MAX_KEPT_BYTES = 16 * 1024 * 1024;
    private static final Duration READ_PATIENCE = Duration.ofSeconds(30);

    private final Map<RulesetKey, Long> offsets = new ConcurrentHashMap<>();
    private final Map<TenantId, Newest> newest = new ConcurrentHashMap<>();
    private final RulesetArchive archive;
    private final TopicTable<RulesetKey, Ruleset> table;

    public RulesetTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this.archive = new RulesetArchive(clientConfig, MAX_KEPT_BYTES);
        this.table = TopicTable.ofBytes(Topics.RULESETS, clientConfig, this::put, onFault);
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

    /** Offset behind the last record that is known here. */
    long position() {
        return table.position();
    }

    private void put(RulesetKey key, byte[] document, long offset) {
        if (document == null) {
            throw new IllegalStateException("ruleset " + key + " was deleted from the log, though it may be needed");
        }
        Newest former = newest.get(key.tenant());
        if (former == null || former.key.version() < key.version()) {
            if (former != null) {
                archive.keep(former.key, former.bytes);
            }
            newest.put(key.tenant(), new Newest(key, document));
        }
        offsets.put(key, offset);
    }

    @Override
    public Ruleset newest(TenantId tenant) {
        Newest known = newest.get(tenant);
        return known == null ? Ruleset.empty(tenant) : known.document();
    }

    @Override
    public Ruleset version(TenantId tenant, long version) {
        try {
            return version(tenant, version, READ_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading ruleset version " + version, e);
        }
    }

    private Ruleset version(TenantId tenant, long version, Duration timeout) throws InterruptedException {
        if (version == 0) {
            return Ruleset.empty(tenant);
        }
        Newest known = newest.get(tenant);
        if (known != null && known.key.version() == version) {
            return known.document();
        }
        var key = new RulesetKey(tenant, version);
        Long offset = offsets.get(key);
        return offset == null ? null : parse(archive.read(key, offset, timeout));
    }

    @Override
    public Ruleset await(TenantId tenant, long version, Duration timeout) throws InterruptedException {
        Ruleset there = version(tenant, version, timeout);
        if (there != null) {
            return there;
        }
        if (!awaitNewest(timeout)) {
            throw new UnknownVersionException(version, timeout);
        }
        return version(tenant, version, timeout);
    }

    @Override
    public boolean awaitNewest(Duration timeout) throws InterruptedException {
        try {
            table.barrier().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException _) {
            return false; // a table that has stopped has told its owner
        }
    }

    private static Ruleset parse(byte[] document) {
        return Topics.RULESETS.value().deserializer().deserialize(Topics.RULESETS.name(), document);
    }

    @Override
    public void close() {
        table.close();
        archive.close();
    }

    /** The newest version of a tenant, parsed by who asks first. */
    private static final class Newest {

        private final RulesetKey key;
        private final byte[] bytes;
        private volatile Ruleset parsed;

        Newest(RulesetKey key, byte[] bytes) {
            this.key = key;
            this.bytes = bytes;
        }

        Ruleset document() {
            Ruleset document = parsed;
            if (document == null) {
                synchronized (this) {
                    document = parsed;
                    if (document == null) {
                        document = parse(bytes);
                        parsed = document;
                    }
                }
            }
            return document;
        }
    }
}
