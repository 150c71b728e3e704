package dev.laurel.processors.core.engine;

import dev.laurel.schemas.key.LogPlace;
import dev.laurel.schemas.key.UserKey;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The place of a command in the log and its time: all that the core knows of the outside world. The order is by offset, in
 * the partition from which the command is read; ids are made of the command's first place, see {@link LogPlace}.
 *
 * @param atMs the record's timestamp
 * @param first the place at which it was written first
 * @param clockMs the time to which ticks have brought this partition of the log: runs of leaderboards that end before it
 *            are final (docs/semantics.md §7)
 */
public record CommandContext(UserKey user, long atMs, int partition, long offset, LogPlace first, long clockMs) {

    /** The context of a command that was never copied. */
    public CommandContext(UserKey user, long atMs, int partition, long offset, long clockMs) {
        this(user, atMs, partition, offset, new LogPlace(LogPlace.FIRST_LOG, partition, offset), clockMs);
    }

    /** The context of a read at that time, which has no place in the log. Nothing that follows from it is kept. */
    public static CommandContext ofRead(UserKey user, long atMs) {
        return new CommandContext(user, atMs, -1, -1, Long.MIN_VALUE);
    }

    /** Whether it is a read, see {@link #ofRead}. */
    boolean isRead() {
        return partition < 0;
    }

    /** The id of an event whose producer gave none: the same on every reading of the log, or of a copy of it. */
    public UUID derivedEventId() {
        var name = first.isOfFirstLog() ? ByteBuffer.allocate(12) : ByteBuffer.allocate(16).putInt(first.log());
        return UUID.nameUUIDFromBytes(name.putInt(first.partition()).putLong(first.offset()).array());
    }
}
