package dev.laurel.processors.core.analytics;

import java.math.BigDecimal;

/** Takes the changes of counters of one user's segments. */
public interface Counts {

    /** @param object the number of an object of the ruleset; 0 if the kind has none */
    void add(Counter counter, int object, int cell, long change);

    /** @param counter of a kind of decimal numbers */
    void add(Counter counter, int object, int cell, BigDecimal change);

    /** Adds to all cells from {@code first} to {@code last}. */
    default void addToAll(Counter counter, int object, int first, int last, long change) {
        for (int cell = first; cell <= last; cell++) {
            add(counter, object, cell, change);
        }
    }
}
