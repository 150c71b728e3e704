package dev.laurel.processors;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.statistics.RankedStreak;
import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.PointsRanges;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.users.UserIndexReader;
import dev.laurel.processors.store.users.UserReader;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The statistics of all users, as they are shown or by a recount.
 *
 * @param ranges users with points by the cell of their total, for each points system with points, for all users and by each attribute
 * @param best the longest streaks
 * @param sample the users of the sample
 */
public record StatisticsFigures(
        Map<String, Map<Integer, Long>> ranges, Map<By, List<RankedStreak>> best, List<UserId> sample) {

    private static final int LISTED = 100;

    public static StatisticsFigures recounted(Collection<UserState> users) {
        var ranges = new TreeMap<String, Map<Integer, Long>>();
        for (int system : systems(users)) {
            for (List<AttributeFilter> filters : filters(users)) {
                var counts = new TreeMap<Integer, Long>();
                users.stream()
                        .filter(user -> filters.stream()
                                .allMatch(f -> f.value()
                                        .equals(user.profile().attributes().get(f.attribute()))))
                        .forEach(user -> counts.merge(
                                PointsRanges.cell(PointsState.totalOf(user.points(), system)), 1L, Long::sum));
                ranges.put(system + " " + filters, counts);
            }
        }
        var best = new HashMap<By, List<RankedStreak>>();
        for (By by : By.values()) {
            best.put(by, places(users, by).stream().limit(LISTED).toList());
        }
        return new StatisticsFigures(
                ranges,
                best,
                users.stream()
                        .map(UserState::id)
                        .sorted(UserIndexReader.SAMPLE_ORDER)
                        .limit(LISTED)
                        .toList());
    }

    /** @param users the users to look up */
    public static StatisticsFigures shown(UserReader reader, AccountCounters counters, Collection<UserState> users) {
        var ranges = new TreeMap<String, Map<Integer, Long>>();
        for (int system : systems(users)) {
            for (List<AttributeFilter> filters : filters(users)) {
                var counts = new TreeMap<Integer, Long>();
                var others = new long[1];
                AccountCounters.Cells ofUsers = (_, count) -> others[0] += count;
                AccountCounters.Cells ofRanges = (cell, count) -> {
                    counts.merge(cell, count, Long::sum);
                    others[0] -= count;
                };
                if (filters.isEmpty()) {
                    counters.forEach(TenantId.NONE, Counter.USERS, 0, SegmentGroup.ALL, ofUsers);
                    counters.forEach(TenantId.NONE, Counter.POINTS_RANGES, system, SegmentGroup.ALL, ofRanges);
                } else {
                    counters.forEachOf(TenantId.NONE, Counter.USERS, 0, filters, ofUsers);
                    counters.forEachOf(TenantId.NONE, Counter.POINTS_RANGES, system, filters, ofRanges);
                }
                counts.put(0, others[0]);
                counts.values().removeIf(count -> count == 0);
                ranges.put(system + " " + filters, counts);
            }
        }
        var best = new HashMap<By, List<RankedStreak>>();
        for (By by : By.values()) {
            best.put(by, reader.index().streaks(TenantId.NONE, by, LISTED));
        }
        return new StatisticsFigures(ranges, best, reader.index().sample(TenantId.NONE, LISTED));
    }

    private static Collection<Integer> systems(Collection<UserState> users) {
        var systems = new TreeSet<Integer>();
        for (UserState user : users) {
            for (int i = 0; i < user.points().size(); i++) {
                systems.add(user.points().numberAt(i));
            }
        }
        return systems;
    }

    private static List<List<AttributeFilter>> filters(Collection<UserState> users) {
        var filters = new ArrayList<List<AttributeFilter>>();
        filters.add(List.of());
        users.stream()
                .flatMap(user -> user.profile().attributes().entrySet().stream())
                .distinct()
                .forEach(pair -> filters.add(List.of(new AttributeFilter(pair.getKey(), pair.getValue()))));
        return filters;
    }

    private static List<RankedStreak> places(Collection<UserState> users, By by) {
        return users.stream()
                .map(user -> RankedStreak.of(user, by))
                .filter(Objects::nonNull)
                .sorted(RankedStreak.BEST_FIRST)
                .toList();
    }
}
