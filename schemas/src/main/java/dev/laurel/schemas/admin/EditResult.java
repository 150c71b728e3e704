package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.ruleset.Ruleset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an {@link Edit} comes to.
 *
 * @param ruleset the next version, to be published; null if nothing changes
 * @param access to be written to {@code laurel.access} together with it, in this order, by key; null for what is deleted
 * @param status of the answer
 * @param body of the answer, to be written as JSON
 */
public record EditResult(Ruleset ruleset, Map<String, AccessRecord> access, int status, Object body) {

    public EditResult {
        access = Collections.unmodifiableMap(new LinkedHashMap<>(access));
    }

    /** One without secrets. */
    public EditResult(Ruleset ruleset, int status, Object body) {
        this(ruleset, Map.of(), status, body);
    }

    static EditResult answer(int status, Object body) {
        return new EditResult(null, status, body);
    }
}
