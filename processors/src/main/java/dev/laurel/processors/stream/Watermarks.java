package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.store.BoardStores;
import dev.laurel.processors.store.BoardStores.Heard;
import dev.laurel.schemas.key.TenantId;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How far the leaderboards of one partition have heard each partition of the log: the offset, the time, the rules. Kept in
 * the store now and then, which may be behind what is known here, never ahead of the participants. One task, one thread.
 */
final class Watermarks {

    /** No time is known until every partition of the log has spoken. */
    static final long UNKNOWN = Long.MIN_VALUE;

    private final BoardStores stores;
    private final long[] offsets;
    private final long[] clocksMs;
    private final Map<TenantId, long[]> versions;
    private final BitSet changed = new BitSet();
    private final Set<TenantId> changedVersions = new HashSet<>();
    private long clockMs;

    /** @param logPartitions how many there are: all of them must have spoken */
    Watermarks(BoardStores stores, int logPartitions) {
        this.stores = stores;
        this.offsets = new long[logPartitions];
        this.clocksMs = new long[logPartitions];
        this.versions = stores.versions();
        for (int partition = 0; partition < logPartitions; partition++) {
            Heard heard = stores.heard(partition);
            offsets[partition] = heard.offset();
            clocksMs[partition] = heard.clockMs();
        }
        clockMs = least(clocksMs);
    }

    private static long least(long[] values) {
        long least = Long.MAX_VALUE;
        for (long value : values) {
            least = Math.min(least, value);
        }
        return least;
    }

    /** @return false if something later in the same partition was heard already: a repetition, or a late word */
    boolean hear(Origin origin) {
        if (origin.offset() < offsets[origin.partition()]) {
            return false;
        }
        if (origin.offset() > offsets[origin.partition()]) {
            offsets[origin.partition()] = origin.offset();
            changed.set(origin.partition());
        }
        return true;
    }

    /** @return whether all partitions have come further by it */
    boolean moveClock(int logPartition, long nowMs) {
        if (nowMs <= clocksMs[logPartition]) {
            return false;
        }
        clocksMs[logPartition] = nowMs;
        changed.set(logPartition);
        long before = clockMs;
        clockMs = least(clocksMs);
        return clockMs > before;
    }

    /** Lets it be another time for a while, as if the partitions had come to that one only. */
    void standAt(long otherMs) {
        clockMs = otherMs;
    }

    /** The time that one partition of the log has come to. */
    long clockMs(int logPartition) {
        return clocksMs[logPartition];
    }

    /** The offset of the newest that was heard from a partition of the log, -1 if nothing was. */
    long heard(int logPartition) {
        return offsets[logPartition];
    }

    /** The time that all partitions of the log have come to, {@link #UNKNOWN} while one has not spoken. */
    long clockMs() {
        return clockMs;
    }

    /** @return the version that this partition went by before, which is the same one if it is no news */
    long goBy(TenantId tenant, int logPartition, long version) {
        long[] known = versions.computeIfAbsent(tenant, _ -> new long[offsets.length]);
        long former = known[logPartition];
        if (version <= former) {
            return version;
        }
        known[logPartition] = version;
        changedVersions.add(tenant);
        return former;
    }

    /** The version that this partition goes by, 0 if none. */
    long version(TenantId tenant, int logPartition) {
        long[] known = versions.get(tenant);
        return known == null ? 0 : known[logPartition];
    }

    /** The newest version that a partition goes by, 0 if there is none. */
    long newestVersion(TenantId tenant) {
        long newest = 0;
        long[] known = versions.get(tenant);
        for (int i = 0; known != null && i < known.length; i++) {
            newest = Math.max(newest, known[i]);
        }
        return newest;
    }

    /** The version that all partitions have come to, 0 if one goes by none. */
    long oldestVersion(TenantId tenant) {
        long[] known = versions.get(tenant);
        return known == null ? 0 : least(known);
    }

    List<TenantId> tenants() {
        return List.copyOf(versions.keySet());
    }

    boolean haveChanged() {
        return !changed.isEmpty() || !changedVersions.isEmpty();
    }

    /** Keeps what has changed in the store. What followed from it must be there already. */
    void save() {
        for (int partition = changed.nextSetBit(0); partition >= 0; partition = changed.nextSetBit(partition + 1)) {
            stores.putHeard(partition, new Heard(offsets[partition], clocksMs[partition]));
        }
        for (TenantId tenant : changedVersions) {
            stores.putVersions(tenant, versions.get(tenant));
        }
        changed.clear();
        changedVersions.clear();
    }

    /** By partition of the log; -1 where nothing was heard. */
    long[] offsets() {
        return offsets.clone();
    }
}
