package dev.laurel.schemas.input;

import java.time.ZoneId;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The IANA time zones by name. Only names of the tz database are zones here: an offset such as {@code +02:00} knows no
 * daylight saving, so it is refused rather than taken for a place.
 */
public final class Zones {

    private static final Map<String, ZoneId> BY_NAME = ZoneId.getAvailableZoneIds().stream()
            .collect(Collectors.toUnmodifiableMap(Function.identity(), ZoneId::of));

    private Zones() {}

    /** The zone of this name, null if there is none. */
    public static @Nullable ZoneId byName(String name) {
        return BY_NAME.get(name);
    }
}
