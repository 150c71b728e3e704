package dev.laurel.deploy.tools.imports;

import java.io.IOException;

/**
 * A sequence of entries that is the same each time it is read, so that an import can be continued. Used by one
 * thread.
 */
interface ImportSource extends AutoCloseable {

    /** Returns a text that identifies this source; saved with the progress. */
    String fingerprint() throws IOException;

    /** Returns whether progress of the source with this fingerprint applies to this source. */
    boolean matches(String fingerprint) throws IOException;

    /** Continues after {@code place}; must be called before the first {@link #next}. */
    void skipTo(Position place) throws IOException;

    /** Returns the next entry, null at the end. */
    Entry next() throws IOException;

    @Override
    void close() throws IOException;

    /**
     * A position in a source, after the entries that are complete.
     *
     * @param number number of the last line or entry, from 1; 0 at the start
     * @param position start of the next entry in units of the source, such as bytes
     */
    record Position(long number, long position) {

        static final Position START = new Position(0, 0);
    }

    /** An entry of a source. */
    sealed interface Entry {

        /** Position after this entry. */
        ImportSource.Position place();

        /**
         * A command for the log.
         *
         * @param timeMs its time in milliseconds since 1970
         * @param key record key: the user
         * @param value record value: the command as JSON
         */
        record Ready(ImportSource.Position place, long timeMs, byte[] key, byte[] value) implements Entry {}

        /** An entry that cannot be imported, with the reason for people. */
        record Refused(ImportSource.Position place, String reason, String text) implements Entry {}
    }
}
