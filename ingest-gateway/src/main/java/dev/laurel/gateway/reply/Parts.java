package dev.laurel.gateway.reply;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * What others than its sender have to add to an answer.
 *
 * @param there the parts that came, by name, in the order in which the answer names them
 * @param missing names of those that did not come in time, in that order
 */
public record Parts(SequencedMap<String, byte[]> there, List<String> missing) {

    /** The answer is whole by itself. */
    public static final Parts NONE = new Parts(new LinkedHashMap<>(), List.of());

    public Parts {
        there = Collections.unmodifiableSequencedMap(there);
        missing = List.copyOf(missing);
    }

    /** Whether the answer is whole by itself. */
    public boolean areNone() {
        return there.isEmpty() && missing.isEmpty();
    }
}
