package dev.laurel.schemas.wire;

import dev.laurel.schemas.wire.EditBody.IssueBody;
import dev.laurel.schemas.wire.EditBody.VariantBody;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import dev.laurel.schemas.wire.PointsSystemBody.BaseSystemBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelBody;
import dev.laurel.schemas.wire.StreakBody.BaseStreakBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@code POST /metrics/{key}/event}. While the result is {@link #pending}, total and streak are null.
 *
 * @param leaderboards absent while the leaderboards add their parts
 */
public record EventBody(
        UUID eventId,
        UUID metricId,
        @Nullable BigDecimal total,
        List<AchievementBody> achievements,
        @Nullable EventStreakBody currentStreak,
        Map<String, EventPointsBody> points,
        Optional<Map<String, Object>> leaderboards,
        Optional<String> idempotencyKey,
        Optional<Boolean> idempotentReplayed,
        Optional<Boolean> pending) {

    /** The body if the result is not known within the waiting time; the event is in the log. */
    public static EventBody pending(UUID eventId, UUID metricId) {
        return new EventBody(
                eventId,
                metricId,
                null,
                List.of(),
                null,
                Map.of(),
                Optional.of(Map.of()),
                Optional.empty(),
                Optional.empty(),
                Optional.of(true));
    }

    /** docs/application-api.md §2 "Points": the changes of one event in one points system. */
    public record EventPointsBody(
            BaseSystemBody base, long total, long added, Optional<Present<LevelBody>> level, List<AwardBody> awards)
            implements VariantBody {}

    /** docs/application-api.md §2 "Streak", in an event response. */
    public record EventStreakBody(BaseStreakBody base, boolean extended) implements VariantBody {}

    /**
     * The answer to a batch of events (docs/admin-api.md A3).
     *
     * @param accepted number of events that are in the log
     * @param issues the other events by index; absent if there are none
     */
    public record BatchBody(int accepted, Optional<List<IssueBody>> issues) {}

    /**
     * One period of an event summary of a metric or a points system (docs/application-api.md §4).
     *
     * @param date first day of the period
     * @param total total at the end of the period
     * @param change net change within the period
     */
    public record EventSummaryBody(LocalDate date, BigDecimal total, BigDecimal change) {}

    /**
     * The answer to {@code POST /achievements/{key}/complete}. While the result is {@link #pending}, the id of the
     * completion and the achievement are null.
     *
     * @param points the points systems that the completion changed, by key
     */
    public record CompletionBody(
            @Nullable UUID completionId,
            @Nullable AchievementBody achievement,
            Map<String, EventPointsBody> points,
            Optional<Boolean> pending) {

        /** The body if the result is not known within the waiting time; the request is in the log. */
        public static CompletionBody ofPending() {
            return new CompletionBody(null, null, Map.of(), Optional.of(true));
        }
    }

    /** The answer to a tick. @param more whether another tick of the same time would have an effect */
    public record TickBody(boolean more) {}
}
