package dev.laurel.processors.core.user;

import dev.laurel.schemas.access.Role;
import java.util.Comparator;
import java.util.UUID;

/**
 * An application key in the list of its user, without what would make it valid.
 *
 * @param role {@link Role#VIEWER} or {@link Role#SUPPORT}
 * @param expiresMs {@link #NEVER} if it does not expire
 */
public record IssuedKey(UUID id, long createdMs, Role role, long expiresMs) {

    public static final long NEVER = Long.MAX_VALUE;

    public static final Comparator<IssuedKey> BY_AGE = Comparator.comparingLong(IssuedKey::createdMs)
            .thenComparing(IssuedKey::id);
}
