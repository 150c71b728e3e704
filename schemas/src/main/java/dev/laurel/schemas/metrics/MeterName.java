package dev.laurel.schemas.metrics;

import java.util.Objects;

/**
 * What a meter is called and what it tells.
 *
 * @param name in Micrometer's way, {@code laurel.http.requests}; Prometheus gets it with underscores, the unit, and
 *        {@code _total} where it counts
 * @param unit {@code bytes} or {@code seconds}; null for a number of things
 */
public record MeterName(String name, String unit, String help) {

    public MeterName {
        Objects.requireNonNull(help, name);
    }

    /** Of a number of things. */
    public static MeterName of(String name, String help) {
        return new MeterName(name, null, help);
    }

    public static MeterName ofBytes(String name, String help) {
        return new MeterName(name, "bytes", help);
    }

    public static MeterName ofSeconds(String name, String help) {
        return new MeterName(name, "seconds", help);
    }
}
