package dev.laurel.platform.kafka;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.platform.kafka.ArchivedVersions.Index;
import dev.laurel.platform.kafka.ArchivedVersions.Move;
import dev.laurel.platform.kafka.StoredVersion.Snapshot;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.UnknownVersionException;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Follows {@code laurel.rulesets} and serves all versions of all rulesets, from disk or, of earlier ones, from the {@link RulesetArchive}.
 * The newest versions of the tenants in use are cached as parsed documents. A task that replays old commands reads the versions of their
 * time, which are parsed at each read. Many of them are stored as differences to a snapshot, see {@link StoredVersion}.
 */
public final class RulesetTable extends TopicTable<RulesetKey, Ruleset> implements Rulesets {

    /** By the size of the documents as JSON; parsed ones take more. */
    private static final long MAX_NEWEST_BYTES = 32 * 1024 * 1024;
    private static final long MAX_SNAPSHOT_BYTES = 16 * 1024 * 1024;

    /** What a cached document takes however short it is. */
    private static final int ENTRY_BYTES = 500;

    // First bytes of keys: documents by their keys in the topic, and the newest version of each tenant.
    private static final byte DOCUMENT = 'd';
    private static final byte NEWEST = 'n';

    private final TableStore store;
    private final RulesetArchive archive;
    private final RulesetReader reader = new RulesetReader();
    private final Cache<TenantId, Newest> newest = Caffeine.newBuilder().maximumWeight(MAX_NEWEST_BYTES)
            .weigher((TenantId _, Newest known) -> ENTRY_BYTES + known.bytes).executor(Runnable::run).build();
    private final Cache<RulesetKey, Snapshot> snapshots = Caffeine.newBuilder().maximumWeight(MAX_SNAPSHOT_BYTES)
            .weigher((RulesetKey _, Snapshot snapshot) -> ENTRY_BYTES + snapshot.document().length)
            .executor(Runnable::run).build();

    /** The tenants with new versions since they were last written; of the thread of the table. */
    private final Set<TenantId> changed = new HashSet<>();
    private volatile boolean haveTenants;

    private record Newest(Ruleset ruleset, int bytes) {}

    /** Creates a table in a temporary folder, for a process that reads the topic once. */
    public RulesetTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this(Topics.RULESETS, clientConfig, TableFolder.openTemporary(Topics.RULESETS.name()),
                RulesetArchive.of(clientConfig), onFault);
    }

    /**
     * @param topic {@link Topics#RULESETS}, or the same under another name
     * @param folder closed by the caller, after this table
     */
    public RulesetTable(Topic<RulesetKey, Ruleset> topic, Map<String, Object> clientConfig, TableFolder folder,
            Consumer<Throwable> onFault) {
        this(topic, clientConfig, folder.open(topic.name()), RulesetArchive.of(clientConfig), onFault);
    }

    /** @param store closed with this table */
    RulesetTable(Topic<RulesetKey, Ruleset> topic, Map<String, Object> clientConfig, TableStore store,
            RulesetArchive archive, Consumer<Throwable> onFault) {
        super(topic, clientConfig, store, onFault);
        this.store = store;
        this.archive = archive;
    }

    @Override
    protected void put(RulesetKey key, byte @Nullable [] stored, long offset) {
        byte[] newestKey = key(NEWEST, key.tenant().bytes());
        long known = version(store.getPut(newestKey));
        if (stored == null && key.version() == known) {
            throw new IllegalStateException("ruleset " + key + " was deleted from the topic, but it is the newest one");
        }
        store.put(documentKey(key), stored);
        if (key.version() > known) {
            store.put(newestKey, ByteBuffer.allocate(Long.BYTES).putLong(key.version()).array());
            changed.add(key.tenant());
        }
    }

    /** The newest versions on disk tell. */
    @Override
    void load() {
        byte[] first = key(NEWEST, new byte[0]);
        store.visit(first, first, (key, _) -> {
            haveTenants = key.length > first.length;
            return !haveTenants;
        });
    }

    @Override
    void written() {
        haveTenants = haveTenants || changed.stream().anyMatch(tenant -> !tenant.equals(TenantId.NONE));
        newest.invalidateAll(changed);
        changed.clear();
    }

    @Override
    public Ruleset newest(TenantId tenant) {
        Newest known = newest.getIfPresent(tenant);
        return (known != null ? known : newest.get(tenant, this::readNewest)).ruleset;
    }

    @Override
    public long newestVersion(TenantId tenant) {
        Newest known = newest.getIfPresent(tenant);
        return known != null ? known.ruleset.version() : version(store.get(key(NEWEST, tenant.bytes())));
    }

    private Newest readNewest(TenantId tenant) {
        byte[] document = document(new RulesetKey(tenant, version(store.get(key(NEWEST, tenant.bytes())))));
        return document == null
                ? new Newest(Ruleset.empty(tenant), 0)
                : new Newest(reader.read(document), document.length);
    }

    /** Returns 0 if there is none. */
    private static long version(byte @Nullable [] stored) {
        return stored == null ? 0 : ByteBuffer.wrap(stored).getLong();
    }

    @Override
    public boolean haveTenants() {
        return haveTenants;
    }

    @Override
    public @Nullable Ruleset version(TenantId tenant, long version) {
        if (version == 0) {
            return Ruleset.empty(tenant);
        }
        Ruleset known = version == newestVersion(tenant) ? newest(tenant) : null;
        if (known != null && known.version() == version) { // otherwise there is a newer one by now
            return known;
        }
        byte[] document = document(new RulesetKey(tenant, version));
        return document == null ? null : reader.read(document);
    }

    @Override
    public @Nullable Ruleset await(TenantId tenant, long version, Duration timeout) throws InterruptedException {
        Ruleset known = version(tenant, version);
        if (known != null) {
            return known;
        }
        if (!awaitNewest(timeout)) {
            throw new UnknownVersionException(version, timeout);
        }
        return version(tenant, version);
    }

    /** Returns the snapshot of a tenant's newest version, which is that version itself if it is stored whole; null: no version. */
    public @Nullable Snapshot newestSnapshot(TenantId tenant) {
        var key = new RulesetKey(tenant, version(store.get(key(NEWEST, tenant.bytes()))));
        byte[] stored = store.get(documentKey(key));
        return stored == null
                ? null
                : StoredVersion.isWhole(stored)
                        ? new Snapshot(key.version(), stored)
                        : snapshot(key, StoredVersion.snapshotOf(stored));
    }

    /**
     * Plans the move of the earliest versions of a tenant to the archive.
     *
     * @param kept how many of the newest ones stay
     * @return null if there are too few for a move
     */
    public @Nullable Move nextMove(TenantId tenant, int kept) {
        return ArchivedVersions.next(tenant, archived(tenant), newestVersion(tenant), kept,
                version -> store.get(documentKey(new RulesetKey(tenant, version))),
                version -> Objects.requireNonNull(document(new RulesetKey(tenant, version)), "it is stored"));
    }

    /** Whether {@link #nextMove} returns one. Reads no version. */
    public boolean hasMove(TenantId tenant, int kept) {
        return newestVersion(tenant) - kept - archived(tenant).end() + 1 >= ArchivedVersions.leastMoved(kept);
    }

    /** Tenants with a ruleset, in the order of their names, at most {@code limit}. @param last whom they follow; null: from the first */
    public List<TenantId> tenantsAfter(@Nullable TenantId last, int limit) {
        byte[] prefix = key(NEWEST, new byte[0]);
        byte[] from = last == null ? prefix : key(NEWEST, last.bytes());
        var tenants = new ArrayList<TenantId>();
        store.visit(prefix, from, (key, _) -> {
            if (last == null || !Arrays.equals(key, from)) {
                tenants.add(new TenantId(new String(key, prefix.length, key.length - prefix.length, UTF_8)));
            }
            return tenants.size() < limit;
        });
        return tenants;
    }

    /** The number of reads of the archive so far. */
    public long archiveReads() {
        return archive.reads();
    }

    private Index archived(TenantId tenant) {
        return Index.of(store.get(documentKey(new RulesetKey(tenant, ArchivedVersions.INDEX))));
    }

    /** Null if there is no such version. */
    private byte @Nullable [] document(RulesetKey key) {
        byte[] stored = store.get(documentKey(key));
        if (stored == null) {
            // The index was written before the version was deleted, at the latest together with that.
            stored = archive.stored(key, archived(key.tenant()));
        }
        return stored == null || StoredVersion.isWhole(stored)
                ? stored
                : StoredVersion.restore(stored, snapshot(key, StoredVersion.snapshotOf(stored)));
    }

    /** The snapshot of a version. It may be a difference itself, to another one, once it is archived. */
    private Snapshot snapshot(RulesetKey of, long version) {
        if (version == ArchivedVersions.INDEX) {
            return ArchivedVersions.NOTHING;
        }
        var key = new RulesetKey(of.tenant(), version);
        Snapshot known = snapshots.getIfPresent(key);
        if (known == null) {
            byte[] document = version < of.version() ? document(key) : null;
            if (document == null) {
                throw new IllegalStateException(
                        "ruleset " + of + " is a difference to version " + version + ", which is no snapshot");
            }
            known = new Snapshot(version, document);
            snapshots.put(key, known);
        }
        return known;
    }

    private static byte[] documentKey(RulesetKey key) {
        return key(DOCUMENT, Topics.RULESETS.key().serializer().serialize(Topics.RULESETS.name(), key));
    }

    private static byte[] key(byte kind, byte[] rest) {
        return ByteBuffer.allocate(2 + rest.length).put(kind).put((byte) 0).put(rest).array();
    }

    @Override
    public void close() {
        archive.close();
        super.close();
    }
}
