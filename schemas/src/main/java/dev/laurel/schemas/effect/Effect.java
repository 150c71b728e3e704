package dev.laurel.schemas.effect;

import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Kind;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A fact that followed from a command or a timer, published on {@code laurel.effects} and ordered by user or
 * leaderboard. Webhook events and messages are made from effects, and other programs may read them.
 */
public sealed interface Effect {

    /** The kinds of effects, by the names in the field {@code type}. The fields in JSON are the components of the records. */
    List<Kind<? extends Effect>> KINDS = List.of(
            Kind.ofRecord("user.created", UserCreated.class),
            Kind.ofRecord("user.erased", UserErased.class),
            Kind.ofRecord("achievement.completed", AchievementCompleted.class),
            Kind.ofRecord("points.changed", PointsChanged.class),
            Kind.ofRecord("points.level_changed", LevelChanged.class),
            Kind.ofRecord("points.boost_started", BoostStarted.class),
            Kind.ofRecord("points.boost_finished", BoostFinished.class),
            Kind.ofRecord("streak.started", StreakStarted.class),
            Kind.ofRecord("streak.extended", StreakExtended.class),
            Kind.ofRecord("streak.lost", StreakLost.class),
            Kind.ofRecord("streak.freeze_consumed", FreezeConsumed.class),
            Kind.ofRecord("streak.freeze_earned", FreezeEarned.class),
            Kind.ofRecord("leaderboard.started", LeaderboardStarted.class),
            Kind.ofRecord("leaderboard.changed", LeaderboardChanged.class),
            Kind.ofRecord("leaderboard.finished", LeaderboardFinished.class));

    /** The virtual time of the effect: the time of a record, or the due time of a timer. */
    Instant at();

    /** An effect keyed by the user and published once. */
    sealed interface OfUser extends Effect {

        UserId user();
    }

    /**
     * An effect keyed by the leaderboard, so that a reader of all effects of a leaderboard can maintain its rankings.
     * Published at least once: after a failure the last effects may be repeated.
     */
    sealed interface OfLeaderboard extends Effect {

        UUID leaderboardId();

        String leaderboardKey();

        /** First local date of the run. */
        LocalDate runStart();

        /** Last local date of the run; null if the run has no end. */
        LocalDate runEnd();
    }

    /**
     * An effect of a boost, keyed by the user, or by the tenant if the boost is not a personal one. Published once,
     * unless the dates of the boost change.
     */
    sealed interface OfBoost extends Effect {

        /** Null if the boost is not a personal one. */
        UserId user();

        UUID systemId();

        String systemKey();

        UUID boostId();

        /** First day, in each user's local time. */
        LocalDate start();

        /** Last day; null if the boost has no end. */
        LocalDate end();
    }

    /** A user was created. */
    record UserCreated(UserId user, Instant at) implements OfUser {}

    /** All data of the user were erased. */
    record UserErased(UserId user, Instant at) implements OfUser {}

    record AchievementCompleted(UserId user, Instant at, UUID achievementId, String achievementKey, UUID completionId)
            implements OfUser {}

    /**
     * All awards of one command in one points system.
     *
     * @param added the net change, possibly negative
     * @param total the total after the change
     * @param awards in the order of application
     */
    record PointsChanged(
            UserId user,
            Instant at,
            UUID systemId,
            String systemKey,
            long added,
            long total,
            List<PointsAwarded> awards)
            implements OfUser {

        public PointsChanged {
            awards = List.copyOf(awards);
        }
    }

    /**
     * One award.
     *
     * @param awarded the applied number, after boosts, cap and floor; not 0
     * @param total the total after this award
     */
    record PointsAwarded(UUID id, UUID triggerId, long awarded, long total) {}

    /** The length of the streak changed from 0 to 1. */
    record StreakStarted(UserId user, Instant at, int length) implements OfUser {}

    /** A streak grew. */
    record StreakExtended(UserId user, Instant at, int length) implements OfUser {}

    /**
     * A streak ended.
     *
     * @param length the lost length
     */
    record StreakLost(UserId user, Instant at, int length) implements OfUser {}

    /**
     * Freezes covered missed periods.
     * @param freezes the remaining freezes
     */
    record FreezeConsumed(UserId user, Instant at, int consumed, int freezes) implements OfUser {}

    /**
     * The user earned freezes or was granted them; initial freezes have no effect.
     * @param freezes the freezes that the user has now
     */
    record FreezeEarned(UserId user, Instant at, int earned, int freezes) implements OfUser {}

    /**
     * The level of the user in a points system changed after earning or losing points.
     *
     * @param total the total that determines the level
     * @param previousLevelId null if none was held
     * @param levelId null if none is held
     */
    record LevelChanged(
            UserId user,
            Instant at,
            UUID systemId,
            String systemKey,
            long total,
            @Nullable UUID previousLevelId,
            @Nullable UUID levelId)
            implements OfUser {}

    /**
     * A boost began: its first date began for its user, or, if the boost is not a personal one, in the first time zone.
     *
     * @param user null if the boost is for all users
     * @param end null if the boost has no end
     */
    record BoostStarted(
            @Nullable UserId user,
            Instant at,
            UUID systemId,
            String systemKey,
            UUID boostId,
            LocalDate start,
            @Nullable LocalDate end)
            implements OfBoost {}

    /**
     * A boost ended: its last date ended for its user, or, if the boost is not a personal one, in all time zones.
     *
     * @param user null if the boost is for all users
     * @param end null if the boost has no end
     */
    record BoostFinished(
            @Nullable UserId user,
            Instant at,
            UUID systemId,
            String systemKey,
            UUID boostId,
            LocalDate start,
            @Nullable LocalDate end)
            implements OfBoost {}

    /**
     * A run began: its first date began in the first time zone.
     *
     * @param runEnd null if the run has no end
     */
    record LeaderboardStarted(
            Instant at,
            UUID leaderboardId,
            String leaderboardKey,
            LocalDate runStart,
            @Nullable LocalDate runEnd) implements OfLeaderboard {}

    /**
     * A user's rank or value in a group changed. The users between the two ranks moved by one; no effects are published
     * for them.
     *
     * @param group values of the breakdown attributes; empty if the leaderboard has none
     * @param previousRank null, as is {@code previousValue}, if the user took no part in the group before
     * @param rank null, as is {@code value}, if the user takes no part in the group now
     */
    record LeaderboardChanged(
            UserId user,
            Instant at,
            UUID leaderboardId,
            String leaderboardKey,
            LocalDate runStart,
            @Nullable LocalDate runEnd,
            List<GroupValue> group,
            @Nullable Integer previousRank,
            @Nullable Integer rank,
            @Nullable BigDecimal previousValue,
            @Nullable BigDecimal value)
            implements OfLeaderboard {

        public LeaderboardChanged {
            group = List.copyOf(group);
        }
    }

    /**
     * A run became final for a group.
     * @param rankings the top ten at most
     */
    record LeaderboardFinished(
            Instant at,
            UUID leaderboardId,
            String leaderboardKey,
            LocalDate runStart,
            @Nullable LocalDate runEnd,
            List<GroupValue> group,
            List<Ranked> rankings)
            implements OfLeaderboard {

        public LeaderboardFinished {
            group = List.copyOf(group);
            rankings = List.copyOf(rankings);
        }
    }

    /**
     * The value of one breakdown attribute.
     * @param key key of the attribute
     */
    record GroupValue(String key, String value) {}

    /**
     * One entry of a ranking.
     * @param userName null if the user has none
     */
    record Ranked(UserId userId, @Nullable String userName, int rank, BigDecimal value) {}
}
