package dev.laurel.deploy.tools.imports;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of entries that is the same each time it is read, so that an import can be continued. Used by one
 * thread.
 */
public interface ImportSource extends AutoCloseable {

    /** Returns the position from which the next entry is read. */
    Position position();

    /**
     * Continues after a position of an earlier run; called before the first {@link #next}, if at all.
     *
     * @return why this source cannot be continued there, because what is before the position is not what it was; null: it can
     */
    @Nullable
    String skipTo(Position position) throws IOException;

    /** Returns the next entry, null at the end. */
    @Nullable
    Entry next() throws IOException;

    @Override
    void close() throws IOException;

    /**
     * A position in a source, after the entries that are complete.
     *
     * @param number number of the last line or entry, from 1; 0 at the start
     * @param offset start of the next entry in units of the source, such as bytes
     * @param before text by which the source recognizes what is before the position
     */
    record Position(long number, long offset, String before) {}

    /** An entry of a source. */
    sealed interface Entry {

        /** Position after this entry. */
        Position position();

        /**
         * A command for the log.
         *
         * @param timeMs its time in milliseconds since 1970
         * @param key record key: the user
         * @param value record value: the command as JSON
         */
        record Ready(Position position, long timeMs, byte[] key, byte[] value) implements Entry {}

        /**
         * An entry that cannot be imported, with the reason for people.
         *
         * @param position after it, or before it if another run can read more of it
         */
        record Refused(long number, Position position, String reason, String text) implements Entry {}
    }
}
