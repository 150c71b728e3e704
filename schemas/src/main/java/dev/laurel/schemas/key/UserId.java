package dev.laurel.schemas.key;

import dev.laurel.schemas.input.UnicodeText;
import org.jspecify.annotations.Nullable;

/**
 * The client's own identifier of a user: 1 to 255 characters, any text that UTF-8 can carry. The constructor enforces
 * it, so a {@code UserId} at hand is always a valid one.
 */
public record UserId(String value) {

    public static final int MAX_LENGTH = 255;

    public UserId {
        String problem = problemWith(value);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** What is wrong with {@code id} as a user id, in words for the caller; null if nothing is. */
    public static @Nullable String problemWith(String id) {
        if (id.isEmpty()) {
            return "must not be empty";
        }
        if (id.length() > MAX_LENGTH) {
            return "must have at most " + MAX_LENGTH + " characters, has " + id.length();
        }
        // Two ids that differ only in unpaired surrogates would become the same bytes, and so the same user.
        return UnicodeText.isWellFormed(id) ? null : "must be valid Unicode text";
    }

    @Override
    public String toString() {
        return value;
    }
}
