package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

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
        Map<String, UserPointsBody> points) {}
