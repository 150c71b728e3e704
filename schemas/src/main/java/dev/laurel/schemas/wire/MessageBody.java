package dev.laurel.schemas.wire;

import dev.laurel.schemas.wire.PointsSystemBody.UserPointsBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values that templates of messages can show. Collections are maps by key, so that a template can name an entry:
 * {@code {{points.xp.total}}}, {@code {{recap.metrics.laps.change}}}.
 *
 * @param timestamp due time of the message
 * @param type type in the preferences of users
 * @param achievement present in messages about an achievement
 * @param recap present in recaps
 * @param reactivation present in reactivation messages
 * @param streak the body of the streak call; present while streaks are on
 * @param points all points systems of the user, by key, without awards
 */
public record MessageBody(
        Instant timestamp,
        String type,
        UserBody user,
        Optional<AchievementBody> achievement,
        Optional<RecapBody> recap,
        Optional<ReactivationBody> reactivation,
        Optional<StreakBody> streak,
        Map<String, UserPointsBody> points) {

    /**
     * A reactivation message (docs/webhooks.md §2).
     *
     * @param messageNumber number of the message since the last event, from 1
     * @param daysSinceLastActive full days of 24 hours since the last event
     */
    public record ReactivationBody(int messageNumber, int daysSinceLastActive) {}

    /**
     * The progress of a user in a past period.
     *
     * @param periodEnd inclusive
     * @param metrics all metrics by key
     * @param points all points systems by key
     */
    public record RecapBody(
            LocalDate periodStart,
            LocalDate periodEnd,
            Map<String, MetricBody> metrics,
            Map<String, PointsBody> points) {

        /** @param change change within the period @param total total at its end */
        public record MetricBody(
                String key,
                String name,
                String units,
                BigDecimal change,
                @Nullable BigDecimal total) {}

        /** @param change change within the period @param total total at its end */
        public record PointsBody(
                String key,
                String name,
                BigDecimal change,
                @Nullable BigDecimal total) {}
    }

    /** The period of a recap (docs/webhooks.md §2). @param periodEnd inclusive */
    public record RecapPeriodBody(LocalDate periodStart, LocalDate periodEnd) {}
}
