package dev.laurel.processors.boards;

import dev.laurel.schemas.key.TenantId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides which output the leaderboards of a generation produce while the generation comes into force. The partitions of the log change
 * to it one after the other, within moments; in between, this generation produces the output for some partitions and the former one
 * for the others. The generation that produces the output for an event also produces the output for its score. The output for time and
 * rules depends on all partitions together: the former generation produces it up to the least of the times at the markers, under the
 * newest of the rules at the markers. A version from before the promotion may come into force in some partition behind the marker, with
 * the first command that names it, but no later version comes into force before a marker. One task, one thread.
 *
 * <p>This state is not stored. A task that starts in between assumes that the times it knows are those at the markers. Only if the
 * time of all leaderboards moves at that moment, which it does three times a day, the output for it appears twice or not at all. The output
 * for rules appears twice if a leaderboard changes just before the promotion, and this task learns of it behind a marker first.
 */
final class GenerationCutover {

    private static final long NOT_YET = Long.MAX_VALUE;

    /** The version of a partition in which the rules of a tenant have not changed behind the marker. */
    private static final long UNCHANGED = -1;

    private final LeaderboardProgress watermarks;
    private final long[] clocksMs;

    /** By tenant, whose rules have changed behind a marker, and by partition of the log: the version at the marker. */
    private final Map<TenantId, long[]> versions = new HashMap<>();

    /** Whether another generation produces the output for the current message. */
    private boolean isSilent;

    GenerationCutover(LeaderboardProgress watermarks, int logPartitions) {
        this.watermarks = watermarks;
        this.clocksMs = new long[logPartitions];
        Arrays.fill(clocksMs, NOT_YET);
    }

    /** This generation is in force in a partition of the log from now on. @return whether it is in force in all partitions */
    boolean begin(int logPartition) {
        if (clocksMs[logPartition] == NOT_YET) {
            clocksMs[logPartition] = watermarks.clockMs(logPartition);
        }
        return Arrays.stream(clocksMs).noneMatch(clock -> clock == NOT_YET);
    }

    /** Called before a partition of the log reports the version of a tenant's rules, which may be another one. */
    void rulesChange(TenantId tenant, int logPartition, long version) {
        if (clocksMs[logPartition] == NOT_YET || version <= watermarks.version(tenant, logPartition)) {
            return;
        }
        long[] atMarkers = versions.computeIfAbsent(tenant, _ -> {
            var unchanged = new long[clocksMs.length];
            Arrays.fill(unchanged, UNCHANGED);
            return unchanged;
        });
        if (atMarkers[logPartition] == UNCHANGED) {
            atMarkers[logPartition] = watermarks.version(tenant, logPartition);
        }
    }

    /** The time up to which the former generation produces the output for time; {@link Long#MAX_VALUE} while no partition is in force. */
    long silentUntilMs() {
        return Arrays.stream(clocksMs).min().orElse(NOT_YET);
    }

    /** Begins another message. @param isSilentMessage whether another generation produces the output for it */
    void setSilent(boolean isSilentMessage) {
        isSilent = isSilentMessage;
    }

    /** Whether another generation produces the output for the current message. */
    boolean isSilent() {
        return isSilent;
    }

    /** Whether another generation has produced the output for time and rules up to now. */
    boolean isTimeSilent(TenantId tenant) {
        return watermarks.clockMs() <= silentUntilMs() && watermarks.newestVersion(tenant) <= formerVersion(tenant);
    }

    /** The newest version that the former generation has known, as far as the markers were read. */
    private long formerVersion(TenantId tenant) {
        long[] atMarkers = versions.get(tenant);
        if (atMarkers == null) {
            return watermarks.newestVersion(tenant);
        }
        long newest = 0;
        for (int partition = 0; partition < atMarkers.length; partition++) {
            newest = Math.max(
                    newest,
                    atMarkers[partition] == UNCHANGED ? watermarks.version(tenant, partition) : atMarkers[partition]);
        }
        return newest;
    }
}
