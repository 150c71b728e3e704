package dev.laurel.core.engine;

import dev.laurel.core.user.LocalDays;
import dev.laurel.schemas.key.LogPosition;
import dev.laurel.schemas.key.UserKey;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The position of a command in the log and its time: everything that the core knows of the outside world. Offsets order the
 * commands of a partition; ids are derived from the first position of a command, see {@link LogPosition}.
 *
 * @param atMs the record's timestamp
 * @param first the position at which the command was first written
 * @param clockMs the time of this partition of the log by its ticks: runs of leaderboards that end before are final
 *            (docs/semantics.md §7)
 */
public record CommandContext(UserKey user, long atMs, int partition, long offset, LogPosition first, long clockMs) {

    /** The context of a command that was never copied. */
    public CommandContext(UserKey user, long atMs, int partition, long offset, long clockMs) {
        this(user, atMs, partition, offset, new LogPosition(LogPosition.FIRST_LOG, partition, offset), clockMs);
    }

    /** The context of a read at that time, which has no position in the log. Its results are not stored. */
    public static CommandContext ofRead(UserKey user, long atMs) {
        return new CommandContext(user, atMs, -1, -1, Long.MIN_VALUE);
    }

    /** Whether it is a read, see {@link #ofRead}. */
    boolean isRead() {
        return partition < 0;
    }

    /** Whether delivery does not send a message of this time, which is a day older than the clock of the log: that of an import. */
    public boolean isOutdated(long messageMs) {
        return messageMs + LocalDays.MS_PER_DAY < clockMs;
    }

    /** The id of an event without one from its producer: the same whenever the log, or a copy of it, is read. */
    UUID derivedEventId() {
        var name = first.isOfFirstLog()
                ? ByteBuffer.allocate(12)
                : ByteBuffer.allocate(16).putInt(first.log());
        return UUID.nameUUIDFromBytes(
                name.putInt(first.partition()).putLong(first.offset()).array());
    }
}
