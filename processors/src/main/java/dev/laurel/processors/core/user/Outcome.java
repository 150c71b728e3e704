package dev.laurel.processors.core.user;

import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.core.notice.Notice;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;

/** What one command of a user comes to. */
public sealed interface Outcome {

    /** Nothing changed, nothing is left behind. */
    record Refused(Refusal refusal) implements Outcome {}

    /** It was done before: nothing changed; the answer shows the present. @param scores as they are */
    record Repeated(UserState state, List<Score> scores, Answer answer) implements Outcome {}

    /**
     * The command took place.
     *
     * @param isNewUser the user was created by it
     * @param notices for those outside, in the order in which they came up
     * @param completed achievements completed by it or on the way to it, silently or not
     * @param scores on every leaderboard that takes scores and knows the user, changed or not
     */
    record Applied(UserState state, boolean isNewUser, List<Effect> effects, List<Notice> notices,
            List<HistoryWrite> writes,
            List<Achievement> completed, List<Score> scores, Answer answer) implements Outcome {}

    /** Nothing changed, and yet those outside are told something. @param state as it is at that time */
    record Told(UserState state, List<Notice> notices, Answer answer) implements Outcome {}

    /** The user is to be forgotten. @param before what was known last */
    record Erased(UserState before, List<Effect> effects) implements Outcome {}

    /** What who asked is told; the rest is read off the state. */
    sealed interface Answer {}

    /** The user as it is now. */
    record UserShown() implements Answer {}

    record PreferencesShown() implements Answer {}

    record StreakShown() implements Answer {}

    record PauseShown(Pause pause) implements Answer {}

    record BoostShown(UserBoost boost) implements Answer {}

    record Done() implements Answer {}

    /** A message is on its way. */
    record MessageQueued() implements Answer {}

    /**
     * What an event changed.
     *
     * @param eventId null where neither the producer gave one nor anything remembers it: it is
     *            {@link CommandContext#derivedEventId}
     * @param completed achievements completed by it, not by backdating
     * @param streakExtended this event turned the current period to met
     * @param points systems in which this event made awards, in ruleset order
     * @param idempotencyKey null if none was sent
     */
    record EventResult(UUID eventId, Metric metric, BigDecimal total, List<Achievement> completed,
            boolean streakExtended, List<SystemAwards> points, String idempotencyKey, boolean isRepeated)
            implements
                Answer {}

    /** @param points as in {@link EventResult} */
    record CompletionResult(UUID completionId, Achievement achievement, List<SystemAwards> points) implements Answer {}

    /**
     * The awards of one command in one system, in the order applied.
     *
     * @param levelBefore the level held before, null if none
     * @param level the level held after, null if none
     */
    record SystemAwards(PointsSystem system, long added, long total, List<Award> awards, Level levelBefore,
            Level level) {

        public boolean changedLevel() {
            return levelBefore == null ? level != null : level == null || levelBefore.number() != level.number();
        }
    }
}
