package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.List;

/**
 * One version in the history of a ruleset.
 *
 * @param added how many objects came with it, as {@code changed} and {@code removed}
 * @param objects the first of them by name
 */
public record RulesetVersionBody(long version, Instant published, int added, int changed, int removed,
        List<ChangedObject> objects) {

    /** @param object such as {@code metric 'laps'} */
    public record ChangedObject(String change, String object) {}
}
