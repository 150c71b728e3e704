package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.ruleset.edit.RulesetSource;
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

    /**
     * The origin of an object of a {@link RulesetSource} whose key does not identify it. Without an origin, an object is identical
     * to the former object of the same kind and key.
     */
    public sealed interface Origin {

        /** A new object, even if a removed object had its key. */
        record Fresh(String kind, String key) implements Origin {}

        /** The object whose key was {@code from}. */
        record Renamed(String kind, String from, String to) implements Origin {}

        /** An object of an earlier version, identified by its id, even if another object has had its key since. */
        record Earlier(ObjectIdentity object) implements Origin {}
    }
}
