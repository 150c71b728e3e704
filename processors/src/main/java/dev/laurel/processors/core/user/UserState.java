package dev.laurel.processors.core.user;

import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.List;

/**
 * Everything that an event needs to know of its user, in one immutable value: one read and one write per event. Objects of
 * the ruleset are named by their numbers. Times are epoch milliseconds.
 *
 * @param control in the control group, decided at creation
 * @param createdMs time of the first command
 * @param updatedMs time of the last command that changed a property
 * @param newestMs time of the newest command; older ones are late
 * @param sequence commands applied so far; orders the user's scores
 * @param rulesVersion the ruleset that the user was last brought up to, see {@link Settlement}
 * @param sums of the events that match a filter, by {@code sumNumber} of the achievement or number of the trigger
 * @param completions when each achievement was completed, by its number
 * @param boosts the user's own ones
 * @param boostsToldTo the local day up to which it was told which of them begin and end; 0 where there are none
 * @param boards what it came to on leaderboards, by their number: in the newest run with a value
 * @param lastEventMs time of the newest event, {@link #NO_EVENT} if there was none
 * @param wakeUpMs when the timers store has this user, 0 if it has not
 */
public record UserState(UserId id, Profile profile, Preferences preferences, boolean control, long createdMs,
        long updatedMs, long newestMs, long sequence, long rulesVersion, Numbered<MetricState> metrics,
        Numbered<BigDecimal> sums, Numbered<PointsState> points, Numbered<Long> completions, StreakState streak,
        List<UserBoost> boosts, int boostsToldTo, Numbered<BoardState> boards, long lastEventMs, MessageState messages,
        long wakeUpMs) {

    /** Before any time. */
    public static final long NO_EVENT = Long.MIN_VALUE;

    public UserState {
        boosts = List.copyOf(boosts);
        boostsToldTo = boosts.isEmpty() ? 0 : boostsToldTo;
    }
}
