package dev.laurel.query.read;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.ScoreRanges;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.view.PointsRanges;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.users.UserReader;
import dev.laurel.query.locate.AgedValues;
import dev.laurel.query.locate.AgedValues.Limits;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.UserPartitions;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.ObjectBody;
import dev.laurel.schemas.wire.PointsSystemBody.PointsRangeBody;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts of a tenant's present users, from the counters of the account, which every node knows. No read asks another node for them.
 * Completions in a partition of this node show at once, all other changes within a second. Thread-safe.
 */
public final class CurrentCounts {

    /** Counters follow a change within half a second or a little more, so that counts of this age are not older than a second. */
    private static final Duration AGE = Duration.ofMillis(250);

    private static final int MAX_TENANTS = 1_000;

    private final Supplier<@Nullable AccountCounters> counters;
    private final UserPartitions partitions;
    private final AgedValues<Except, Completions> completions;
    private final AgedValues<TenantId, NavigableMap<Integer, Long>> streaks;

    /** The users of a tenant, except those of some partitions. */
    private record Except(TenantId tenant, List<Integer> partitions) {}

    /** @param byAchievement the number of users who have an achievement, by its number */
    private record Completions(long users, Map<Integer, Long> byAchievement) {

        static Completions of(AccountCounters counters, TenantId tenant) {
            var completed = new HashMap<Integer, Long>();
            counters.forEach(tenant, Counter.COMPLETED, 0, SegmentGroup.ALL, completed::put);
            return new Completions(counters.sum(tenant, Counter.USERS, 0, SegmentGroup.ALL, 0, 0), completed);
        }

        long of(int achievement) {
            return byAchievement.getOrDefault(achievement, 0L);
        }

        Completions plus(int sign, Completions others) {
            var sum = new HashMap<>(byAchievement);
            others.byAchievement.forEach((achievement, count) -> sum.merge(achievement, sign * count, Long::sum));
            return new Completions(users + sign * others.users, sum);
        }
    }

    public CurrentCounts(LocalNode node) {
        this(node, AGE);
    }

    /** @param age the greatest age of the counts beyond that of the counters */
    CurrentCounts(LocalNode node, Duration age) {
        this.counters = node.counters();
        this.partitions = node.users().partitions();
        this.completions = new AgedValues<>(Limits.of(age, MAX_TENANTS), this::readUsers);
        this.streaks = new AgedValues<>(Limits.of(age, MAX_TENANTS), this::readStreaks);
    }

    private AccountCounters open() {
        AccountCounters known = counters.get();
        if (known == null) {
            throw new NotReadyException("the counters of the account are being read");
        }
        return known;
    }

    private Completions readUsers(Except except) {
        try (AccountCounters known = open()) {
            Completions rest = Completions.of(known, except.tenant);
            for (int partition : except.partitions) {
                rest = rest.plus(-1, Completions.of(known.part(partition), except.tenant));
            }
            return rest;
        }
    }

    /** The completions of all users. */
    private Completions all(TenantId tenant) {
        List<Integer> here = IntStream.range(0, partitions.layout().partitions())
                .filter(partitions::isServed)
                .boxed()
                .toList();
        try {
            Completions all = completions.get(new Except(tenant, here));
            for (int partition : here) {
                all = all.plus(1, partitions.read(partition, reader -> Completions.of(reader.counters(), tenant)));
            }
            return all;
        } catch (NotReadyException _) {
            return completions.get(new Except(tenant, List.of())); // A partition has just left this node.
        }
    }

    /** The number of users with a streak of some length or longer, by the length. */
    private NavigableMap<Integer, Long> readStreaks(TenantId tenant) {
        var lengths = new TreeMap<Integer, Long>();
        try (AccountCounters known = open()) {
            known.forEach(tenant, Counter.STREAK_LENGTHS, 0, SegmentGroup.ALL, lengths::put);
        }
        long longer = 0;
        for (Map.Entry<Integer, Long> length : lengths.descendingMap().entrySet()) {
            longer += length.getValue();
            length.setValue(longer);
        }
        return lengths;
    }

    /** The number of users with a longer streak. @throws NotReadyException while the counters are being read after a start */
    long longerStreaks(TenantId tenant, int length) {
        Map.Entry<Integer, Long> next = streaks.get(tenant).higherEntry(length);
        return next == null ? 0 : next.getValue();
    }

    /**
     * The numbers of users by ranges of points.
     *
     * @param system the number of a points system
     * @param filters only users who have all of these attributes
     * @throws NotReadyException while the counters are being read after a start
     */
    List<PointsRangeBody> ranges(TenantId tenant, int system, List<AttributeFilter> filters) {
        var ranges = new PointsRanges();
        var others = new long[1];
        AccountCounters.Cells withPoints = (cell, users) -> {
            ranges.add(cell, users);
            others[0] -= users;
        };
        try (AccountCounters known = open()) {
            if (filters.isEmpty()) {
                others[0] = known.sum(tenant, Counter.USERS, 0, SegmentGroup.ALL, 0, 0);
                known.forEach(tenant, Counter.POINTS_RANGES, system, SegmentGroup.ALL, withPoints);
            } else {
                known.forEachOf(tenant, Counter.USERS, 0, filters, (_, users) -> others[0] += users);
                known.forEachOf(tenant, Counter.POINTS_RANGES, system, filters, withPoints);
            }
        }
        ranges.add(0, others[0]);
        return ranges.toBodies();
    }

    /**
     * The numbers of users by the level of a points system that they hold, by its number.
     *
     * @throws NotReadyException while the counters are being read after a start
     */
    Map<Integer, Long> levels(TenantId tenant, int system) {
        var levels = new HashMap<Integer, Long>();
        try (AccountCounters known = open()) {
            known.forEach(tenant, Counter.LEVELS, system, SegmentGroup.ALL, levels::put);
        }
        return levels;
    }

    /**
     * Where a score is among those of all users in a run of a leaderboard.
     *
     * @param group of the user, as values of the breakdown attributes
     * @throws NotReadyException while the counters are being read after a start
     */
    ScoreRanges.Counts scores(TenantId tenant, int board, int run, List<String> group, BigDecimal value) {
        try (AccountCounters known = open()) {
            return known.scores(tenant, board, run, group, value);
        }
    }

    /**
     * Adds the number of completions to the objects that are achievements.
     *
     * @param achievements all of the tenant
     * @throws NotReadyException while the counters are being read after a start
     */
    public List<ObjectBody> addTo(TenantId tenant, List<Achievement> achievements, List<ObjectBody> objects) {
        var numbers = achievements.stream().collect(Collectors.toMap(Achievement::id, Achievement::number));
        if (objects.stream().noneMatch(object -> numbers.containsKey(object.id()))) {
            return objects;
        }
        Completions all = all(tenant);
        return objects.stream()
                .map(object -> {
                    Integer number = numbers.get(object.id());
                    return number == null ? object : object.with("completions", all.of(number));
                })
                .toList();
    }

    /**
     * The bodies of achievements with the number of users who have them, and the share of all users.
     *
     * @throws NotReadyException while the counters are being read after a start
     */
    List<AchievementBody> addTo(
            TenantId tenant, List<Achievement> achievements, Function<Achievement, AchievementBody> body) {
        Completions all = all(tenant);
        return counted(achievements, body, all::of, all.users);
    }

    /**
     * Works like the other method, for a read of a user. Only changes of the user's partition show at once.
     *
     * @param here the user's partition
     * @param partition its number
     */
    List<AchievementBody> addTo(
            TenantId tenant,
            UserReader here,
            int partition,
            List<Achievement> achievements,
            Function<Achievement, AchievementBody> body) {
        Completions others = completions.get(new Except(tenant, List.of(partition)));
        AccountCounters present = here.counters();
        long users = others.users + present.sum(tenant, Counter.USERS, 0, SegmentGroup.ALL, 0, 0);
        return counted(
                achievements,
                body,
                number ->
                        others.of(number) + present.sum(tenant, Counter.COMPLETED, 0, SegmentGroup.ALL, number, number),
                users);
    }

    /** The bodies with their rarity. @param completions the number of users who have completed the achievement of a number */
    private static List<AchievementBody> counted(
            List<Achievement> achievements,
            Function<Achievement, AchievementBody> body,
            IntToLongFunction completions,
            long users) {
        return achievements.stream()
                .map(achievement -> {
                    long having = completions.applyAsLong(achievement.number());
                    return body.apply(achievement)
                            .counted(having, users == 0 ? BigDecimal.ZERO : percent(having, users));
                })
                .toList();
    }

    /** With two decimals. @param all not 0 */
    static BigDecimal percent(long some, long all) {
        return BigDecimal.valueOf(some * 100).divide(BigDecimal.valueOf(all), 2, RoundingMode.HALF_UP);
    }
}
