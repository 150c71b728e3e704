package dev.laurel.schemas.key;

/** A tenant of a multi-tenant instance, named by its customer id; {@link #NONE} where multi-tenancy is off. */
public record TenantId(String value) {

    public static final int MAX_LENGTH = 255;

    public static final TenantId NONE = new TenantId("");

    public TenantId {
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a tenant id has at most " + MAX_LENGTH + " characters");
        }
        if (!UnicodeText.isWellFormed(value)) {
            throw new IllegalArgumentException("a tenant id must be valid Unicode text");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
