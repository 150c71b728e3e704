package dev.laurel.schemas.key;

/** A tenant of a multi-tenant instance, named by its customer id; {@link #NONE} where multi-tenancy is off. */
public record TenantId(String value) {

    public static final TenantId NONE = new TenantId("");

    public TenantId {
        if (value.length() > 255) {
            throw new IllegalArgumentException("a tenant id has at most 255 characters");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
