package dev.laurel.schemas.key;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.input.UnicodeText;

/** The customer id of a tenant; {@link #NONE} if multi-tenancy is off. */
public record TenantId(String value) implements Comparable<TenantId> {

    public static final int MAX_LENGTH = 255;

    public static final TenantId NONE = new TenantId("");

    public TenantId {
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("must have at most " + MAX_LENGTH + " characters");
        }
        if (!UnicodeText.isWellFormed(value)) {
            throw new IllegalArgumentException("must be valid Unicode text");
        }
    }

    /** The key of records that concern the whole tenant. */
    public byte[] bytes() {
        return value.getBytes(UTF_8);
    }

    @Override
    public int compareTo(TenantId other) {
        return UnicodeText.ORDER.compare(value, other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
