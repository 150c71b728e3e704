package dev.laurel.processors;

import dev.laurel.processors.core.statistics.RankedStreak.By;
import dev.laurel.processors.core.statistics.RankedStreak;
import dev.laurel.processors.core.statistics.StatisticsIndex;
import dev.laurel.processors.core.statistics.UserSample;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.AttributeFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The statistics of all users, from an index or by a recount.
 *
 * @param totals users by total, for each points system with points, for all users and by each attribute
 * @param best the longest streaks
 * @param sample the users of the sample
 */
public record StatisticsFigures(Map<String, Map<Long, Long>> totals, Map<By, List<RankedStreak>> best,
        List<UserId> sample) {

    private static final int LISTED = 100;

    public static StatisticsFigures recounted(Collection<UserState> users) {
        var totals = new TreeMap<String, Map<Long, Long>>();
        for (int system : systems(users)) {
            for (List<AttributeFilter> filters : filters(users)) {
                var counts = new TreeMap<Long, Long>();
                users.stream().filter(user -> filters.stream()
                        .allMatch(f -> f.value().equals(user.profile().attributes().get(f.attribute()))))
                        .forEach(user -> counts.merge(PointsState.totalOf(user.points(), system), 1L, Long::sum));
                totals.put(system + " " + filters, counts);
            }
        }
        var best = new HashMap<By, List<RankedStreak>>();
        for (By by : By.values()) {
            best.put(by, places(users, by).stream().limit(LISTED).toList());
        }
        var sample = new UserSample();
        users.forEach(user -> sample.offer(user.id()));
        return new StatisticsFigures(totals, best, sample.users());
    }

    /** @param users the users to look up in the index */
    public static StatisticsFigures shown(StatisticsIndex index, Collection<UserState> users) {
        var totals = new TreeMap<String, Map<Long, Long>>();
        for (int system : systems(users)) {
            for (List<AttributeFilter> filters : filters(users)) {
                var counts = new TreeMap<Long, Long>();
                index.forEachTotal(system, filters, (total, count) -> counts.merge(total, count, Long::sum));
                totals.put(system + " " + filters, counts);
            }
        }
        var best = new HashMap<By, List<RankedStreak>>();
        for (By by : By.values()) {
            best.put(by, index.best(by, LISTED));
        }
        var sample = new UserSample();
        index.addSampleTo(sample);
        return new StatisticsFigures(totals, best, sample.users());
    }

    /** The statistics while the sample has lost users and is being rebuilt. */
    public StatisticsFigures withoutSample() {
        return new StatisticsFigures(totals, best, List.of());
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
        users.stream().flatMap(user -> user.profile().attributes().entrySet().stream()).distinct()
                .forEach(pair -> filters.add(List.of(new AttributeFilter(pair.getKey(), pair.getValue()))));
        return filters;
    }

    private static List<RankedStreak> places(Collection<UserState> users, By by) {
        return users.stream().map(user -> RankedStreak.of(user, by)).filter(Objects::nonNull)
                .sorted(RankedStreak.BEST_FIRST).toList();
    }
}
