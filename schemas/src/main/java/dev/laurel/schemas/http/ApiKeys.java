package dev.laurel.schemas.http;

/** Who may call. */
public interface ApiKeys {

    /** What a key lets its holder do. */
    sealed interface Principal {

        /** Everything, for all users. */
        record Admin() implements Principal {}
    }

    /** The holder of this key; null if it is none of ours. Compares in constant time. */
    Principal principalOf(String key);
}
