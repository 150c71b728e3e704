package dev.laurel.core.user;

import dev.laurel.schemas.input.Uuids;
import java.util.Comparator;
import java.util.UUID;

/**
 * An application key in the list of its user, without what would make it valid.
 *
 * @param isReading whether it only reads
 * @param expiresMs {@link #NEVER} if it does not expire
 * @param usedMs a time at which it was used; {@link #NEVER} if none was noted
 */
public record IssuedKey(UUID id, long createdMs, boolean isReading, long expiresMs, long usedMs) {

    public static final long NEVER = Long.MAX_VALUE;

    public static final Comparator<IssuedKey> BY_AGE = Comparator.comparingLong(IssuedKey::createdMs)
            .thenComparing(IssuedKey::id, Uuids.BY_BYTES);

    /** A key that was not used yet. */
    public IssuedKey(UUID id, long createdMs, boolean isReading, long expiresMs) {
        this(id, createdMs, isReading, expiresMs, NEVER);
    }
}
