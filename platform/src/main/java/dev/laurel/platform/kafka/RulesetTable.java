package dev.laurel.platform.kafka;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.UnknownVersionException;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code laurel.rulesets} and serves all versions of all rulesets. Every edit creates a version, so there may be
 * many thousands. The newest versions are held as documents; of the others, only the offset in the topic is held, and a
 * task that replays old commands reads the version of their time from there. A document is parsed at first use.
 */
public final class RulesetTable extends TopicTable<RulesetKey, Ruleset> implements Rulesets {

    private static final long MAX_CACHED_BYTES = 16 * 1024 * 1024;
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    private final Map<RulesetKey, Long> offsets = new ConcurrentHashMap<>();
    private final Map<TenantId, Newest> newest = new ConcurrentHashMap<>();
    private final RulesetArchive archive;
    private volatile boolean haveTenants;

    public RulesetTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        super(Topics.RULESETS, clientConfig, onFault);
        this.archive = new RulesetArchive(clientConfig, MAX_CACHED_BYTES);
    }

    @Override
    protected void put(RulesetKey key, byte @Nullable [] document, long offset) {
        if (document == null) {
            throw new IllegalStateException(
                    "ruleset " + key + " was deleted from the topic, but old commands may need it");
        }
        Newest former = newest.get(key.tenant());
        if (former == null || former.key.version() < key.version()) {
            if (former != null) {
                archive.cache(former.key, former.bytes);
            }
            newest.put(key.tenant(), new Newest(key, document));
        }
        offsets.put(key, offset);
        haveTenants |= !key.tenant().equals(TenantId.NONE);
    }

    @Override
    public Ruleset newest(TenantId tenant) {
        Newest known = newest.get(tenant);
        return known == null ? Ruleset.empty(tenant) : known.document();
    }

    @Override
    public long newestVersion(TenantId tenant) {
        Newest known = newest.get(tenant);
        return known == null ? 0 : known.key.version();
    }

    @Override
    public boolean haveTenants() {
        return haveTenants;
    }

    @Override
    public @Nullable Ruleset version(TenantId tenant, long version) {
        try {
            return version(tenant, version, READ_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading ruleset version " + version, e);
        }
    }

    private @Nullable Ruleset version(TenantId tenant, long version, Duration timeout) throws InterruptedException {
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
    public @Nullable Ruleset await(TenantId tenant, long version, Duration timeout) throws InterruptedException {
        Ruleset known = version(tenant, version, timeout);
        if (known != null) {
            return known;
        }
        if (!awaitNewest(timeout)) {
            throw new UnknownVersionException(version, timeout);
        }
        return version(tenant, version, timeout);
    }

    private static Ruleset parse(byte[] document) {
        return Topics.RULESETS.value().deserializer().deserialize(Topics.RULESETS.name(), document);
    }

    @Override
    public void close() {
        super.close();
        archive.close();
    }

    /** The newest version of a tenant's ruleset, parsed at first use. */
    private static final class Newest {

        private final RulesetKey key;
        private final byte[] bytes;
        private volatile @Nullable Ruleset parsed;

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
