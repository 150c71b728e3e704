package dev.laurel.schemas.ruleset;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * An object that was taken out of the ruleset. What users have of it is kept under its number, so a later version that
 * names the same kind and key again goes on where it ended.
 */
public record ObjectIdentity(String kind, String key, int number, UUID id, Instant created) {

    /** What documents of objects have in components of these names. */
    Map<String, Object> components() {
        return components(key);
    }

    /** The same of an object within a points system. @param own its key there */
    Map<String, Object> components(String own) {
        return Map.of("key", own, "number", number, "id", id, "created", created);
    }
}
