package dev.laurel.processors.core.engine;

import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.PointsState.SystemAwards;
import dev.laurel.processors.core.user.StreakState.Pause;
import dev.laurel.processors.core.user.UserBoost;
import dev.laurel.processors.core.user.UserHistory.HistoryWrite;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.core.view.AchievementBodies;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.core.view.PointsBodies;
import dev.laurel.processors.core.view.StreakBodies;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.wire.AchievementBody.CompletionBody;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.EventBody;
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
     * The command was applied before: nothing has changed, and the answer shows the present.
     *
     * @param scores the present ones
     */
    record Repeated(UserState state, List<Score> scores, Answer answer) implements Outcome {}

    /**
     * The command is applied.
     *
     * @param isNewUser whether it has created the user
     * @param notices in the order of the occurrences
     * @param completed achievements completed by it or before it by time, silently or not
     * @param scores on every leaderboard that takes scores and knows the user, changed or not
     */
    record Applied(UserState state, boolean isNewUser, List<Effect> effects, List<Notice> notices,
            List<HistoryWrite> writes,
            List<Achievement> completed, List<Score> scores, Answer answer) implements Outcome {}

    /** Nothing has changed, but notices are sent. @param state at that time */
    record Notified(UserState state, List<Notice> notices, Answer answer) implements Outcome {}

    /** The user is to be erased. @param before the last state */
    record Erased(UserState before, List<Effect> effects) implements Outcome {}

    /** The answer to the caller. What it does not contain is read off the state. */
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
     * @param eventId null if the producer gave none and no idempotency key keeps it: then it is
     *            {@link CommandContext#derivedEventId}
     * @param completed achievements completed by it, not by backdating
     * @param streakExtended whether this event has met the current period
     * @param points systems in which this event made awards, in ruleset order
     * @param idempotencyKey null if none was sent
     */
    record EventResult(@Nullable UUID eventId, Metric metric, BigDecimal total, List<Achievement> completed,
            boolean streakExtended, List<SystemAwards> points, @Nullable String idempotencyKey, boolean isRepeated)
            implements
                Answer {

        /**
         * The answer to the event.
         *
         * @param nowMs the moment of the state
         * @param isComplete whether no leaderboard has to add its part; otherwise leaderboards are left out of the body
         */
        public EventBody body(CommandContext context, UserState state, CompiledRuleset rules, UserHistory history,
                long nowMs, boolean isComplete) {
            var achievements = new ArrayList<AchievementBody>(completed.size());
            for (Achievement achievement : completed) {
                achievements.add(AchievementBodies.of(state, achievement, rules));
            }
            return new EventBody(eventId != null ? eventId : context.derivedEventId(), metric.id(), total,
                    achievements, StreakBodies.event(state, rules, history, streakExtended, nowMs),
                    PointsBodies.changed(context.user(), rules, points, Bodies.today(state, rules, nowMs)),
                    isComplete ? Optional.of(Map.of()) : Optional.empty(), Optional.ofNullable(idempotencyKey),
                    idempotencyKey != null ? Optional.of(isRepeated) : Optional.empty(), Optional.empty());
        }
    }

    /** @param points as in {@link EventResult} */
    record CompletionResult(UUID completionId, Achievement achievement, List<SystemAwards> points) implements Answer {

        /** The answer to the completion. @param nowMs the moment of the state */
        public CompletionBody body(UserKey user, UserState state, CompiledRuleset rules, long nowMs) {
            return new CompletionBody(completionId, AchievementBodies.of(state, achievement, rules),
                    PointsBodies.changed(user, rules, points, Bodies.today(state, rules, nowMs)), Optional.empty());
        }
    }
}
