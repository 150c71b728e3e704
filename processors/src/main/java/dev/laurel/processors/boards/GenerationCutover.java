package dev.laurel.processors.boards;

import dev.laurel.schemas.key.TenantId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides which output the leaderboards of a generation produce while it comes into force. Its partitions of the log do so one after
 * the other, within moments; in between, this generation produces the output for some partitions and the former one for others. The
 * output for a score is produced where the score's is. The output for time and rules follows from all partitions together: the former
 * generation produces it up to the least of the times at the markers, under the rules before all markers, since the markers of rules
 * and generations have the same order in every partition. One task, one thread.
 *
 * <p>This state is not stored. A task that starts in between assumes that the times it knows are those at the markers. Only if the
 * time of all leaderboards moves at that moment, which it does three times a day, does the output for it appear twice or not at all.
 */
final class GenerationCutover {

    private static final long NOT_YET = Long.MAX_VALUE;

    private final Watermarks marks;
    private final long[] clocksMs;

    /** The versions in force in the first partition that came into force; null while none has. */
    private Map<TenantId, Long> versions;

    /** Whether another generation produces the output for the current message. */
    private boolean isSilent;

    GenerationCutover(Watermarks marks, int logPartitions) {
        this.marks = marks;
        this.clocksMs = new long[logPartitions];
        Arrays.fill(clocksMs, NOT_YET);
    }

    /** A partition of the log is in force from now on. @return whether all partitions are */
    boolean begin(int logPartition) {
        if (clocksMs[logPartition] == NOT_YET) {
            clocksMs[logPartition] = marks.clockMs(logPartition);
            if (versions == null) {
                versions = new HashMap<>();
                marks.tenants().forEach(tenant -> versions.put(tenant, marks.version(tenant, logPartition)));
            }
        }
        return Arrays.stream(clocksMs).noneMatch(clock -> clock == NOT_YET);
    }

    /** The time up to which the former generation produces the output for time; {@link Long#MAX_VALUE} while no partition is in force. */
    long toldToMs() {
        return Arrays.stream(clocksMs).min().orElse(NOT_YET);
    }

    void hear(boolean isSilentMessage) {
        isSilent = isSilentMessage;
    }

    /** Whether another generation produces the output for the current message. */
    boolean isSilent() {
        return isSilent;
    }

    /** Whether another generation has produced the output for time and rules up to now. */
    boolean isTimeSilent(TenantId tenant) {
        return marks.clockMs() <= toldToMs()
                && (versions == null || marks.newestVersion(tenant) <= versions.getOrDefault(tenant, 0L));
    }
}
