package dev.laurel.schemas.wire;

import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.EventBody.EventPointsBody;
import dev.laurel.schemas.wire.LeaderboardBody.AttributeValueBody;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.MessageBody.ReactivationBody;
import dev.laurel.schemas.wire.MessageBody.RecapPeriodBody;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import dev.laurel.schemas.wire.PointsSystemBody.BaseSystemBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelBody;
import dev.laurel.schemas.wire.PointsSystemBody.SystemBoostBody;
import dev.laurel.schemas.wire.PointsSystemBody.SystemTotalBody;
import dev.laurel.schemas.wire.PointsSystemBody.TriggerBody;
import dev.laurel.schemas.wire.StreakBody.BaseStreakBody;
import dev.laurel.schemas.wire.StreakBody.StreakPeriodBody;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    record LevelChanged(
            UserBody user,
            SystemTotalBody points,
            @Nullable LevelBody previousLevel,
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
    record AchievementDue(Instant timestamp, UserBody user, AchievementBody achievement) implements WebhookPayload {}

    record RecapDue(Instant timestamp, UserBody user, RecapPeriodBody recap) implements WebhookPayload {}

    record ReactivationDue(Instant timestamp, UserBody user, ReactivationBody reactivation) implements WebhookPayload {}

    /** @param streak the body of the streak call, with seven periods of history */
    record StreakReminderDue(Instant timestamp, UserBody user, StreakBody streak) implements WebhookPayload {}

    /**
     * A delivery of an event to a webhook (docs/admin-api.md B5).
     *
     * @param status {@code pending}, {@code succeeded} or {@code failed}
     * @param payload the payload as plain values; null if it is no longer kept
     */
    record WebhookDeliveryBody(
            UUID id,
            String event,
            String status,
            List<AttemptBody> attempts,
            @Nullable Object payload,
            Instant created) {

        /** @param responseStatus null if there was no answer */
        public record AttemptBody(
                Instant at,
                @Nullable Integer responseStatus,
                @Nullable String error,
                long durationMs) {}
    }

    /** Sample events for tests of webhooks, about a fictitious user and fictitious objects. Pure: equal arguments give equal events. */
    final class SamplePayloads {

        private static final String USER = "sample-user";
        private static final String NAME = "Sample User";
        private static final UUID METRIC = id(1);
        private static final UUID ACHIEVEMENT = id(2);
        private static final UUID SYSTEM = id(3);
        private static final UUID TRIGGER = id(4);
        private static final UUID AWARD = id(5);
        private static final UUID BRONZE = id(6);
        private static final UUID SILVER = id(7);
        private static final UUID BOOST = id(8);
        private static final UUID BOARD = id(9);
        private static final int RUN_DAYS = 7;
        private static final int HISTORY_DAYS = 7;

        private SamplePayloads() {}

        private static UUID id(int number) {
            // Has the form of a random UUID, which some receivers require.
            return new UUID(0x4000L, 0x8000_0000_0000_0000L | number);
        }

        /** @param now time of the event */
        public static WebhookPayload of(WebhookEvent event, Instant now) {
            LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
            return switch (event) {
                case ACHIEVEMENT_COMPLETED -> new AchievementCompleted(user(now), achievement(now));
                case STREAK_STARTED -> new StreakStarted(user(now), streak(1, today));
                case STREAK_EXTENDED -> new StreakExtended(user(now), streak(3, today));
                case STREAK_LOST -> new StreakLost(user(now), 3);
                case STREAK_FREEZE_CONSUMED -> new FreezeConsumed(user(now), 1, 0);
                case STREAK_FREEZE_EARNED -> new FreezeEarned(user(now), 1, 2);
                case POINTS_CHANGED -> new PointsChanged(user(now), points(now));
                case POINTS_LEVEL_CHANGED ->
                    new LevelChanged(
                            user(now),
                            total(),
                            level(BRONZE, "bronze", "Bronze", 50),
                            level(SILVER, "silver", "Silver", 100));
                case POINTS_BOOST_STARTED ->
                    new BoostStarted(now, boost("active", today.plusDays(1), today.plusDays(RUN_DAYS)));
                case POINTS_BOOST_FINISHED ->
                    new BoostFinished(now, boost("finished", today.minusDays(RUN_DAYS), today.minusDays(1)));
                case LEADERBOARD_STARTED ->
                    new LeaderboardStarted(board(today.plusDays(1)).ranked(List.of()));
                case LEADERBOARD_CHANGED ->
                    new LeaderboardChanged(board(weekOf(today)).ranked(rankings()));
                case LEADERBOARD_RANK_CHANGED ->
                    new RankChanged(
                            user(now), board(weekOf(today)).moved(3, 2, new BigDecimal("31"), new BigDecimal("42.5")));
                case LEADERBOARD_FINISHED ->
                    new LeaderboardFinished(board(today.minusDays(RUN_DAYS)).ranked(rankings()));
                case EMAILS_ACHIEVEMENT_DUE -> new AchievementDue(now, user(now), achievement(now));
                case EMAILS_RECAP_DUE ->
                    new RecapDue(
                            now,
                            user(now),
                            new RecapPeriodBody(
                                    weekOf(today).minusDays(RUN_DAYS),
                                    weekOf(today).minusDays(1)));
                case EMAILS_REACTIVATION_DUE -> new ReactivationDue(now, user(now), new ReactivationBody(1, 3));
                case EMAILS_STREAK_REMINDER_DUE -> new StreakReminderDue(now, user(now), reminder(now));
            };
        }

        private static UserBody user(Instant now) {
            return new UserBody(
                    USER,
                    "sample.user@example.com",
                    NAME,
                    "UTC",
                    List.of(),
                    true,
                    LocalDate.ofInstant(now, ZoneOffset.UTC).minusYears(1),
                    Map.of("city", "Turku"),
                    false,
                    now.minus(30, ChronoUnit.DAYS),
                    now);
        }

        private static AchievementBody achievement(Instant now) {
            return new AchievementBody(
                            ACHIEVEMENT,
                            "Forty laps",
                            "metric",
                            "Swim forty laps",
                            null,
                            Optional.empty(),
                            List.of(),
                            Optional.of(List.of()),
                            Optional.empty(),
                            Optional.of(METRIC),
                            Optional.of("Laps swum"),
                            Optional.of(new BigDecimal("40")),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty())
                    .achieved(now);
        }

        /** A daily streak that was extended today. */
        private static BaseStreakBody streak(int length, LocalDate today) {
            return streak(length, today.minusDays(length - 1L), today, today.plusDays(1));
        }

        private static BaseStreakBody streak(int length, LocalDate started, LocalDate today, LocalDate expires) {
            return new BaseStreakBody(
                    length,
                    "daily",
                    started,
                    today,
                    today,
                    expires,
                    Optional.of(1),
                    Optional.of(2),
                    Optional.empty(),
                    Optional.empty());
        }

        /** A daily streak that was not extended today. */
        private static StreakBody reminder(Instant now) {
            LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
            int length = 3;
            var history = new ArrayList<StreakPeriodBody>();
            for (int ago = HISTORY_DAYS - 1; ago >= 0; ago--) {
                LocalDate day = today.minusDays(ago);
                int then = ago == 0 ? length : Math.max(0, length + 1 - ago);
                history.add(new StreakPeriodBody(day, day, then, Optional.of(false), false, Optional.empty()));
            }
            return new StreakBody(
                    streak(length, today.minusDays(length), today, today),
                    now.minus(1, ChronoUnit.DAYS),
                    12L,
                    history,
                    List.of());
        }

        private static EventPointsBody points(Instant now) {
            var trigger = new TriggerBody(
                    TRIGGER,
                    "metric",
                    30,
                    "active",
                    Optional.of(METRIC),
                    Optional.of("Laps swum"),
                    Optional.of(10L),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Optional.of(List.of()),
                    Optional.empty(),
                    now.minus(60, ChronoUnit.DAYS),
                    now.minus(60, ChronoUnit.DAYS));
            SystemTotalBody system = total();
            return new EventPointsBody(
                    system.base(),
                    system.total(),
                    trigger.points(),
                    Present.of(level(SILVER, "silver", "Silver", 100)),
                    List.of(new AwardBody(AWARD, trigger.points(), now, system.total(), trigger, List.of())));
        }

        private static SystemTotalBody total() {
            return new SystemTotalBody(new BaseSystemBody(SYSTEM, "gems", "Gems", "For every lap", null, null), 130);
        }

        private static LevelBody level(UUID id, String key, String name, long atLeast) {
            return new LevelBody(id, key, name, "", null, atLeast);
        }

        private static SystemBoostBody boost(String status, LocalDate start, LocalDate end) {
            return new SystemBoostBody(
                    BOOST,
                    "Double gems",
                    status,
                    null,
                    SYSTEM,
                    "gems",
                    "Gems",
                    start,
                    end,
                    new BigDecimal("2"),
                    "down");
        }

        private static LocalDate weekOf(LocalDate day) {
            return day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        }

        /** A weekly leaderboard, in the run that begins on this day. */
        private static LeaderboardBody board(LocalDate runStart) {
            return new LeaderboardBody(
                            BOARD,
                            "Pool of the week",
                            "pool-week",
                            "active",
                            "metric",
                            "laps-swum",
                            "Laps swum",
                            null,
                            null,
                            "Who swims the most laps?",
                            runStart.minusWeeks(2),
                            null,
                            null,
                            null,
                            1000,
                            "day",
                            RUN_DAYS,
                            List.of("city"),
                            "city",
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty())
                    .inRun(
                            runStart,
                            runStart.plusDays(RUN_DAYS - 1L),
                            List.of(new AttributeValueBody("city", "Turku")),
                            null);
        }

        private static List<RankingBody> rankings() {
            return List.of(
                    new RankingBody("sample-user-2", null, 1, new BigDecimal("48")),
                    new RankingBody(USER, NAME, 2, new BigDecimal("42.5")));
        }
    }
}
