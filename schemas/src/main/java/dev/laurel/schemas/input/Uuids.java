package dev.laurel.schemas.input;

import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads UUIDs of foreign input, and orders UUIDs. */
public final class Uuids {

    /** The order of the bytes of ids, which is that of stores. {@code UUID} itself compares signed numbers. */
    public static final Comparator<UUID> BY_BYTES = Comparator.comparing(
                    UUID::getMostSignificantBits, Long::compareUnsigned)
            .thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned);

    private Uuids() {}

    /** Like {@link #parse}. @throws IllegalArgumentException if the text is not a UUID */
    public static UUID read(String text) {
        UUID id = parse(text);
        if (id == null) {
            throw new IllegalArgumentException("must be a UUID");
        }
        return id;
    }

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
