package dev.laurel.schemas.audit;

import dev.laurel.schemas.access.Actor;

/**
 * The admin key or signed-in person that made a change.
 *
 * @param id the id of the key, or what identifies the person where people sign in
 * @param name the name at the time of the change; not unique
 */
public record Author(Type type, String id, String name) {

    /** What an author is. */
    public enum Type {
        /** An admin key. */
        KEY,
        /** A signed-in person. */
        PERSON
    }

    /** Returns the author of a request to the admin API. */
    public static Author of(Actor actor) {
        return switch (actor) {
            case Actor.KeyHolder holder -> new Author(Type.KEY, holder.key().toString(), holder.name());
            case Actor.Person person -> new Author(Type.PERSON, person.subject(), person.name());
        };
    }
}
