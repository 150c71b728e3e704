package dev.laurel.schemas.key;

import dev.laurel.schemas.input.UnicodeText;
import org.jspecify.annotations.Nullable;

/**
 * The client's own identifier of a user: well-formed text of 1 to 255 UTF-16 characters. Input that may create a user must
 * also keep to {@link #problemWithNew}; earlier versions did not check that, so stored ids may not. In the order of code points.
 */
public record UserId(String value) implements Comparable<UserId> {

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

    /**
     * The problem of an id that input gives to a user who may be new; null if it is valid. Such a user could not be named in a path:
     * HTTP servers refuse U+0000, and clients and proxies take segments of one or two dots out of it, also percent-encoded ones.
     */
    public static @Nullable String problemWithNew(String id) {
        String problem = problemWith(id);
        if (problem == null && id.indexOf('\0') >= 0) {
            return "must not contain the character U+0000";
        }
        return problem == null && (id.equals(".") || id.equals(".."))
                ? "must not be . or .., which clients and proxies take out of paths"
                : problem;
    }

    @Override
    public int compareTo(UserId other) {
        return UnicodeText.ORDER.compare(value, other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
