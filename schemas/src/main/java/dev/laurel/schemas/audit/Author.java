package dev.laurel.schemas.audit;

import dev.laurel.schemas.access.Actor;

/**
 * Who made a change.
 *
 * @param id the id of the key, or what identifies the person where people sign in
 * @param name the name at the time of the change; not unique
 */
public record Author(Type type, String id, String name) {

    /** What an author is. */
    public enum Type {
        /** An admin key. */
        KEY,
        /** A person who has signed in. */
        PERSON
    }

    /** Who makes a request to the admin API. */
    public static Author of(Actor actor) {
        return switch (actor) {
            case Actor.KeyHolder holder -> new Author(Type.KEY, holder.key().toString(), holder.name());
            case Actor.Person person -> new Author(Type.PERSON, person.subject(), person.name());
        };
    }
}
