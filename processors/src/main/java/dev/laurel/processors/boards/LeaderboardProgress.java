package dev.laurel.processors.boards;

import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.processors.store.boards.LeaderboardStores;
import dev.laurel.processors.store.boards.LeaderboardStores.LogPosition;
import dev.laurel.schemas.key.TenantId;
import java.util.BitSet;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The progress of the leaderboards of one partition in each partition of the log: offset, time and rules. Time and rules are stored at
 * once: the message that brings them is not read again after a commit, and the next one may be half a day later. Offsets alone are
 * stored before each commit, with the participants that result from them. One task, one thread.
 */
final class LeaderboardProgress {

    /** The time while some partition of the log has not reported one. */
    static final long UNKNOWN = Long.MIN_VALUE;

    /** Tenants whose versions are in memory, with a number for each partition of the log. */
    private static final int MAX_TENANTS_IN_MEMORY = 1_000;

    private final LeaderboardStores stores;
    private final long[] offsets;
    private final long[] clocksMs;

    /** The versions of the tenants used last, in the order of their last use. */
    private final LinkedHashMap<TenantId, long[]> versions = new LinkedHashMap<>(16, 0.75f, true);

    /** The partitions whose stored position is older. */
    private final BitSet changed = new BitSet();

    private long clockMs;

    /** @param logPartitions of the log, which must all report a time before time moves */
    LeaderboardProgress(LeaderboardStores stores, int logPartitions) {
        this.stores = stores;
        this.offsets = new long[logPartitions];
        this.clocksMs = new long[logPartitions];
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

    /** Records the position of a message. @return false if a later one of the same partition is known: this one is repeated or late */
    boolean advance(Origin origin) {
        if (origin.offset() < offsets[origin.partition()]) {
            return false;
        }
        if (origin.offset() > offsets[origin.partition()]) {
            offsets[origin.partition()] = origin.offset();
            changed.set(origin.partition());
        }
        return true;
    }

    /** Records the time of a partition. @return whether the time of all partitions has moved */
    boolean moveClock(int logPartition, long nowMs) {
        if (nowMs <= clocksMs[logPartition]) {
            return false;
        }
        clocksMs[logPartition] = nowMs;
        save(logPartition);
        long before = clockMs;
        clockMs = least(clocksMs);
        return clockMs > before;
    }

    /** Sets another time temporarily, as if the partitions had reported no later one. */
    void setClock(long otherMs) {
        clockMs = otherMs;
    }

    /** The time of one partition of the log. */
    long clockMs(int logPartition) {
        return clocksMs[logPartition];
    }

    /** The highest offset known of a partition of the log, -1 if none. */
    long offset(int logPartition) {
        return offsets[logPartition];
    }

    /** The least of the times of all partitions of the log, {@link #UNKNOWN} while one has not reported any. */
    long clockMs() {
        return clockMs;
    }

    /** Whether all partitions have reported a time. */
    boolean isClockKnown() {
        return clockMs != UNKNOWN;
    }

    /** Records the version in force in a partition. @return the former version; the given one if that is not newer */
    long advanceVersion(TenantId tenant, int logPartition, long version) {
        long[] known = versionsOf(tenant);
        if (known == null) {
            known = new long[offsets.length];
            keep(tenant, known);
        }
        long former = known[logPartition];
        if (version <= former) {
            return version;
        }
        known[logPartition] = version;
        stores.putVersions(tenant, known);
        return former;
    }

    /** The version in force in this partition, 0 if none. */
    long version(TenantId tenant, int logPartition) {
        long[] known = versionsOf(tenant);
        return known == null ? 0 : known[logPartition];
    }

    /** The newest version in force in any partition, 0 if there is none. */
    long newestVersion(TenantId tenant) {
        long[] known = versionsOf(tenant);
        long newest = 0;
        if (known != null) {
            for (long version : known) {
                newest = Math.max(newest, version);
            }
        }
        return newest;
    }

    /** The oldest version in force in any partition, 0 if one has none. */
    long oldestVersion(TenantId tenant) {
        long[] known = versionsOf(tenant);
        return known == null ? 0 : least(known);
    }

    private long @Nullable [] versionsOf(TenantId tenant) {
        long[] known = versions.get(tenant);
        if (known == null) {
            known = stores.versions(tenant);
            if (known != null) {
                keep(tenant, known);
            }
        }
        return known;
    }

    private void keep(TenantId tenant, long[] known) {
        versions.put(tenant, known);
        if (versions.size() > MAX_TENANTS_IN_MEMORY) {
            versions.pollFirstEntry();
        }
    }

    /** Stores the offsets that have changed. Called before each commit. */
    void save() {
        for (int partition = changed.nextSetBit(0); partition >= 0; partition = changed.nextSetBit(partition + 1)) {
            save(partition);
        }
    }

    private void save(int logPartition) {
        stores.putLogPosition(logPartition, new LogPosition(offsets[logPartition], clocksMs[logPartition]));
        changed.clear(logPartition);
    }
}
