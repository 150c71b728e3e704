package dev.laurel.warehouse;

/** A column of a table. Values are null only where this is allowed. */
public record Column(String name, Type type, boolean isNullable) {

    static final Column TENANT = of("tenant", Type.TEXT);
    static final Column USER = of("user_id", Type.TEXT);

    /** Whether the row comes from the store of users, which has what is newest. */
    static final Column NEWEST = of("newest", Type.BOOLEAN);

    /** The types of values, with the classes that rows have them in. */
    public enum Type {
        /** {@link String}, without the character U+0000, which PostgreSQL cannot store. */
        TEXT,
        /** A {@link String} with JSON. */
        JSON,
        /** {@link Boolean}. */
        BOOLEAN,
        /** {@link Integer}. */
        INTEGER,
        /** {@link Long}. */
        BIGINT,
        /** {@link java.math.BigDecimal}, with at most {@link #SCALE} fractional digits. */
        DECIMAL,
        /** {@link java.time.LocalDate}. */
        DATE,
        /** {@link java.time.Instant}. */
        TIMESTAMP;

        /** The fractional digits of the values of events. */
        public static final int SCALE = 9;
    }

    static Column of(String name, Type type) {
        return new Column(name, type, false);
    }

    static Column nullable(String name, Type type) {
        return new Column(name, type, true);
    }
}
