package dev.laurel.core.user;

import dev.laurel.core.user.PointsState.Award;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Records;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a user's state that events need, in one immutable value: one read and one write per event. Objects of the
 * ruleset are identified by their numbers. Times are epoch milliseconds.
 *
 * @param control whether the user is in the control group, decided at creation
 * @param createdMs time of the first command
 * @param updatedMs time of the last command that changed a property
 * @param newestMs time of the newest command; older commands are late
 * @param sequence number of commands applied so far; orders the user's scores
 * @param rulesVersion the ruleset to which the user was last migrated
 * @param sums sums of events that match a filter, by {@code sumNumber} of the achievement or number of the trigger
 * @param completions completion times of achievements
 * @param active the days on which the user was active
 * @param boosts the user's own boosts
 * @param boostsAnnouncedTo the local day up to which their starts and ends were announced; 0 without boosts
 * @param boards values on leaderboards, each in the newest run with a value
 * @param lastEventMs time of the newest event, {@link #NO_EVENT} if there was none
 * @param wakeUpMs due time of this user in the timers store, 0 if there is none
 */
public record UserState(
        UserId id,
        Profile profile,
        Preferences preferences,
        boolean control,
        long createdMs,
        long updatedMs,
        long newestMs,
        long sequence,
        long rulesVersion,
        IntKeyedMap<MetricState> metrics,
        IntKeyedMap<BigDecimal> sums,
        IntKeyedMap<PointsState> points,
        IntKeyedMap<Long> completions,
        StreakState streak,
        ActiveDays active,
        List<UserBoost> boosts,
        int boostsAnnouncedTo,
        IntKeyedMap<LeaderboardState> boards,
        long lastEventMs,
        MessageState messages,
        long wakeUpMs) {

    /** Stands for the time of the newest event while there is none. Earlier than any time. */
    public static final long NO_EVENT = Long.MIN_VALUE;

    public UserState {
        boosts = List.copyOf(boosts);
        boostsAnnouncedTo = boosts.isEmpty() ? 0 : boostsAnnouncedTo;
    }

    /** This state with another state of messages, on which no timer depends. */
    public UserState withMessages(MessageState changed) {
        return Records.with(this, "messages", changed);
    }

    /**
     * The newest awards in one points system, newest first, at most {@code limit}.
     *
     * @param history of the user
     * @param system its number
     */
    public List<Award> newestAwards(UserHistory history, int system, int limit) {
        PointsState of = PointsState.orNone(points.get(system));
        var awards = new ArrayList<Award>(Math.min(limit, of.awards()));
        addNewestFirst(awards, of.newest(), limit);
        for (int page = PointsState.pageOf(of.awards()) - 1; page >= 0 && awards.size() < limit; page--) {
            addNewestFirst(awards, history.ledgerPage(system, page), limit);
        }
        return awards;
    }

    private static void addNewestFirst(List<Award> awards, List<Award> page, int limit) {
        for (int i = page.size() - 1; i >= 0 && awards.size() < limit; i--) {
            awards.add(page.get(i));
        }
    }
}
