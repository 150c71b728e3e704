package dev.laurel.processors.core.user;

import dev.laurel.processors.core.notice.Notice;
import dev.laurel.processors.core.message.MessageSubject;
import dev.laurel.processors.core.rules.HookRules;
import dev.laurel.processors.core.rules.MessageRules;
import dev.laurel.processors.core.user.Outcome.SystemAwards;
import dev.laurel.processors.core.view.AchievementBodies;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.core.view.MessageBodies;
import dev.laurel.processors.core.view.PointsBodies;
import dev.laurel.processors.core.view.StreakBodies;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.BaseStreakBody;
import dev.laurel.schemas.wire.UserBody;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Instant;

/**
 * What webhooks are told of the user in a turn (webhooks.md §2), as the user is at that moment. Nothing is made of what nobody
 * asks for: who did not when it happened, or does not any more, is not told. Nor is anything made of timers that were due
 * long before somebody looked: years of them cost nothing.
 */
final class HookNotices {

    private final UserTurn turn;
    private final HookRules present;
    private final boolean isKept;

    /** @param turn under the rules that are in force in the end; while a user is brought up to them, older ones hold */
    HookNotices(UserTurn turn, CommandContext context) {
        this.turn = turn;
        this.present = turn.rules.hooks();
        this.isKept = !context.isRead();
    }

    void achievementCompleted(Achievement achievement, long atMs) {
        if (want(WebhookEvent.ACHIEVEMENT_COMPLETED, atMs)) {
            UserState state = turn.toState();
            add(WebhookEvent.ACHIEVEMENT_COMPLETED, atMs, new WebhookPayload.AchievementCompleted(Bodies.user(state),
                    AchievementBodies.of(state, achievement, turn.rules)));
        }
    }

    void streakStarted(long atMs) {
        if (want(WebhookEvent.STREAK_STARTED, atMs)) {
            add(WebhookEvent.STREAK_STARTED, atMs, new WebhookPayload.StreakStarted(user(), streak(atMs)));
        }
    }

    void streakExtended(long atMs) {
        if (want(WebhookEvent.STREAK_EXTENDED, atMs)) {
            add(WebhookEvent.STREAK_EXTENDED, atMs, new WebhookPayload.StreakExtended(user(), streak(atMs)));
        }
    }

    void streakLost(int length, long atMs) {
        if (want(WebhookEvent.STREAK_LOST, atMs)) {
            add(WebhookEvent.STREAK_LOST, atMs, new WebhookPayload.StreakLost(user(), length));
        }
    }

    void freezeConsumed(int consumed, int left, long atMs) {
        if (want(WebhookEvent.STREAK_FREEZE_CONSUMED, atMs)) {
            add(WebhookEvent.STREAK_FREEZE_CONSUMED, atMs, new WebhookPayload.FreezeConsumed(user(), consumed, left));
        }
    }

    void freezeEarned(int earned, int now, long atMs) {
        if (want(WebhookEvent.STREAK_FREEZE_EARNED, atMs)) {
            add(WebhookEvent.STREAK_FREEZE_EARNED, atMs, new WebhookPayload.FreezeEarned(user(), earned, now));
        }
    }

    void pointsChanged(SystemAwards changed, long atMs) {
        if (want(WebhookEvent.POINTS_CHANGED, atMs)) {
            var points = PointsBodies.changed(turn.key, turn.rules, changed, WebhookPayload.PointsChanged.MAX_AWARDS,
                    turn.dayOf(nowMs(atMs)));
            add(WebhookEvent.POINTS_CHANGED, atMs, changed.system().id().toString(),
                    new WebhookPayload.PointsChanged(user(), points));
        }
    }

    void levelChanged(SystemAwards changed, long atMs) {
        if (want(WebhookEvent.POINTS_LEVEL_CHANGED, atMs)) {
            add(WebhookEvent.POINTS_LEVEL_CHANGED, atMs, new WebhookPayload.LevelChanged(user(),
                    PointsBodies.total(changed.system(), changed.total()), PointsBodies.level(changed.levelBefore()),
                    PointsBodies.level(changed.level())));
        }
    }

    void boostStarted(PointsSystem system, UserBoost boost, long atMs) {
        if (want(WebhookEvent.POINTS_BOOST_STARTED, atMs)) {
            add(WebhookEvent.POINTS_BOOST_STARTED, atMs, new WebhookPayload.BoostStarted(Instant.ofEpochMilli(atMs),
                    PointsBodies.boost(system, turn.key.user(), boost, false)));
        }
    }

    void boostFinished(PointsSystem system, UserBoost boost, long atMs) {
        if (want(WebhookEvent.POINTS_BOOST_FINISHED, atMs)) {
            add(WebhookEvent.POINTS_BOOST_FINISHED, atMs, new WebhookPayload.BoostFinished(Instant.ofEpochMilli(atMs),
                    PointsBodies.boost(system, turn.key.user(), boost, true)));
        }
    }

    /** @param subject of a message that webhooks are to be told of, by the decision about it */
    void messageDue(MessageSubject subject, long atMs) {
        WebhookEvent event = MessageRules.eventOf(subject.type());
        if (want(event, atMs)) {
            add(event, atMs, MessageBodies.payload(subject, turn.toState(), turn.rules, turn.history, atMs));
        }
    }

    private boolean want(WebhookEvent event, long atMs) {
        return isKept && present.want(event) && turn.rules.hooks().want(event) && !turn.isStale(atMs);
    }

    private void add(WebhookEvent event, long atMs, WebhookPayload payload) {
        add(event, atMs, null, payload);
    }

    private void add(WebhookEvent event, long atMs, String about, WebhookPayload payload) {
        turn.notices.add(new Notice.ForWebhooks(Instant.ofEpochMilli(atMs), event, about, payload));
    }

    private UserBody user() {
        return Bodies.user(turn.toState());
    }

    private BaseStreakBody streak(long atMs) {
        return StreakBodies.base(turn.toState(), turn.rules, turn.history, nowMs(atMs));
    }

    /** What the state stands for: a command may be late. */
    private long nowMs(long atMs) {
        return Math.max(turn.newestMs, atMs);
    }
}
