package dev.laurel.processors.boards;

import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.store.BoardStores.LogPosition;
import dev.laurel.processors.store.BoardStores;
import dev.laurel.schemas.key.TenantId;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The progress of the leaderboards of one partition in each partition of the log: offset, time and rules. It is stored from time to
 * time; the stored progress may be behind, but is never ahead of the stored participants. One task, one thread.
 */
final class Watermarks {

    /** The time while some partition of the log has not reported one. */
    static final long UNKNOWN = Long.MIN_VALUE;

    private final BoardStores stores;
    private final long[] offsets;
    private final long[] clocksMs;
    private final Map<TenantId, long[]> versions;
    private final BitSet changed = new BitSet();
    private final Set<TenantId> changedVersions = new HashSet<>();
    private long clockMs;

    /** @param logPartitions of the log, which must all report a time before time moves */
    Watermarks(BoardStores stores, int logPartitions) {
        this.stores = stores;
        this.offsets = new long[logPartitions];
        this.clocksMs = new long[logPartitions];
        this.versions = stores.versions();
        for (int partition = 0; partition < logPartitions; partition++) {
            LogPosition position = stores.logPosition(partition);
            offsets[partition] = position.offset();
            clocksMs[partition] = position.clockMs();
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

    /** @return false if something later of the same partition is known: a repetition, or a late message */
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

    /** @return whether the time of all partitions has moved */
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

    /** Sets another time for a while, as if the partitions had reported no later one. */
    void standAt(long otherMs) {
        clockMs = otherMs;
    }

    /** The time of one partition of the log. */
    long clockMs(int logPartition) {
        return clocksMs[logPartition];
    }

    /** The highest offset known of a partition of the log, -1 if none. */
    long heard(int logPartition) {
        return offsets[logPartition];
    }

    /** The least of the times of all partitions of the log, {@link #UNKNOWN} while one has not reported any. */
    long clockMs() {
        return clockMs;
    }

    /** @return the former version of this partition; the given one if that is not newer */
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

    /** The version in force in this partition, 0 if none. */
    long version(TenantId tenant, int logPartition) {
        long[] known = versions.get(tenant);
        return known == null ? 0 : known[logPartition];
    }

    /** The newest version in force in any partition, 0 if there is none. */
    long newestVersion(TenantId tenant) {
        long newest = 0;
        long[] known = versions.get(tenant);
        for (int i = 0; known != null && i < known.length; i++) {
            newest = Math.max(newest, known[i]);
        }
        return newest;
    }

    /** The oldest version in force in any partition, 0 if one has none. */
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

    /** Stores what has changed. Everything that followed from it must be stored before. */
    void save() {
        for (int partition = changed.nextSetBit(0); partition >= 0; partition = changed.nextSetBit(partition + 1)) {
            stores.putLogPosition(partition, new LogPosition(offsets[partition], clocksMs[partition]));
        }
        for (TenantId tenant : changedVersions) {
            stores.putVersions(tenant, versions.get(tenant));
        }
        changed.clear();
        changedVersions.clear();
    }

    /** By partition of the log; -1 where none is known. */
    long[] offsets() {
        return offsets.clone();
    }
}
