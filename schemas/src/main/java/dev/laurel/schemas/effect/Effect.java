package dev.laurel.schemas.effect;

import dev.laurel.schemas.key.UserId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A fact that followed from a command, published on {@code laurel.effects} in the user's order: what webhooks and
 * messages are made from, and anyone may read.
 */
public sealed interface Effect {

    UserId user();

    /** The virtual time at which it happened: a record's time, or the due time of a timer. */
    Instant at();

    record UserCreated(UserId user, Instant at) implements Effect {}

    /** Everything about the user is gone. */
    record UserErased(UserId user, Instant at) implements Effect {}

    record AchievementCompleted(UserId user, Instant at, UUID achievementId, String achievementKey, UUID completionId)
            implements
                Effect {}

    /**
     * All awards of one command in one system.
     *
     * @param added the net change
     * @param total after it
     */
    record PointsChanged(UserId user, Instant at, UUID systemId, String systemKey, long added, long total,
            List<PointsAwarded> awards) implements Effect {

        public PointsChanged {
            awards = List.copyOf(awards);
        }
    }

    /** One award: what took effect after boosts, cap and floor. */
    record PointsAwarded(UUID id, UUID triggerId, long awarded, long total) {}

    /** The length went from 0 to 1. */
    record StreakStarted(UserId user, Instant at, int length) implements Effect {}

    record StreakExtended(UserId user, Instant at, int length) implements Effect {}

    /** @param length the lost length */
    record StreakLost(UserId user, Instant at, int length) implements Effect {}

    /** A missed period was covered by a freeze. @param freezes left */
    record FreezeConsumed(UserId user, Instant at, int consumed, int freezes) implements Effect {}

    /** By itself or granted; initial freezes are not told. @param freezes the user has now */
    record FreezeEarned(UserId user, Instant at, int earned, int freezes) implements Effect {}

    /**
     * The held level of a points system differs after earning or losing points.
     *
     * @param previousLevelId null if none was held
     * @param levelId null if none is held
     */
    record LevelChanged(UserId user, Instant at, UUID systemId, String systemKey, long total, UUID previousLevelId,
            UUID levelId) implements Effect {}
}
