package dev.laurel.processors.stream;

import dev.laurel.schemas.key.TenantId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How the leaderboards of a generation begin to tell. The partitions of the log come into force one after the other, within
 * moments; until all of them have, what one says may be told already, and what another says may not. A user's move is told
 * if its score is. What time and rules do follows from all partitions together: the generation before has done it up to the
 * time that the last of them had come to at its marker, and by the rules that stood before all markers, for these are
 * written in the same order everywhere. One task, one thread.
 *
 * <p>It is not kept. A task that starts amid it takes the time it knows for that of the markers: only if the time of all
 * leaderboards moved just then, which it does three times a day, is what follows from that told by none or by both.
 */
final class Opening {

    private static final long NOT_YET = Long.MAX_VALUE;

    private final Watermarks marks;
    private final long[] clocksMs;

    /** Of the first partition that came into force; null while none has. */
    private Map<TenantId, Long> versions;

    /** Whether the message at hand follows from a command that another generation tells of. */
    private boolean isSilent;

    Opening(Watermarks marks, int logPartitions) {
        this.marks = marks;
        this.clocksMs = new long[logPartitions];
        Arrays.fill(clocksMs, NOT_YET);
    }

    /** A partition of the log is in force from here on. @return whether all are */
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

    /** The time up to which all has been told of what time does; {@link Long#MAX_VALUE} while none is in force. */
    long toldToMs() {
        return Arrays.stream(clocksMs).min().orElse(NOT_YET);
    }

    void hear(boolean isSilentMessage) {
        isSilent = isSilentMessage;
    }

    /** Whether what the message at hand does is told by another generation. */
    boolean isSilent() {
        return isSilent;
    }

    /** Whether what time and rules do now has been told by another generation. */
    boolean isTimeSilent(TenantId tenant) {
        return marks.clockMs() <= toldToMs()
                && (versions == null || marks.newestVersion(tenant) <= versions.getOrDefault(tenant, 0L));
    }
}
