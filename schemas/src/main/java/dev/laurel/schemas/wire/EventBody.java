package dev.laurel.schemas.wire;

import dev.laurel.schemas.wire.EditBody.IssueBody;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@code POST /metrics/{key}/event}. While the result is not there yet ({@link #pending}), total and
 * streak are null.
 *
 * @param leaderboards absent from an answer to which leaderboards append theirs
 */
public record EventBody(UUID eventId, UUID metricId, @Nullable BigDecimal total, List<AchievementBody> achievements,
        @Nullable EventStreakBody currentStreak, Map<String, EventPointsBody> points,
        Optional<Map<String, Object>> leaderboards, Optional<String> idempotencyKey,
        Optional<Boolean> idempotentReplayed, Optional<Boolean> pending) {

    /** The event is in the log, its result is not known within the waiting time. */
    public static EventBody pending(UUID eventId, UUID metricId) {
        return new EventBody(eventId, metricId, null, List.of(), null, Map.of(), Optional.of(Map.of()),
                Optional.empty(),
                Optional.empty(), Optional.of(true));
    }

    /** docs/application-api.md §2 "Points": what one event changed in one system. */
    public record EventPointsBody(UUID id, String key, String name, @Nullable String description,
            @Nullable String badgeUrl,
            @Nullable Long maxPoints,
            long total, long added, Optional<Present<LevelBody>> level, List<AwardBody> awards) {}

    /**
     * docs/application-api.md §2 "Streak", in an event response.
     *
     * @param freezes there, with {@code maxFreezes}, while freezes are on
     * @param freezeAutoEarnInterval days; there, with the amount, while freezes are earned by themselves
     */
    public record EventStreakBody(int length, String frequency, @Nullable LocalDate started,
            @Nullable LocalDate periodStart,
            @Nullable LocalDate periodEnd, @Nullable LocalDate expires, Optional<Integer> freezes,
            Optional<Integer> maxFreezes,
            Optional<Integer> freezeAutoEarnInterval, Optional<Integer> freezeAutoEarnAmount, boolean extended) {}

    /**
     * The answer to a batch of events (docs/admin-api.md A3).
     *
     * @param accepted how many the log has acknowledged
     * @param issues those that it has not, by index; absent if it has all
     */
    public record BatchBody(int accepted, Optional<List<IssueBody>> issues) {}

    /**
     * One period of an event summary of a metric or a points system (docs/application-api.md §4).
     *
     * @param date first day of the period
     * @param total at its end
     * @param change net, within it
     */
    public record EventSummaryBody(LocalDate date, BigDecimal total, BigDecimal change) {}
}
