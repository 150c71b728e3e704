package dev.laurel.schemas.effect;

import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

/**
 * A fact that followed from a command, published on {@code laurel.effects} in the user's or the leaderboard's order: what
 * webhooks and messages are made from, and anyone may read.
 */
public sealed interface Effect {

    /** The virtual time at which it happened: a record's time, or the due time of a timer. */
    Instant at();

    /** Keyed by the user, told once. */
    sealed interface OfUser extends Effect {

        UserId user();
    }

    /**
     * Keyed by the leaderboard, so that whoever reads all of one can keep its rankings. Told at least once: after a failure
     * the last ones may come again.
     */
    sealed interface OfLeaderboard extends Effect {

        UUID leaderboardId();

        String leaderboardKey();

        /** First local date of the run. */
        LocalDate runStart();

        /** Last local date of the run, null if it has no end. */
        LocalDate runEnd();
    }

    /**
     * Of a points system. Keyed by the user, or by the tenant if the boost is no single user's; told once, unless it is given
     * other dates.
     */
    sealed interface OfBoost extends Effect {

        /** Null for a boost of no single user. */
        UserId user();

        UUID systemId();

        String systemKey();

        UUID boostId();

        /** First day, in each user's local time. */
        LocalDate start();

        /** Last day, null if open. */
        LocalDate end();
    }

    record UserCreated(UserId user, Instant at) implements OfUser {}

    /** Everything about the user is gone. */
    record UserErased(UserId user, Instant at) implements OfUser {}

    record AchievementCompleted(UserId user, Instant at, UUID achievementId, String achievementKey, UUID completionId)
            implements
                OfUser {}

    /**
     * All awards of one command in one system.
     *
     * @param added the net change
     * @param total after it
     */
    record PointsChanged(UserId user, Instant at, UUID systemId, String systemKey, long added, long total,
            List<PointsAwarded> awards) implements OfUser {

        public PointsChanged {
            awards = List.copyOf(awards);
        }
    }

    /** One award: what took effect after boosts, cap and floor. */
    record PointsAwarded(UUID id, UUID triggerId, long awarded, long total) {}

    /** The length went from 0 to 1. */
    record StreakStarted(UserId user, Instant at, int length) implements OfUser {}

    record StreakExtended(UserId user, Instant at, int length) implements OfUser {}

    /** @param length the lost length */
    record StreakLost(UserId user, Instant at, int length) implements OfUser {}

    /** A missed period was covered by a freeze. @param freezes left */
    record FreezeConsumed(UserId user, Instant at, int consumed, int freezes) implements OfUser {}

    /** By itself or granted; initial freezes are not told. @param freezes the user has now */
    record FreezeEarned(UserId user, Instant at, int earned, int freezes) implements OfUser {}

    /**
     * The held level of a points system differs after earning or losing points.
     *
     * @param previousLevelId null if none was held
     * @param levelId null if none is held
     */
    record LevelChanged(UserId user, Instant at, UUID systemId, String systemKey, long total, UUID previousLevelId,
            UUID levelId) implements OfUser {}

    /** A boost begins: its first date has come for its user; for one of no single user, somewhere on earth. */
    record BoostStarted(UserId user, Instant at, UUID systemId, String systemKey, UUID boostId, LocalDate start,
            LocalDate end) implements OfBoost {}

    /** A boost is over: its last date has ended for its user; for one of no single user, everywhere on earth. */
    record BoostFinished(UserId user, Instant at, UUID systemId, String systemKey, UUID boostId, LocalDate start,
            LocalDate end) implements OfBoost {}

    /** A run begins: its first date has come somewhere on earth. */
    record LeaderboardStarted(Instant at, UUID leaderboardId, String leaderboardKey, LocalDate runStart,
            LocalDate runEnd) implements OfLeaderboard {}

    /**
     * A user's rank or value in a group. Whoever stands between the two ranks has moved by one, without being told.
     *
     * @param group values of the breakdown attributes, empty on a leaderboard without
     * @param previousRank null, as is {@code previousValue}, if the user took no part in the group before
     * @param rank null, as is {@code value}, if the user takes no part in the group now
     */
    record LeaderboardChanged(UserId user, Instant at, UUID leaderboardId, String leaderboardKey, LocalDate runStart,
            LocalDate runEnd, List<GroupValue> group, Integer previousRank, Integer rank, BigDecimal previousValue,
            BigDecimal value) implements OfLeaderboard {

        public LeaderboardChanged {
            group = List.copyOf(group);
        }
    }

    /** A run is final for a group. @param rankings the best ten at most */
    record LeaderboardFinished(Instant at, UUID leaderboardId, String leaderboardKey, LocalDate runStart,
            LocalDate runEnd, List<GroupValue> group, List<Ranked> rankings) implements OfLeaderboard {

        public LeaderboardFinished {
            group = List.copyOf(group);
            rankings = List.copyOf(rankings);
        }
    }

    /** The value of one of the attributes that divide a leaderboard into groups. @param key of the attribute */
    record GroupValue(String key, String value) {}

    /** One place of a ranking. @param userName null if the user has none */
    record Ranked(UserId userId, String userName, int rank, BigDecimal value) {}
}
