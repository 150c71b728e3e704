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
import org.jspecify.annotations.Nullable;

/** The body of an event for webhooks (docs/webhooks.md §2): made of the bodies of the API. */
public sealed interface WebhookPayload {

    /** As {@code WebhookEvent.type()} says it. */
    String type();

    record AchievementCompleted(String type, UserBody user, AchievementBody achievement) implements WebhookPayload {

        public AchievementCompleted(UserBody user, AchievementBody achievement) {
            this(WebhookEvent.ACHIEVEMENT_COMPLETED.type(), user, achievement);
        }
    }

    record StreakStarted(String type, UserBody user, BaseStreakBody streak) implements WebhookPayload {

        public StreakStarted(UserBody user, BaseStreakBody streak) {
            this(WebhookEvent.STREAK_STARTED.type(), user, streak);
        }
    }

    record StreakExtended(String type, UserBody user, BaseStreakBody streak) implements WebhookPayload {

        public StreakExtended(UserBody user, BaseStreakBody streak) {
            this(WebhookEvent.STREAK_EXTENDED.type(), user, streak);
        }
    }

    /** @param length that is lost */
    record StreakLost(String type, UserBody user, int length) implements WebhookPayload {

        public StreakLost(UserBody user, int length) {
            this(WebhookEvent.STREAK_LOST.type(), user, length);
        }
    }

    /** @param freezes that are left */
    record FreezeConsumed(String type, UserBody user, int consumed, int freezes) implements WebhookPayload {

        public FreezeConsumed(UserBody user, int consumed, int freezes) {
            this(WebhookEvent.STREAK_FREEZE_CONSUMED.type(), user, consumed, freezes);
        }
    }

    /** @param freezes that there are now */
    record FreezeEarned(String type, UserBody user, int earned, int freezes) implements WebhookPayload {

        public FreezeEarned(UserBody user, int earned, int freezes) {
            this(WebhookEvent.STREAK_FREEZE_EARNED.type(), user, earned, freezes);
        }
    }

    /** @param points with no more awards than {@link #MAX_AWARDS}, the newest */
    record PointsChanged(String type, UserBody user, EventPointsBody points) implements WebhookPayload {

        public static final int MAX_AWARDS = 100;

        public PointsChanged(UserBody user, EventPointsBody points) {
            this(WebhookEvent.POINTS_CHANGED.type(), user, points);
        }
    }

    /** @param previousLevel null if the user was below every level, {@code newLevel} if it is now */
    record LevelChanged(String type, UserBody user, SystemTotalBody points, @Nullable LevelBody previousLevel,
            @Nullable LevelBody newLevel) implements WebhookPayload {

        public LevelChanged(UserBody user, SystemTotalBody points, @Nullable LevelBody previousLevel,
                @Nullable LevelBody newLevel) {
            this(WebhookEvent.POINTS_LEVEL_CHANGED.type(), user, points, previousLevel, newLevel);
        }
    }

    record BoostStarted(String type, Instant timestamp, SystemBoostBody boost) implements WebhookPayload {

        public BoostStarted(Instant timestamp, SystemBoostBody boost) {
            this(WebhookEvent.POINTS_BOOST_STARTED.type(), timestamp, boost);
        }
    }

    record BoostFinished(String type, Instant timestamp, SystemBoostBody boost) implements WebhookPayload {

        public BoostFinished(Instant timestamp, SystemBoostBody boost) {
            this(WebhookEvent.POINTS_BOOST_FINISHED.type(), timestamp, boost);
        }
    }

    /** @param leaderboard with its run and rankings */
    record LeaderboardStarted(String type, LeaderboardBody leaderboard) implements WebhookPayload {

        public LeaderboardStarted(LeaderboardBody leaderboard) {
            this(WebhookEvent.LEADERBOARD_STARTED.type(), leaderboard);
        }
    }

    /** @param leaderboard with its run and rankings */
    record LeaderboardChanged(String type, LeaderboardBody leaderboard) implements WebhookPayload {

        public LeaderboardChanged(LeaderboardBody leaderboard) {
            this(WebhookEvent.LEADERBOARD_CHANGED.type(), leaderboard);
        }
    }

    /** @param leaderboard with its run and where the user is and was, without history */
    record RankChanged(String type, UserBody user, LeaderboardBody leaderboard) implements WebhookPayload {

        public RankChanged(UserBody user, LeaderboardBody leaderboard) {
            this(WebhookEvent.LEADERBOARD_RANK_CHANGED.type(), user, leaderboard);
        }
    }

    /** @param leaderboard with its run and rankings */
    record LeaderboardFinished(String type, LeaderboardBody leaderboard) implements WebhookPayload {

        public LeaderboardFinished(LeaderboardBody leaderboard) {
            this(WebhookEvent.LEADERBOARD_FINISHED.type(), leaderboard);
        }
    }

    /** @param timestamp when the message is due, as with the other emails */
    record AchievementDue(String type, Instant timestamp, UserBody user, AchievementBody achievement)
            implements
                WebhookPayload {

        public AchievementDue(Instant timestamp, UserBody user, AchievementBody achievement) {
            this(WebhookEvent.EMAILS_ACHIEVEMENT_DUE.type(), timestamp, user, achievement);
        }
    }

    record RecapDue(String type, Instant timestamp, UserBody user, RecapPeriodBody recap) implements WebhookPayload {

        public RecapDue(Instant timestamp, UserBody user, RecapPeriodBody recap) {
            this(WebhookEvent.EMAILS_RECAP_DUE.type(), timestamp, user, recap);
        }
    }

    record ReactivationDue(String type, Instant timestamp, UserBody user, ReactivationBody reactivation)
            implements
                WebhookPayload {

        public ReactivationDue(Instant timestamp, UserBody user, ReactivationBody reactivation) {
            this(WebhookEvent.EMAILS_REACTIVATION_DUE.type(), timestamp, user, reactivation);
        }
    }

    /** @param streak as the streak call shows it, with seven periods of history */
    record StreakReminderDue(String type, Instant timestamp, UserBody user, StreakBody streak)
            implements
                WebhookPayload {

        public StreakReminderDue(Instant timestamp, UserBody user, StreakBody streak) {
            this(WebhookEvent.EMAILS_STREAK_REMINDER_DUE.type(), timestamp, user, streak);
        }
    }
}
