package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.ruleset.edit.RulesetSource;

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
