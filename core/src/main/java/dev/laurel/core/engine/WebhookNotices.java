package dev.laurel.core.engine;

import dev.laurel.core.rules.MessageRules;
import dev.laurel.core.rules.WebhookRules;
import dev.laurel.core.user.PointsState.SystemAwards;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.AchievementBodies;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.MessageBodies.MessageSubject;
import dev.laurel.core.view.MessageBodies;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.StreakBody.BaseStreakBody;
import dev.laurel.schemas.wire.UserBody;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Makes the notices for webhooks (docs/webhooks.md §2), with the user as of that moment. Skips events to which no webhook
 * subscribes, now and at the time of the occurrence, and timers that were due long before.
 */
final class WebhookNotices {

    private final UserTransaction user;
    private final WebhookRules present;
    private final boolean isKept;

    /** @param user under the present rules; during a migration older rules are in force */
    WebhookNotices(UserTransaction user, CommandContext context) {
        this.user = user;
        this.present = user.rules().hooks();
        this.isKept = !context.isRead();
    }

    void achievementCompleted(Achievement achievement, long atMs) {
        if (want(WebhookEvent.ACHIEVEMENT_COMPLETED, atMs)) {
            UserState state = user.toState();
            add(WebhookEvent.ACHIEVEMENT_COMPLETED, atMs, new WebhookPayload.AchievementCompleted(Bodies.user(state),
                    AchievementBodies.of(state, achievement, user.rules())));
        }
    }

    void streakStarted(long atMs) {
        if (want(WebhookEvent.STREAK_STARTED, atMs)) {
            add(WebhookEvent.STREAK_STARTED, atMs, new WebhookPayload.StreakStarted(body(), streak(atMs)));
        }
    }

    void streakExtended(long atMs) {
        if (want(WebhookEvent.STREAK_EXTENDED, atMs)) {
            add(WebhookEvent.STREAK_EXTENDED, atMs, new WebhookPayload.StreakExtended(body(), streak(atMs)));
        }
    }

    void streakLost(int length, long atMs) {
        if (want(WebhookEvent.STREAK_LOST, atMs)) {
            add(WebhookEvent.STREAK_LOST, atMs, new WebhookPayload.StreakLost(body(), length));
        }
    }

    void freezeConsumed(int consumed, int left, long atMs) {
        if (want(WebhookEvent.STREAK_FREEZE_CONSUMED, atMs)) {
            add(WebhookEvent.STREAK_FREEZE_CONSUMED, atMs, new WebhookPayload.FreezeConsumed(body(), consumed, left));
        }
    }

    void freezeEarned(int earned, int now, long atMs) {
        if (want(WebhookEvent.STREAK_FREEZE_EARNED, atMs)) {
            add(WebhookEvent.STREAK_FREEZE_EARNED, atMs, new WebhookPayload.FreezeEarned(body(), earned, now));
        }
    }

    void pointsChanged(SystemAwards changed, long atMs) {
        if (want(WebhookEvent.POINTS_CHANGED, atMs)) {
            var points = PointsBodies.changed(user.key(), user.rules(), changed,
                    WebhookPayload.PointsChanged.MAX_AWARDS,
                    user.dayOf(nowMs(atMs)));
            add(WebhookEvent.POINTS_CHANGED, atMs, changed.system().id().toString(),
                    new WebhookPayload.PointsChanged(body(), points));
        }
    }

    void levelChanged(SystemAwards changed, long atMs) {
        if (want(WebhookEvent.POINTS_LEVEL_CHANGED, atMs)) {
            add(WebhookEvent.POINTS_LEVEL_CHANGED, atMs, new WebhookPayload.LevelChanged(body(),
                    PointsBodies.total(changed.system(), changed.total()), PointsBodies.level(changed.levelBefore()),
                    PointsBodies.level(changed.level())));
        }
    }

    void boostStarted(PointsSystem system, UserBoost boost, long atMs) {
        if (want(WebhookEvent.POINTS_BOOST_STARTED, atMs)) {
            add(WebhookEvent.POINTS_BOOST_STARTED, atMs, new WebhookPayload.BoostStarted(Instant.ofEpochMilli(atMs),
                    PointsBodies.boost(system, user.id(), boost, false)));
        }
    }

    void boostFinished(PointsSystem system, UserBoost boost, long atMs) {
        if (want(WebhookEvent.POINTS_BOOST_FINISHED, atMs)) {
            add(WebhookEvent.POINTS_BOOST_FINISHED, atMs, new WebhookPayload.BoostFinished(Instant.ofEpochMilli(atMs),
                    PointsBodies.boost(system, user.id(), boost, true)));
        }
    }

    void messageDue(MessageSubject subject, long atMs) {
        WebhookEvent event = MessageRules.eventOf(subject.type());
        if (want(event, atMs)) {
            add(event, atMs, MessageBodies.payload(subject, user.toState(), user.rules(), user.history(), atMs));
        }
    }

    private boolean want(WebhookEvent event, long atMs) {
        return isKept && present.want(event) && user.rules().hooks().want(event) && !user.isStale(atMs);
    }

    private void add(WebhookEvent event, long atMs, WebhookPayload payload) {
        add(event, atMs, null, payload);
    }

    private void add(WebhookEvent event, long atMs, @Nullable String about, WebhookPayload payload) {
        user.announce(new Notice.ForWebhooks(Instant.ofEpochMilli(atMs), event, about, payload));
    }

    private UserBody body() {
        return Bodies.user(user.toState());
    }

    private BaseStreakBody streak(long atMs) {
        return StreakBodies.base(user.toState(), user.rules(), user.history(), nowMs(atMs));
    }

    /** The moment of the state, since a command may be late. */
    private long nowMs(long atMs) {
        return Math.max(user.newestMs(), atMs);
    }
}
