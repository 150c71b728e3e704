package dev.laurel.schemas.wire;

import dev.laurel.schemas.wire.PointsSystemBody.UserPointsBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the templates of messages may show. What there can be many of is there by key, so that a template can name one:
 * {@code {{points.xp.total}}}, {@code {{recap.metrics.laps.change}}}.
 *
 * @param timestamp when the message was due
 * @param type as in the preferences of users
 * @param achievement of the messages about one
 * @param recap of recaps
 * @param reactivation of reactivations
 * @param streak as the streak call shows it, while streaks are on
 * @param points all systems of the user, by key; without awards
 */
public record MessageBody(Instant timestamp, String type, UserBody user, Optional<AchievementBody> achievement,
        Optional<RecapBody> recap, Optional<ReactivationBody> reactivation, Optional<StreakBody> streak,
        Map<String, UserPointsBody> points) {

    /**
     * The how-manieth message since the user was active last (docs/webhooks.md §2).
     *
     * @param messageNumber 1 for the first
     * @param daysSinceLastActive full days of 24 hours since the last event
     */
    public record ReactivationBody(int messageNumber, int daysSinceLastActive) {}

    /**
     * How a user did in a period that is over.
     *
     * @param periodEnd inclusive
     * @param metrics by key, all there are
     * @param points by key of the system, all there are
     */
    public record RecapBody(LocalDate periodStart, LocalDate periodEnd, Map<String, MetricBody> metrics,
            Map<String, PointsBody> points) {

        /** @param change within the period; @param total at its end */
        public record MetricBody(String key, String name, String units, BigDecimal change,
                @Nullable BigDecimal total) {}

        /** @param change within the period; @param total at its end */
        public record PointsBody(String key, String name, BigDecimal change, @Nullable BigDecimal total) {}
    }

    /** What a recap is about (docs/webhooks.md §2). @param periodEnd inclusive */
    public record RecapPeriodBody(LocalDate periodStart, LocalDate periodEnd) {}
}
