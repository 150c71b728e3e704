package dev.laurel.schemas.access;

import dev.laurel.schemas.access.AccessRecord.AdminKey;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The author of a request to the admin API: the holder of an admin key, or a person who has signed in at the company's provider.
 * Contains no secret, so it may be stored and logged.
 */
public sealed interface Actor {

    /** The name of the key, or that of the person at the provider; for people to read, and not unique. */
    String name();

    /** The role at the time of the request. */
    Role role();

    /** Customer id of the tenant that the actor is bound to; null: none. */
    @Nullable
    String tenant();

    /** A program or a person with an admin key, directly or by a session. @param key id of the key */
    record KeyHolder(UUID key, String name, Role role, @Nullable String tenant) implements Actor {

        public static KeyHolder of(AdminKey key) {
            return new KeyHolder(key.id(), key.name(), key.role(), key.tenant());
        }
    }

    /** A person. @param subject the provider's id of the person, which never changes */
    record Person(String subject, String name, Role role, @Nullable String tenant) implements Actor {}
}
