package dev.laurel.core.compare;

import dev.laurel.core.compare.ComparedUser.Entry;
import dev.laurel.core.compare.UserComparison.Difference;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the differences of all users. Its size depends on the objects of the rulesets and on {@code top}, not on the number
 * of users. Not thread-safe.
 */
public final class ComparisonTotals {

    /** The maximum number of pairs of levels: longer tables are not readable. */
    private static final int MAX_LEVEL_MOVES = 1_000;

    /** Sums of one points system over all users, and the number of users with another total. */
    public record PointsSums(long before, long after, long users) {

        private PointsSums plus(PointsSums other) {
            return new PointsSums(before + other.before, after + other.after, users + other.users);
        }
    }

    /**
     * The number of users whose total of one points system changes by {@code from} to {@code to}; both are negative for users who
     * lose points. Ranges of gains begin at 1, 2, 5, 10, 20, 50 and so on, and those of losses are their mirror image.
     */
    public record ChangeRange(long from, long to, long users) {}

    /** The numbers of users who have gained and who have lost an achievement. */
    public record Completions(long gained, long lost) {

        private Completions plus(Completions other) {
            return new Completions(gained + other.gained, lost + other.lost);
        }
    }

    /** Numbers of users of one tenant: all, those with differences of their own, those with only another rank. */
    public record TenantUsers(long users, long different, long overtaken) {

        private TenantUsers plus(TenantUsers other) {
            return new TenantUsers(users + other.users, different + other.different, overtaken + other.overtaken);
        }
    }

    /** @param from key of a level, as for {@code to}; null: no level */
    public record LevelMove(TenantsKey system, @Nullable String from, @Nullable String to, long users) {}

    /** Numbers of users with a streak only after, only before, longer, shorter, and of equal length on other days. */
    public record StreakMoves(long begun, long gone, long longer, long shorter, long moved) {

        private StreakMoves plus(StreakMoves other) {
            return new StreakMoves(begun + other.begun, gone + other.gone, longer + other.longer,
                    shorter + other.shorter, moved + other.moved);
        }
    }

    /**
     * Numbers of users who have entered a leaderboard, who have left it, with another value or group, and with only another
     * rank.
     */
    public record EntryMoves(long entered, long left, long otherValue, long onlyRank) {

        private EntryMoves plus(EntryMoves other) {
            return new EntryMoves(entered + other.entered, left + other.left, otherValue + other.otherValue,
                    onlyRank + other.onlyRank);
        }
    }

    /** Sums of one metric over the users with another total. */
    public record MetricSums(BigDecimal before, BigDecimal after, long users) {

        private MetricSums plus(MetricSums other) {
            return new MetricSums(before.add(other.before), after.add(other.after), users + other.users);
        }
    }

    private record LevelPair(TenantsKey system, @Nullable String from,
            @Nullable String to) implements Comparable<LevelPair> {

        private static final Comparator<LevelPair> ORDER = Comparator.comparing(LevelPair::system)
                .thenComparing(LevelPair::from, Comparator.nullsFirst(Comparator.naturalOrder()))
                .thenComparing(LevelPair::to, Comparator.nullsFirst(Comparator.naturalOrder()));

        @Override
        public int compareTo(LevelPair other) {
            return ORDER.compare(this, other);
        }
    }

    private final int top;
    private final PriorityQueue<UserComparison> largest;
    private final SortedMap<TenantsKey, PointsSums> points = new TreeMap<>();
    private final SortedMap<TenantsKey, SortedMap<Long, Long>> changes = new TreeMap<>();
    private final SortedMap<TenantsKey, Completions> achievements = new TreeMap<>();
    private final SortedMap<LevelPair, Long> levels = new TreeMap<>();
    private final SortedMap<TenantsKey, EntryMoves> entries = new TreeMap<>();
    private final SortedMap<TenantsKey, MetricSums> metrics = new TreeMap<>();
    private final SortedMap<String, TenantUsers> tenants = new TreeMap<>();
    private StreakMoves streaks = new StreakMoves(0, 0, 0, 0, 0);
    private long appeared;
    private long disappeared;
    private long otherLevelMoves;

    /**
     * The sums as plain values, in the order of their keys, to be added to others elsewhere.
     *
     * @param changes numbers of users by the change nearest to zero of their range
     * @param largest the largest first
     */
    public record Snapshot(List<Keyed<PointsSums>> points, List<Keyed<SortedMap<Long, Long>>> changes,
            List<Keyed<Completions>> achievements, List<LevelMove> levels, List<Keyed<EntryMoves>> entries,
            List<Keyed<MetricSums>> metrics, SortedMap<String, TenantUsers> tenants, StreakMoves streaks, long appeared,
            long disappeared, long otherLevelMoves, List<UserComparison> largest) {}

    /** The sums of one object. */
    public record Keyed<T>(TenantsKey key, T sums) {}

    /** @param top the number of users to keep, those with the largest differences */
    public ComparisonTotals(int top) {
        this.top = top;
        this.largest = new PriorityQueue<>(UserComparison.LARGEST_FIRST.reversed());
    }

    /**
     * Adds one user.
     *
     * @param before null: the user does not exist, as for {@code after}
     */
    public UserComparison add(UserKey user, @Nullable ComparedUser before, @Nullable ComparedUser after) {
        UserComparison comparison = UserComparison.of(user, before, after);
        TenantId tenant = user.tenant();
        addPoints(tenant, before, after);
        boolean isOvertaken = comparison.isOnlyOvertaken();
        boolean isDifferent = !comparison.isSame() && !isOvertaken;
        tenants.merge(tenant.value(), new TenantUsers(1, isDifferent ? 1 : 0, isOvertaken ? 1 : 0), TenantUsers::plus);
        if (comparison.isSame()) {
            return comparison;
        }
        comparison.differences().forEach(difference -> count(tenant, difference));
        keep(comparison);
        return comparison;
    }

    private void keep(UserComparison comparison) {
        largest.add(comparison);
        if (largest.size() > top) {
            largest.remove();
        }
    }

    /**
     * Adds the sums of other users. The order in which parts are added changes nothing, except which pairs of levels are kept if there are
     * more than the maximum.
     */
    public void add(Snapshot part) {
        part.points().forEach(it -> points.merge(it.key(), it.sums(), PointsSums::plus));
        part.changes().forEach(it -> {
            SortedMap<Long, Long> ranges = changes.computeIfAbsent(it.key(), _ -> new TreeMap<>());
            it.sums().forEach((nearest, users) -> ranges.merge(nearest, users, Long::sum));
        });
        part.achievements().forEach(it -> achievements.merge(it.key(), it.sums(), Completions::plus));
        part.levels().forEach(it -> countLevel(new LevelPair(it.system(), it.from(), it.to()), it.users()));
        part.entries().forEach(it -> entries.merge(it.key(), it.sums(), EntryMoves::plus));
        part.metrics().forEach(it -> metrics.merge(it.key(), it.sums(), MetricSums::plus));
        part.tenants().forEach((tenant, users) -> tenants.merge(tenant, users, TenantUsers::plus));
        streaks = streaks.plus(part.streaks());
        appeared += part.appeared();
        disappeared += part.disappeared();
        otherLevelMoves += part.otherLevelMoves();
        part.largest().forEach(this::keep);
    }

    public Snapshot snapshot() {
        return new Snapshot(keyed(points), keyed(changes), keyed(achievements), levelMoves(), keyed(entries),
                keyed(metrics), new TreeMap<>(tenants), streaks, appeared, disappeared, otherLevelMoves, largest());
    }

    private static <T> List<Keyed<T>> keyed(SortedMap<TenantsKey, T> sums) {
        return sums.entrySet().stream().map(it -> new Keyed<>(it.getKey(), it.getValue())).toList();
    }

    /** Adds a user to the sums, which include all users to show the weight of the differences. */
    private void addPoints(TenantId tenant, @Nullable ComparedUser before, @Nullable ComparedUser after) {
        if (before != null) {
            before.points().values().forEach(
                    held -> addPoints(new TenantsKey(tenant, held.system()), new PointsSums(held.total(), 0, 0)));
        }
        if (after != null) {
            after.points().values().forEach(
                    held -> addPoints(new TenantsKey(tenant, held.system()), new PointsSums(0, held.total(), 0)));
        }
    }

    private void addPoints(TenantsKey system, PointsSums more) {
        points.merge(system, more, PointsSums::plus);
    }

    private void count(TenantId tenant, Difference difference) {
        switch (difference) {
            case Difference.PointsDiffer it -> {
                var system = new TenantsKey(tenant, it.system());
                if (it.change() != 0) {
                    addPoints(system, new PointsSums(0, 0, 1));
                    changes.computeIfAbsent(system, _ -> new TreeMap<>()).merge(nearestToZero(it.change()), 1L,
                            Long::sum);
                }
                if (!Objects.equals(it.levelBefore(), it.levelAfter())) {
                    countLevel(new LevelPair(system, it.levelBefore(), it.levelAfter()), 1);
                }
            }
            case Difference.AchievementGained(String key) ->
                achievements.merge(new TenantsKey(tenant, key), new Completions(1, 0), Completions::plus);
            case Difference.AchievementLost(String key) ->
                achievements.merge(new TenantsKey(tenant, key), new Completions(0, 1), Completions::plus);
            case Difference.StreakDiffers it -> countStreak(it);
            case Difference.EntryDiffers(String board, Entry before, Entry after) ->
                countEntry(new TenantsKey(tenant, board), before, after);
            case Difference.MetricDiffers(String key, BigDecimal before, BigDecimal after) ->
                metrics.merge(new TenantsKey(tenant, key), new MetricSums(before, after, 1), MetricSums::plus);
            case Difference.UserAppears() -> appeared++;
            case Difference.UserDisappears() -> disappeared++;
        }
    }

    /** Returns the change that is nearest to zero of those in the same range. */
    private static long nearestToZero(long change) {
        long unit = Long.signum(change);
        while (change / unit >= 10) {
            unit *= 10;
        }
        long digit = change / unit;
        return unit * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
    }

    /** Returns the change that is farthest from zero of the range that begins with this one. */
    private static long farthestFromZero(long nearest) {
        boolean isTwo = Long.toString(Math.abs(nearest)).startsWith("2");
        return (isTwo ? nearest / 2 * 5 : nearest * 2) - Long.signum(nearest);
    }

    private void countLevel(LevelPair pair, long users) {
        if (levels.containsKey(pair) || levels.size() < MAX_LEVEL_MOVES) {
            levels.merge(pair, users, Long::sum);
        } else {
            otherLevelMoves += users;
        }
    }

    private void countStreak(Difference.StreakDiffers it) {
        int change = it.lengthAfter() - it.lengthBefore();
        boolean begun = it.before() == null;
        boolean gone = it.after() == null;
        boolean both = !begun && !gone;
        streaks = streaks.plus(new StreakMoves(begun ? 1 : 0, gone ? 1 : 0, both && change > 0 ? 1 : 0,
                both && change < 0 ? 1 : 0, both && change == 0 ? 1 : 0));
    }

    private void countEntry(TenantsKey board, @Nullable Entry before, @Nullable Entry after) {
        boolean wasRanked = before != null && before.isRanked();
        boolean isRanked = after != null && after.isRanked();
        boolean entered = !wasRanked && isRanked;
        boolean left = wasRanked && !isRanked;
        boolean stayed = wasRanked && isRanked;
        boolean onlyRank = stayed && Difference.isRankOnly(before, after);
        entries.merge(board, new EntryMoves(entered ? 1 : 0, left ? 1 : 0, stayed && !onlyRank ? 1 : 0,
                onlyRank ? 1 : 0), EntryMoves::plus);
    }

    /** The number of users compared so far. */
    public long users() {
        return sum(TenantUsers::users);
    }

    /** The number of users with differences of their own. */
    public long different() {
        return sum(TenantUsers::different);
    }

    /** The number of users who only have another rank, because of others. */
    public long overtaken() {
        return sum(TenantUsers::overtaken);
    }

    private long sum(ToLongFunction<TenantUsers> count) {
        return tenants.values().stream().mapToLong(count).sum();
    }

    /** The users by tenant, in order. The tenant is empty while multi-tenancy is off. */
    public Map<String, TenantUsers> tenants() {
        return Collections.unmodifiableMap(tenants);
    }

    public long appeared() {
        return appeared;
    }

    public long disappeared() {
        return disappeared;
    }

    /** By the key of the system; all systems in which users have points. */
    public Map<TenantsKey, PointsSums> points() {
        return Collections.unmodifiableMap(points);
    }

    /** The ranges in which users of a points system are, in ascending order. */
    public List<ChangeRange> changes(TenantsKey system) {
        var ranges = new ArrayList<ChangeRange>();
        changes.getOrDefault(system, new TreeMap<>()).forEach((nearest, users) -> {
            long farthest = farthestFromZero(nearest);
            ranges.add(new ChangeRange(Math.min(nearest, farthest), Math.max(nearest, farthest), users));
        });
        return ranges;
    }

    /** By the key of the achievement; only achievements with differences. */
    public Map<TenantsKey, Completions> achievements() {
        return Collections.unmodifiableMap(achievements);
    }

    public List<LevelMove> levelMoves() {
        var moves = new ArrayList<LevelMove>();
        levels.forEach((pair, count) -> moves.add(new LevelMove(pair.system(), pair.from(), pair.to(), count)));
        return moves;
    }

    /** The number of users whose move is not in {@link #levelMoves} because it is full. */
    public long otherLevelMoves() {
        return otherLevelMoves;
    }

    public StreakMoves streaks() {
        return streaks;
    }

    /** By the key of the leaderboard; only leaderboards with differences. */
    public Map<TenantsKey, EntryMoves> entries() {
        return Collections.unmodifiableMap(entries);
    }

    /** By the key of the metric; only metrics with differences. */
    public Map<TenantsKey, MetricSums> metrics() {
        return Collections.unmodifiableMap(metrics);
    }

    /** The users with the largest differences, the largest first. */
    public List<UserComparison> largest() {
        return largest.stream().sorted(UserComparison.LARGEST_FIRST).toList();
    }

    /** The key of an object in the ruleset of one tenant. Keys of different tenants are unrelated. */
    public record TenantsKey(TenantId tenant, String key) implements Comparable<TenantsKey> {

        /** The key, after the tenant if multi-tenancy is on, as in the text of users. */
        public String text() {
            return UserKey.prefixOf(tenant) + key;
        }

        @Override
        public int compareTo(TenantsKey other) {
            int byTenant = tenant.compareTo(other.tenant);
            return byTenant == 0 ? key.compareTo(other.key) : byTenant;
        }
    }
}
