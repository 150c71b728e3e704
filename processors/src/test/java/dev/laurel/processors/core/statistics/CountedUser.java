package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.user.ActiveDays;
import dev.laurel.processors.core.user.DaysOff;
import dev.laurel.processors.core.user.IntKeyedMap;
import dev.laurel.processors.core.user.MessageState;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.Preferences;
import dev.laurel.processors.core.user.Profile;
import dev.laurel.processors.core.user.StreakBlock;
import dev.laurel.processors.core.user.StreakState;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A user with chosen values for the statistics.
 *
 * @param totals by the number of the points system
 */
public record CountedUser(String id, Map<String, String> attributes, Map<Integer, Long> totals, int length, int longest,
        long extendedAtMs, boolean wantsStreak) {

    public static CountedUser of(String id) {
        return new CountedUser(id, Map.of(), Map.of(), 0, 0, StreakState.NEVER, true);
    }

    public CountedUser with(String attribute, String value) {
        var more = new TreeMap<>(attributes);
        more.put(attribute, value);
        return new CountedUser(id, more, totals, length, longest, extendedAtMs, wantsStreak);
    }

    public CountedUser with(int system, long total) {
        var more = new TreeMap<>(totals);
        more.put(system, total);
        return new CountedUser(id, attributes, more, length, longest, extendedAtMs, wantsStreak);
    }

    public CountedUser streak(int present, int longestEver, long atMs) {
        return new CountedUser(id, attributes, totals, present, longestEver, atMs, wantsStreak);
    }

    public CountedUser wantsStreak(boolean wants) {
        return new CountedUser(id, attributes, totals, length, longest, extendedAtMs, wants);
    }

    /** The state with one metric, number 1. */
    UserState state(MetricState metric) {
        UserState state = state();
        return new UserState(state.id(), state.profile(), state.preferences(), state.control(), state.createdMs(),
                state.updatedMs(), state.newestMs(), state.sequence(), state.rulesVersion(),
                IntKeyedMap.<MetricState>empty().with(1, metric), state.sums(), state.points(), state.completions(),
                state.streak(), state.active(), state.boosts(), state.boostsAnnouncedTo(), state.boards(),
                state.lastEventMs(), state.messages(), state.wakeUpMs());
    }

    public UserState state() {
        IntKeyedMap<PointsState> points = IntKeyedMap.empty();
        for (var total : totals.entrySet()) {
            points = points.with(total.getKey(),
                    new PointsState(total.getValue(), 0, List.of(), IntKeyedMap.empty(), 0, 0));
        }
        var streak = new StreakState(StreakState.NONE.periods(), StreakBlock.EMPTY, 0, length, longest, 0, extendedAtMs,
                0,
                IntKeyedMap.empty(),
                0, 0, 0, StreakState.NEVER, null, List.of(), DaysOff.NONE, List.of());
        return new UserState(new UserId(id),
                new Profile(null, null, null, List.of(), null, null, new TreeMap<>(attributes)),
                new Preferences(Map.of(), wantsStreak, null, null, null), false, 0, 0, 0, 1, 1, IntKeyedMap.empty(),
                IntKeyedMap.empty(), points, IntKeyedMap.empty(), streak, ActiveDays.NONE, List.of(), 0,
                IntKeyedMap.empty(), UserState.NO_EVENT, MessageState.NONE, 0);
    }
}
