package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.ruleset.Ruleset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an {@link Edit}.
 *
 * @param ruleset the next version, to be published; null if nothing changes
 * @param access records to be written to {@code laurel.access} together with it, by key and in this order; null: delete
 * @param status status of the answer
 * @param body body of the answer, to be written as JSON
 */
public record EditResult(@Nullable Ruleset ruleset, Map<String, @Nullable AccessRecord> access, int status,
        Object body) {

    public EditResult {
        access = Collections.unmodifiableMap(new LinkedHashMap<>(access));
    }

    static EditResult answer(int status, Object body) {
        return new EditResult(null, Map.of(), status, body);
    }
}
