package dev.laurel.schemas.key;

/**
 * Where a command stood first. A log may be copied into a wider one; what ids are made of the place of a command stays the
 * same by this, and no place of one log is taken for one of another.
 *
 * @param log 1 for the log that an instance begins with, else the number of the generation that brought it
 */
public record LogPosition(int log, int partition, long offset) {

    /** The log that an instance begins with. */
    public static final int FIRST_LOG = 1;

    /** Whether it is a place of the log that an instance begins with. */
    public boolean isOfFirstLog() {
        return log == FIRST_LOG;
    }
}
