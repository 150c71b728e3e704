package dev.laurel.core.engine;

import dev.laurel.core.rules.MessageRules;
import dev.laurel.core.user.PointsState.SystemAwards;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.AchievementBodies;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.MessageBodies;
import dev.laurel.core.view.MessageBodies.MessageSubject;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.PointsSystemBody.SystemBoostBody;
import dev.laurel.schemas.wire.StreakBody.BaseStreakBody;
import dev.laurel.schemas.wire.UserBody;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Announces what happens to a user: by an effect, and by a notice to webhooks that {@linkplain UserTransaction#wants want} it
 * (docs/webhooks.md §2), with the user as of that moment.
 */
final class Announcements {

    private Announcements() {}

    static void achievementCompleted(UserTransaction user, Achievement achievement, UUID completionId, long atMs) {
        user.emit(new Effect.AchievementCompleted(
                user.id(), Instant.ofEpochMilli(atMs), achievement.id(), achievement.key(), completionId));
        notify(user, WebhookEvent.ACHIEVEMENT_COMPLETED, atMs, () -> {
            UserState state = user.toState();
            return new WebhookPayload.AchievementCompleted(
                    Bodies.user(state), AchievementBodies.of(state, achievement, user.rules()));
        });
    }

    /** Announces a start or an extension. @param length 1: the streak has started */
    static void streakExtended(UserTransaction user, int length, long atMs) {
        var at = Instant.ofEpochMilli(atMs);
        boolean isStart = length == 1;
        user.emit(
                isStart
                        ? new Effect.StreakStarted(user.id(), at, length)
                        : new Effect.StreakExtended(user.id(), at, length));
        WebhookEvent event = isStart ? WebhookEvent.STREAK_STARTED : WebhookEvent.STREAK_EXTENDED;
        notify(user, event, atMs, () -> {
            BaseStreakBody streak =
                    StreakBodies.base(user.toState(), user.rules(), user.history(), presentMs(user, atMs));
            return isStart
                    ? new WebhookPayload.StreakStarted(body(user), streak)
                    : new WebhookPayload.StreakExtended(body(user), streak);
        });
    }

    static void streakLost(UserTransaction user, int length, long atMs) {
        user.emit(new Effect.StreakLost(user.id(), Instant.ofEpochMilli(atMs), length));
        notify(user, WebhookEvent.STREAK_LOST, atMs, () -> new WebhookPayload.StreakLost(body(user), length));
    }

    static void freezeConsumed(UserTransaction user, int consumed, int left, long atMs) {
        user.emit(new Effect.FreezeConsumed(user.id(), Instant.ofEpochMilli(atMs), consumed, left));
        notify(
                user,
                WebhookEvent.STREAK_FREEZE_CONSUMED,
                atMs,
                () -> new WebhookPayload.FreezeConsumed(body(user), consumed, left));
    }

    static void freezeEarned(UserTransaction user, int earned, int now, long atMs) {
        user.emit(new Effect.FreezeEarned(user.id(), Instant.ofEpochMilli(atMs), earned, now));
        notify(
                user,
                WebhookEvent.STREAK_FREEZE_EARNED,
                atMs,
                () -> new WebhookPayload.FreezeEarned(body(user), earned, now));
    }

    /** Announces the awards of one moment in a system, and the level that they have changed. */
    static void pointsChanged(
            UserTransaction user, SystemAwards changed, List<Effect.PointsAwarded> awards, long atMs) {
        PointsSystem system = changed.system();
        var at = Instant.ofEpochMilli(atMs);
        user.emit(new Effect.PointsChanged(
                user.id(), at, system.id(), system.key(), changed.added(), changed.total(), awards));
        if (user.wants(WebhookEvent.POINTS_CHANGED, atMs)) {
            var points = PointsBodies.changed(
                    user.key(),
                    user.rules(),
                    changed,
                    WebhookPayload.PointsChanged.MAX_AWARDS,
                    user.dayOf(presentMs(user, atMs)));
            user.announce(new Notice.ForWebhooks(
                    at,
                    WebhookEvent.POINTS_CHANGED,
                    system.id().toString(),
                    new WebhookPayload.PointsChanged(body(user), points)));
        }
        if (!changed.changedLevel()) {
            return;
        }
        user.emit(new Effect.LevelChanged(
                user.id(),
                at,
                system.id(),
                system.key(),
                changed.total(),
                idOf(changed.levelBefore()),
                idOf(changed.level())));
        notify(
                user,
                WebhookEvent.POINTS_LEVEL_CHANGED,
                atMs,
                () -> new WebhookPayload.LevelChanged(
                        body(user),
                        PointsBodies.total(system, changed.total()),
                        PointsBodies.level(changed.levelBefore()),
                        PointsBodies.level(changed.level())));
    }

    private static @Nullable UUID idOf(@Nullable Level level) {
        return level == null ? null : level.id();
    }

    /** Announces the start or the end of the user's own boost, unless the rules no longer have its system. */
    static void boost(UserTransaction user, UserBoost boost, boolean isEnd, long atMs) {
        PointsSystem system = user.rules().pointsSystem(boost.system());
        if (system == null) {
            return;
        }
        var at = Instant.ofEpochMilli(atMs);
        user.emit(boostEffect(user.id(), at, system, boost.id(), boost.firstDate(), boost.lastDate(), isEnd));
        notify(
                user,
                boostEvent(isEnd),
                atMs,
                () -> boostPayload(at, PointsBodies.boost(system, user.id(), boost, isEnd), isEnd));
    }

    /** @param owner null: a boost of the ruleset */
    static Effect boostEffect(
            @Nullable UserId owner,
            Instant at,
            PointsSystem system,
            UUID boost,
            LocalDate start,
            @Nullable LocalDate end,
            boolean isEnd) {
        return isEnd
                ? new Effect.BoostFinished(owner, at, system.id(), system.key(), boost, start, end)
                : new Effect.BoostStarted(owner, at, system.id(), system.key(), boost, start, end);
    }

    static WebhookEvent boostEvent(boolean isEnd) {
        return isEnd ? WebhookEvent.POINTS_BOOST_FINISHED : WebhookEvent.POINTS_BOOST_STARTED;
    }

    static WebhookPayload boostPayload(Instant at, SystemBoostBody boost, boolean isEnd) {
        return isEnd ? new WebhookPayload.BoostFinished(at, boost) : new WebhookPayload.BoostStarted(at, boost);
    }

    /** Notifies webhooks of a due message, which has no effect. */
    static void messageDue(UserTransaction user, MessageSubject subject, long atMs) {
        notify(
                user,
                MessageRules.eventOf(subject.type()),
                atMs,
                () -> MessageBodies.payload(subject, user.toState(), user.rules(), user.history(), atMs));
    }

    /** Notifies webhooks if they want it. @param payload made only then */
    private static void notify(UserTransaction user, WebhookEvent event, long atMs, Supplier<WebhookPayload> payload) {
        if (user.wants(event, atMs)) {
            user.announce(new Notice.ForWebhooks(Instant.ofEpochMilli(atMs), event, null, payload.get()));
        }
    }

    private static UserBody body(UserTransaction user) {
        return Bodies.user(user.toState());
    }

    /** The moment of the state, since a command may be late. */
    private static long presentMs(UserTransaction user, long atMs) {
        return Math.max(user.newestMs(), atMs);
    }
}
