package dev.laurel.schemas.wire;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * admin-api.md A5.
 *
 * @param status as it is now
 * @param startTime {@code HH:mm} or {@code HH:mm:ss}, as is {@code endTime}
 * @param breakdownAttributes ids of user attributes
 */
public record LeaderboardConfigBody(UUID id, String name, String key, Optional<String> description, String status,
        String rankBy, Optional<UUID> metricId, Optional<UUID> pointsSystemId, int maxParticipants, LocalDate start,
        Optional<LocalDate> end, Optional<String> startTime, Optional<String> endTime, List<UUID> breakdownAttributes,
        Optional<String> runUnit, Optional<Integer> runInterval) implements AdminBody {}
