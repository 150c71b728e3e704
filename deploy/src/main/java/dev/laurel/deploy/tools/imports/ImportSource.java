package dev.laurel.deploy.tools.imports;

import java.io.IOException;

/**
 * Where an import comes from: a sequence of entries that is the same each time it is read, so that an import can go on
 * where another one ended. Used by one thread.
 */
interface ImportSource extends AutoCloseable {

    /** What tells this source from others, to be remembered with the progress made in it. */
    String fingerprint() throws IOException;

    /** Whether progress that was made in the source of this fingerprint is progress in this one. */
    boolean matches(String fingerprint) throws IOException;

    /** Goes on behind {@code place}; before the first {@link #next}. */
    void skipTo(Place place) throws IOException;

    /** The next entry, null at the end. */
    ImportEntry next() throws IOException;

    @Override
    void close() throws IOException;
}
