package dev.laurel.schemas.input;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads UUIDs of foreign input. */
public final class Uuids {

    private Uuids() {}

    /** Reads a UUID with all its digits, in upper or lower case; null if the text is not a UUID. */
    public static @Nullable UUID parse(String text) {
        try {
            UUID id = UUID.fromString(text);
            // Java also accepts shorter groups.
            return id.toString().equalsIgnoreCase(text) ? id : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}
