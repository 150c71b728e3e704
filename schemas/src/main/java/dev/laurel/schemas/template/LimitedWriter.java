package dev.laurel.schemas.template;

import java.io.Writer;
import org.jspecify.annotations.Nullable;

/** Collects the text of a template in memory, and limits its length and the work of rendering. For one thread. */
final class LimitedWriter extends Writer {

    /** Limits look-ups and iterations to some milliseconds of work. */
    private static final int MAX_STEPS = 100_000;

    /** Ends the rendering engine. */
    static final class LimitException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private LimitException(String message) {
            super(message, null, false, false);
        }
    }

    private final StringBuilder written = new StringBuilder();
    private final int maxLength;
    private int steps;
    private @Nullable String exceeded;

    LimitedWriter(int maxLength) {
        this.maxLength = maxLength;
    }

    /** Must be called before each look-up. */
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

    private LimitException end(String why) {
        exceeded = why;
        return new LimitException(why);
    }

    /** The limit that ended the rendering; null if none did. */
    @Nullable
    String exceeded() {
        return exceeded;
    }

    String written() {
        return written.toString();
    }

    @Override
    public void flush() {
        // The text is in memory.
    }

    @Override
    public void close() {
        // The text is in memory.
    }
}
