package dev.laurel.schemas.input;

import java.time.ZoneId;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The IANA time zones by name. Offsets such as {@code +02:00} are not accepted, because they have no daylight saving time.
 */
public final class Zones {

    private static final Map<String, ZoneId> BY_NAME = ZoneId.getAvailableZoneIds().stream()
            .collect(Collectors.toUnmodifiableMap(Function.identity(), ZoneId::of));

    private Zones() {}

    public static @Nullable ZoneId byName(String name) {
        return BY_NAME.get(name);
    }
}
