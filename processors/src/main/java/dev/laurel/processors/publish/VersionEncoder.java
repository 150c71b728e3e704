package dev.laurel.processors.publish;

import dev.laurel.platform.kafka.StoredVersion.Snapshot;
import dev.laurel.platform.kafka.StoredVersion;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.RulesetKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the form in which a version is stored: whole every few versions, as a {@link StoredVersion difference} to the last one that
 * was stored whole otherwise. An edit then costs what it changes, and any version is restored from two records. One thread.
 */
final class VersionEncoder {

    /** A difference is only worthwhile if the document is longer by this factor. */
    private static final int MIN_GAIN = 2;
    private static final long MAX_KEPT_BYTES = 16 * 1024 * 1024;

    private final int snapshotEvery;
    private final Function<TenantId, @Nullable Snapshot> published;

    /** The last snapshots of the tenants that were edited last, in the order of their use. */
    private final Map<TenantId, Snapshot> kept = new LinkedHashMap<>(16, 0.75f, true);
    private long keptBytes;

    /**
     * @param snapshotEvery stores every so many versions of a tenant one whole; 1: all
     * @param published finds the snapshot of a tenant's newest published version, or of one before it; null: none
     */
    VersionEncoder(int snapshotEvery, Function<TenantId, @Nullable Snapshot> published) {
        this.snapshotEvery = snapshotEvery;
        this.published = published;
    }

    /** Returns what is stored of a version. Versions of a tenant come in their order, and are stored in it. */
    byte[] encode(RulesetKey key, byte[] document) {
        if (snapshotEvery == 1) {
            return document;
        }
        Snapshot known = kept.get(key.tenant());
        Snapshot snapshot = known == null ? published.apply(key.tenant()) : known;
        if (snapshot != null && key.version() - snapshot.version() < snapshotEvery) {
            byte[] difference = StoredVersion.difference(document, snapshot);
            if ((long) difference.length * MIN_GAIN <= document.length) {
                keep(key.tenant(), snapshot);
                return difference;
            }
        }
        keep(key.tenant(), new Snapshot(key.version(), document));
        return document;
    }

    private void keep(TenantId tenant, Snapshot snapshot) {
        Snapshot before = kept.put(tenant, snapshot);
        keptBytes += snapshot.document().length - (before == null ? 0 : before.document().length);
        Iterator<Snapshot> eldest = kept.values().iterator();
        while (keptBytes > MAX_KEPT_BYTES) {
            keptBytes -= eldest.next().document().length;
            eldest.remove();
        }
    }

    /** Forgets the snapshots, when another writer may have published versions. */
    void clear() {
        kept.clear();
        keptBytes = 0;
    }
}
