package dev.laurel.schemas.http;

import dev.laurel.schemas.key.UserId;

/** Who may call. */
public interface ApiKeys {

    /** What a key lets its holder do. */
    sealed interface Principal {

        /** Everything, for all users. */
        record Admin() implements Principal {}

        /** The application API, for this user. */
        record ApplicationUser(UserId user) implements Principal {}
    }

    /** The holder of this key; null if it is none of ours. Compares in constant time. */
    Principal principalOf(String key);
}
