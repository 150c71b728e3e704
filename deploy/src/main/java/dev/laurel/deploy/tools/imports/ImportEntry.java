package dev.laurel.deploy.tools.imports;

/** One entry of a source, in the source's order. */
sealed interface ImportEntry {

    /** The place behind it. */
    Place place();

    /**
     * A command, ready for the log.
     *
     * @param timeMs its time, in milliseconds since 1970
     * @param key of the record: the user
     * @param value of the record: the command as JSON
     */
    record Ready(Place place, long timeMs, byte[] key, byte[] value) implements ImportEntry {}

    /** What cannot be imported, with the reason in words for people. */
    record Refused(Place place, String reason, String text) implements ImportEntry {}
}
