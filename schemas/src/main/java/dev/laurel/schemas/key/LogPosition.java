package dev.laurel.schemas.key;

/**
 * The original position of a command, from which ids are derived. It stays the same if the log is copied into a wider one, and
 * positions of different logs differ.
 *
 * @param log 1 for the first log of an instance, otherwise the number of the generation that introduced the log
 */
public record LogPosition(int log, int partition, long offset) {

    /** The first log of an instance. */
    public static final int FIRST_LOG = 1;

    /** Whether the position is in the first log of an instance. */
    public boolean isOfFirstLog() {
        return log == FIRST_LOG;
    }
}
