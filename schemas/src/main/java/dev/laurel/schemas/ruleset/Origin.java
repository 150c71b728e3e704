package dev.laurel.schemas.ruleset;

/**
 * What the keys of a {@link RulesetSource} alone do not say about an object: without an origin, one that has the kind and key
 * of another that was there before is that other one.
 */
public sealed interface Origin {

    /** A new object, though one that was taken out may have had its key. */
    record Fresh(String kind, String key) implements Origin {}

    /** The object that was called {@code from}. */
    record Renamed(String kind, String from, String to) implements Origin {}

    /** The one that is of this kind and key is this object of before, by its id, whoever has had the key since. */
    record Earlier(ObjectIdentity object) implements Origin {}
}
