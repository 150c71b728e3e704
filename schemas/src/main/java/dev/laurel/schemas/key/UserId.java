package dev.laurel.schemas.key;

import dev.laurel.schemas.input.UnicodeText;
import org.jspecify.annotations.Nullable;

/** The client's own identifier of a user: well-formed text of 1 to 255 characters. */
public record UserId(String value) {

    public static final int MAX_LENGTH = 255;

    public UserId {
        String problem = problemWith(value);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** The problem of a user id; null if it is valid. */
    public static @Nullable String problemWith(String id) {
        if (id.isEmpty()) {
            return "must not be empty";
        }
        if (id.length() > MAX_LENGTH) {
            return "must have at most " + MAX_LENGTH + " characters, has " + id.length();
        }
        // Ids that differ only in unpaired surrogates would have the same bytes, and so identify the same user.
        return UnicodeText.isWellFormed(id) ? null : "must be valid Unicode text";
    }

    @Override
    public String toString() {
        return value;
    }
}
