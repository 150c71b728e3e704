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
 * rules before all markers, since the markers of rules and generations have the same order in every partition. One task, one thread.
 *
 * <p>This state is not stored. A task that starts in between assumes that the times it knows are those at the markers. Only if the
 * time of all leaderboards moves at that moment, which it does three times a day, the output for it appears twice or not at all.
 */
final class GenerationCutover {

    private static final long NOT_YET = Long.MAX_VALUE;

    private final Watermarks watermarks;
    private final long[] clocksMs;

    private static final int NONE = -1;

    /** The first partition in which this generation came into force; {@link #NONE} while there is none. */
    private int first = NONE;

    /** The ruleset versions of that partition at that time, of the tenants whose rules have changed there since. */
    private final Map<TenantId, Long> formerVersions = new HashMap<>();

    /** Whether another generation produces the output for the current message. */
    private boolean isSilent;

    GenerationCutover(Watermarks watermarks, int logPartitions) {
        this.watermarks = watermarks;
        this.clocksMs = new long[logPartitions];
        Arrays.fill(clocksMs, NOT_YET);
    }

    /** This generation is in force in a partition of the log from now on. @return whether it is in force in all partitions */
    boolean begin(int logPartition) {
        if (clocksMs[logPartition] == NOT_YET) {
            clocksMs[logPartition] = watermarks.clockMs(logPartition);
            if (first == NONE) {
                first = logPartition;
            }
        }
        return Arrays.stream(clocksMs).noneMatch(clock -> clock == NOT_YET);
    }

    /** Called before a partition of the log uses other rules of a tenant. */
    void rulesChange(TenantId tenant, int logPartition) {
        if (logPartition == first) {
            formerVersions.putIfAbsent(tenant, watermarks.version(tenant, first));
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
        return watermarks.clockMs() <= silentUntilMs()
                && (first == NONE || watermarks.newestVersion(tenant) <= versionAtMarker(tenant));
    }

    private long versionAtMarker(TenantId tenant) {
        Long former = formerVersions.get(tenant);
        return former == null ? watermarks.version(tenant, first) : former;
    }
}
