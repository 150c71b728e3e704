package dev.laurel.schemas.ruleset;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * The identity of an object of a ruleset. The identities of removed objects are kept, but for those that were removed long
 * before (docs/rulesets.md "Removed objects"): users keep their data under the number, and an object that returns with the same kind and
 * key continues with these data.
 */
public record ObjectIdentity(String kind, String key, int number, UUID id, Instant created) {

    /** The components of a document that hold the identity. */
    public Map<String, Object> components() {
        return components(key);
    }

    /** The components of an object of a points system. @param own its key in the points system */
    public Map<String, Object> components(String own) {
        return Map.of("key", own, "number", number, "id", id, "created", created);
    }
}
