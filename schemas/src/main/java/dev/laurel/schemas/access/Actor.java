package dev.laurel.schemas.access;

import dev.laurel.schemas.audit.AuditRecord.Author;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The author of a request to the admin API, with what the author may do. Contains no secret, so it may be stored and logged.
 *
 * @param role the role at the time of the request
 * @param tenant customer id of the tenant that the author is bound to; null: none
 */
public record Actor(Author author, Role role, @Nullable String tenant) {

    /** A program or a person with an admin key, directly or by a session. @param key id of the key */
    public static Actor ofKey(UUID key, String name, Role role, @Nullable String tenant) {
        return new Actor(new Author(Author.Type.KEY, key.toString(), name), role, tenant);
    }

    /** A person who has signed in at the company's provider. @param subject the provider's id of the person, which never changes */
    public static Actor ofPerson(String subject, String name, Role role, @Nullable String tenant) {
        return new Actor(new Author(Author.Type.PERSON, subject, name), role, tenant);
    }

    /** The name of the key, or that of the person at the provider; for people to read, and not unique. */
    public String name() {
        return author.name();
    }
}
