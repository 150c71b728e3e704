package dev.laurel.processors.core.user;

import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.List;

/**
 * The state of a user that an event needs, in one immutable value: one read and one write per event. Objects of the ruleset
 * are named by their numbers. Times are epoch milliseconds.
 *
 * @param control in the control group, decided at creation
 * @param createdMs time of the first command
 * @param updatedMs time of the last command that changed a property
 * @param newestMs time of the newest command; older ones are late
 * @param sequence number of commands applied so far; orders the user's scores
 * @param rulesVersion the ruleset to which the user was last migrated
 * @param sums of the events that match a filter, by {@code sumNumber} of the achievement or number of the trigger
 * @param completions when each achievement was completed, by its number
 * @param boosts the user's own boosts
 * @param boostsAnnouncedTo the local day up to which their starts and ends were announced; 0 if there are none
 * @param boards values on leaderboards, by their number: in the newest run with a value
 * @param lastEventMs time of the newest event, {@link #NO_EVENT} if there was none
 * @param wakeUpMs when the timers store wakes this user, 0 if never
 */
public record UserState(UserId id, Profile profile, Preferences preferences, boolean control, long createdMs,
        long updatedMs, long newestMs, long sequence, long rulesVersion, IntKeyedMap<MetricState> metrics,
        IntKeyedMap<BigDecimal> sums, IntKeyedMap<PointsState> points, IntKeyedMap<Long> completions,
        StreakState streak,
        List<UserBoost> boosts, int boostsAnnouncedTo, IntKeyedMap<BoardState> boards, long lastEventMs,
        MessageState messages,
        long wakeUpMs) {

    /** The time of the newest event of a user without events: before any time. */
    public static final long NO_EVENT = Long.MIN_VALUE;

    public UserState {
        boosts = List.copyOf(boosts);
        boostsAnnouncedTo = boosts.isEmpty() ? 0 : boostsAnnouncedTo;
    }
}
