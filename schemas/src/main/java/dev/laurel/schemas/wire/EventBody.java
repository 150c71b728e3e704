package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The answer to {@code POST /metrics/{key}/event}. While the result is not there yet ({@link #pending}), total and
 * streak are null.
 *
 * @param leaderboards absent from an answer to which leaderboards append theirs
 */
public record EventBody(UUID eventId, UUID metricId, BigDecimal total, List<AchievementBody> achievements,
        EventStreakBody currentStreak, Map<String, EventPointsBody> points,
        Optional<Map<String, Object>> leaderboards, Optional<String> idempotencyKey,
        Optional<Boolean> idempotentReplayed, Optional<Boolean> pending) {

    /** The event is in the log, its result is not known within the waiting time. */
    public static EventBody pending(UUID eventId, UUID metricId) {
        return new EventBody(eventId, metricId, null, List.of(), null, Map.of(), Optional.of(Map.of()),
                Optional.empty(),
                Optional.empty(), Optional.of(true));
    }
}
