package dev.laurel.schemas.wire;

import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.EventBody.EventPointsBody;
import dev.laurel.schemas.wire.MessageBody.ReactivationBody;
import dev.laurel.schemas.wire.MessageBody.RecapPeriodBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelBody;
import dev.laurel.schemas.wire.PointsSystemBody.SystemBoostBody;
import dev.laurel.schemas.wire.PointsSystemBody.SystemTotalBody;
import dev.laurel.schemas.wire.StreakBody.BaseStreakBody;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The payload of an event for webhooks (docs/webhooks.md §2), made from bodies of the API. */
public sealed interface WebhookPayload {

    /** The type of the event, the first field of the payload. */
    default String type() {
        WebhookEvent event = switch (this) {
            case AchievementCompleted _ -> WebhookEvent.ACHIEVEMENT_COMPLETED;
            case StreakStarted _ -> WebhookEvent.STREAK_STARTED;
            case StreakExtended _ -> WebhookEvent.STREAK_EXTENDED;
            case StreakLost _ -> WebhookEvent.STREAK_LOST;
            case FreezeConsumed _ -> WebhookEvent.STREAK_FREEZE_CONSUMED;
            case FreezeEarned _ -> WebhookEvent.STREAK_FREEZE_EARNED;
            case PointsChanged _ -> WebhookEvent.POINTS_CHANGED;
            case LevelChanged _ -> WebhookEvent.POINTS_LEVEL_CHANGED;
            case BoostStarted _ -> WebhookEvent.POINTS_BOOST_STARTED;
            case BoostFinished _ -> WebhookEvent.POINTS_BOOST_FINISHED;
            case LeaderboardStarted _ -> WebhookEvent.LEADERBOARD_STARTED;
            case LeaderboardChanged _ -> WebhookEvent.LEADERBOARD_CHANGED;
            case RankChanged _ -> WebhookEvent.LEADERBOARD_RANK_CHANGED;
            case LeaderboardFinished _ -> WebhookEvent.LEADERBOARD_FINISHED;
            case AchievementDue _ -> WebhookEvent.EMAILS_ACHIEVEMENT_DUE;
            case RecapDue _ -> WebhookEvent.EMAILS_RECAP_DUE;
            case ReactivationDue _ -> WebhookEvent.EMAILS_REACTIVATION_DUE;
            case StreakReminderDue _ -> WebhookEvent.EMAILS_STREAK_REMINDER_DUE;
        };
        return event.type();
    }

    record AchievementCompleted(UserBody user, AchievementBody achievement) implements WebhookPayload {}

    record StreakStarted(UserBody user, BaseStreakBody streak) implements WebhookPayload {}

    record StreakExtended(UserBody user, BaseStreakBody streak) implements WebhookPayload {}

    /** @param length the lost length */
    record StreakLost(UserBody user, int length) implements WebhookPayload {}

    /** @param freezes the remaining freezes */
    record FreezeConsumed(UserBody user, int consumed, int freezes) implements WebhookPayload {}

    /** @param freezes the freezes that the user has now */
    record FreezeEarned(UserBody user, int earned, int freezes) implements WebhookPayload {}

    /** @param points with the newest awards, at most {@link #MAX_AWARDS} */
    record PointsChanged(UserBody user, EventPointsBody points) implements WebhookPayload {

        public static final int MAX_AWARDS = 100;
    }

    /**
     * @param previousLevel null if the user held no level
     * @param newLevel null if the user holds no level now
     */
    record LevelChanged(UserBody user, SystemTotalBody points, @Nullable LevelBody previousLevel,
            @Nullable LevelBody newLevel) implements WebhookPayload {}

    record BoostStarted(Instant timestamp, SystemBoostBody boost) implements WebhookPayload {}

    record BoostFinished(Instant timestamp, SystemBoostBody boost) implements WebhookPayload {}

    /** @param leaderboard with its run and rankings */
    record LeaderboardStarted(LeaderboardBody leaderboard) implements WebhookPayload {}

    /** @param leaderboard with its run and rankings */
    record LeaderboardChanged(LeaderboardBody leaderboard) implements WebhookPayload {}

    /** @param leaderboard with its run and the present and former rank of the user, without history */
    record RankChanged(UserBody user, LeaderboardBody leaderboard) implements WebhookPayload {}

    /** @param leaderboard with its run and rankings */
    record LeaderboardFinished(LeaderboardBody leaderboard) implements WebhookPayload {}

    /** @param timestamp due time of the message, also in the other emails */
    record AchievementDue(Instant timestamp, UserBody user, AchievementBody achievement)
            implements
                WebhookPayload {}

    record RecapDue(Instant timestamp, UserBody user, RecapPeriodBody recap) implements WebhookPayload {}

    record ReactivationDue(Instant timestamp, UserBody user, ReactivationBody reactivation)
            implements
                WebhookPayload {}

    /** @param streak the body of the streak call, with seven periods of history */
    record StreakReminderDue(Instant timestamp, UserBody user, StreakBody streak)
            implements
                WebhookPayload {}

    /**
     * A delivery of an event to a webhook (docs/admin-api.md B5).
     *
     * @param status {@code pending}, {@code succeeded} or {@code failed}
     * @param payload the payload as plain values; null if it is no longer kept
     */
    record WebhookDeliveryBody(UUID id, String event, String status, List<AttemptBody> attempts,
            @Nullable Object payload, Instant created) {

        /** @param responseStatus null if there was no answer */
        public record AttemptBody(Instant at, @Nullable Integer responseStatus, @Nullable String error,
                long durationMs) {}
    }
}
