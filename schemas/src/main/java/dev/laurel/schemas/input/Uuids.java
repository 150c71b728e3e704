package dev.laurel.schemas.input;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ids as clients write them. */
public final class Uuids {

    private Uuids() {}

    /** The id that this text is, upper case or lower, in the one form with all of its digits; null if it is none. */
    public static @Nullable UUID parse(String text) {
        try {
            UUID id = UUID.fromString(text);
            // Java takes shorter groups, too, and fills them up.
            return id.toString().equalsIgnoreCase(text) ? id : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}
