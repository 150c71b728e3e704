package dev.laurel.platform.metrics;

import org.jspecify.annotations.Nullable;

/**
 * The name, unit and help text of a meter.
 *
 * @param name name in Micrometer's form, such as {@code laurel.http.requests}; Prometheus shows it with underscores,
 *         the unit, and {@code _total} for counters
 * @param unit {@code bytes} or {@code seconds}; null for a plain number
 */
public record MeterName(String name, @Nullable String unit, String help) {

    /** A meter without a unit. */
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
