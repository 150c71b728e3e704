package dev.laurel.bench;

import java.io.PrintStream;
import java.util.Locale;

/** Receives lines about the progress of a benchmark. */
@FunctionalInterface
interface Progress {

    void line(String line);

    /** Formats a line with decimal points. */
    default void line(String format, Object... values) {
        line(BenchResult.format(format, values));
    }

    /** Prints each line after the seconds since this call. */
    static Progress to(PrintStream out) {
        long startNanos = System.nanoTime();
        return line -> out.printf(Locale.ROOT, "%7.1f s  %s%n", (System.nanoTime() - startNanos) / 1e9, line);
    }
}
