package dev.laurel.core.engine;

import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.ActiveDays;
import dev.laurel.core.user.ActiveDays.Activation;
import dev.laurel.core.user.PointsState.SystemAwards;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.AchievementBodies;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.EventBody;
import dev.laurel.schemas.wire.EventBody.CompletionBody;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The outcome of one command of a user. */
public sealed interface Outcome {

    /** The command is refused: nothing has changed. */
    record Refused(Refusal refusal) implements Outcome {}

    /**
     * The command was applied before. Nothing has changed, and the answer shows the present.
     *
     * @param scores the present scores
     */
    record Repeated(UserState state, List<Score> scores, Answer answer) implements Outcome {}

    /**
     * The command is applied.
     *
     * @param isNewUser whether the command has created the user
     * @param notices in the order of occurrence
     * @param completed achievements completed by the command or by timers before it, silently or not
     * @param scores on every open leaderboard with a value of the user, changed or not
     * @param event null: the command is no event
     */
    record Applied(
            UserState state,
            boolean isNewUser,
            List<Effect> effects,
            List<Notice> notices,
            List<HistoryWrite> writes,
            List<Achievement> completed,
            List<Score> scores,
            @Nullable CountedEvent event,
            Answer answer)
            implements Outcome {}

    /**
     * An event as the counters of the account see it.
     *
     * @param metric its number
     * @param day the user's local day
     * @param isFirstOfDay whether it is the user's first event of the metric on that day
     * @param newestDayBefore the newest day with an event of the metric so far; {@link ActiveDays#NO_DAY} if there was none
     * @param activation null: the user had an event of some metric on that day
     */
    record CountedEvent(
            int metric,
            int day,
            BigDecimal value,
            boolean isFirstOfDay,
            int newestDayBefore,
            @Nullable Activation activation) {}

    /** Nothing has changed, but notices are sent. @param state at the time of the command */
    record Notified(UserState state, List<Notice> notices, Answer answer) implements Outcome {}

    /** The user is to be erased. @param before the last state */
    record Erased(UserState before, List<Effect> effects) implements Outcome {}

    /** The answer to the client. The state provides what it does not contain. */
    sealed interface Answer {}

    /** The user as it is now. */
    record UserShown() implements Answer {}

    record PreferencesShown() implements Answer {}

    record StreakShown() implements Answer {}

    record PauseShown(Pause pause) implements Answer {}

    record BoostShown(UserBoost boost) implements Answer {}

    record Done() implements Answer {}

    /** A message is queued. */
    record MessageQueued() implements Answer {}

    /**
     * The changes by an event.
     *
     * @param eventId null: {@link CommandContext#derivedEventId}, which was not needed so far
     * @param completed achievements completed by the event, not by backdating
     * @param streakExtended whether the event has met the current period
     * @param points awards by the event, in ruleset order of the systems
     */
    record EventResult(
            @Nullable UUID eventId,
            Metric metric,
            BigDecimal total,
            List<Achievement> completed,
            boolean streakExtended,
            List<SystemAwards> points,
            @Nullable String idempotencyKey,
            boolean isRepeated)
            implements Answer {

        /**
         * The answer to the event.
         *
         * @param nowMs the moment of the state
         * @param isComplete whether no leaderboard adds its part later; otherwise the body has no leaderboards yet
         */
        public EventBody body(
                CommandContext context,
                UserState state,
                CompiledRuleset rules,
                UserHistory history,
                long nowMs,
                boolean isComplete) {
            var achievements = new ArrayList<AchievementBody>(completed.size());
            for (Achievement achievement : completed) {
                achievements.add(AchievementBodies.of(state, achievement, rules));
            }
            return new EventBody(
                    eventId != null ? eventId : context.derivedEventId(),
                    metric.id(),
                    total,
                    achievements,
                    StreakBodies.event(state, rules, history, streakExtended, nowMs),
                    PointsBodies.changed(context.user(), rules, points, Bodies.today(state, rules, nowMs)),
                    isComplete ? Optional.of(Map.of()) : Optional.empty(),
                    Optional.ofNullable(idempotencyKey),
                    idempotencyKey != null ? Optional.of(isRepeated) : Optional.empty(),
                    Optional.empty());
        }
    }

    /** @param points as in {@link EventResult} */
    record CompletionResult(UUID completionId, Achievement achievement, List<SystemAwards> points) implements Answer {

        /** The answer to the completion. @param nowMs the moment of the state */
        public CompletionBody body(UserKey user, UserState state, CompiledRuleset rules, long nowMs) {
            return new CompletionBody(
                    completionId,
                    AchievementBodies.of(state, achievement, rules),
                    PointsBodies.changed(user, rules, points, Bodies.today(state, rules, nowMs)),
                    Optional.empty());
        }
    }
}
