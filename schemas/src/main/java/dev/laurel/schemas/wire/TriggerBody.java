package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * application-api.md §2 "Points": a trigger as it is shown inside an award. Beside the fields of all, each type has its
 * own.
 *
 * @param timeUnit {@code hour} or {@code day}
 * @param eventAttribute the first of {@code eventAttributes}, for clients that know only one
 */
public record TriggerBody(UUID id, String type, long points, String status, Optional<UUID> metricId,
        Optional<String> metricName, Optional<Long> metricThreshold, Optional<UUID> achievementId,
        Optional<String> achievementName, Optional<Integer> streakLengthThreshold, Optional<String> timeUnit,
        Optional<Integer> timeInterval, List<AttributeFilterBody> userAttributes,
        Optional<List<AttributeFilterBody>> eventAttributes, Optional<AttributeFilterBody> eventAttribute,
        Instant created, Instant updated) {}
