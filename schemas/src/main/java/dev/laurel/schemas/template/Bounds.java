package dev.laurel.schemas.template;

import java.io.Writer;

/** Takes what is written, and ends the work when it is too much. One thread. */
final class Bounds extends Writer {

    /** Looked up, or gone through in lists: milliseconds. */
    private static final int MAX_STEPS = 100_000;

    /** Thrown through the engine. */
    static final class Reached extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private Reached(String message) {
            super(message, null, false, false);
        }
    }

    private final StringBuilder written = new StringBuilder();
    private final int maxLength;
    private int steps;
    private String reached;

    Bounds(int maxLength) {
        this.maxLength = maxLength;
    }

    /** Before each value that is looked at. */
    void step() {
        if (++steps > MAX_STEPS) {
            throw end("The template takes too much work: sections of lists in one another.");
        }
    }

    @Override
    public void write(char[] buffer, int offset, int length) {
        if (length > maxLength - written.length()) {
            throw end("The text is longer than " + maxLength + " characters.");
        }
        written.append(buffer, offset, length);
    }

    private Reached end(String why) {
        reached = why;
        return new Reached(why);
    }

    /** Why it was ended; null if it was not. */
    String reached() {
        return reached;
    }

    String written() {
        return written.toString();
    }

    @Override
    public void flush() {
        // It is all in memory.
    }

    @Override
    public void close() {
        // As before.
    }
}
