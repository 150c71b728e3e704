package dev.laurel.core.compare;

import dev.laurel.core.compare.ComparedUser.Points;
import dev.laurel.core.compare.ComparedUser.Value;
import dev.laurel.core.compare.UserComparison.Difference;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the differences of all users. Its size depends on the objects of the rulesets and on {@code top}, not on the number
 * of users. Not thread-safe.
 */
public final class ComparisonTotals {

    /** The maximum number of pairs of levels: longer tables are not readable. */
    private static final int MAX_LEVEL_MOVES = 1_000;

    /**
     * The sums, under the names that they have in a report. Objects are those of one tenant each, in order; only those with differences,
     * except for points.
     *
     * @param users number of users compared
     * @param different number of those with differences of their own
     * @param onlyOtherRank number of those who only have another rank, because of others
     * @param tenants by tenant, which is empty while multi-tenancy is off
     * @param points all systems in which users have points
     * @param otherLevelMoves number of users whose move is not in {@code levels} because it is full
     * @param largest the users with the largest differences, the largest first
     */
    public record Sums(
            long users,
            long different,
            long onlyOtherRank,
            long onlyAfter,
            long onlyBefore,
            SortedMap<String, TenantUsers> tenants,
            SortedMap<TenantsKey, PointsSums> points,
            List<LevelMove> levels,
            SortedMap<TenantsKey, Completions> achievements,
            StreakMoves streaks,
            SortedMap<TenantsKey, EntryMoves> leaderboards,
            SortedMap<TenantsKey, MetricSums> metrics,
            long otherLevelMoves,
            List<UserComparison> largest) {}

    /**
     * Sums of one points system over all users, to show the weight of the differences, and the number of users with another total.
     *
     * @param changes the ranges in which users are, in ascending order
     */
    public record PointsSums(long before, long after, long users, List<ChangeRange> changes) {

        private PointsSums plus(PointsSums other) {
            return new PointsSums(before + other.before, after + other.after, users + other.users, List.of());
        }
    }

    /**
     * The number of users whose total of one points system changes by {@code from} to {@code to}; both are negative for users who
     * lose points. Ranges of gains begin at 1, 2, 5, 10, 20, 50 and so on, and those of losses are their mirror image.
     */
    public record ChangeRange(long from, long to, long users) {

        private static ChangeRange of(long nearest, long users) {
            long farthest = farthestFromZero(nearest);
            return new ChangeRange(Math.min(nearest, farthest), Math.max(nearest, farthest), users);
        }

        private long nearestToZero() {
            return from > 0 ? from : to;
        }
    }

    /** The numbers of users who have gained and who have lost an achievement. */
    public record Completions(long gained, long lost) {

        private Completions plus(Completions other) {
            return new Completions(gained + other.gained, lost + other.lost);
        }
    }

    /** Numbers of users of one tenant: all, those with differences of their own, those with only another rank. */
    public record TenantUsers(long users, long different, long onlyOtherRank) {

        private TenantUsers plus(TenantUsers other) {
            return new TenantUsers(
                    users + other.users, different + other.different, onlyOtherRank + other.onlyOtherRank);
        }
    }

    /**
     * @param pointsSystem text of its key
     * @param before key of a level, as for {@code after}; null: no level
     */
    public record LevelMove(
            String pointsSystem,
            @Nullable String before,
            @Nullable String after,
            long users) {}

    /** Numbers of users with a streak only after, only before, longer, shorter, and of equal length on other days. */
    public record StreakMoves(long begun, long gone, long longer, long shorter, long otherDays) {

        private StreakMoves plus(StreakMoves other) {
            return new StreakMoves(
                    begun + other.begun,
                    gone + other.gone,
                    longer + other.longer,
                    shorter + other.shorter,
                    otherDays + other.otherDays);
        }
    }

    /**
     * Numbers of users who have entered a leaderboard, who have left it, with another value or group, and with only another
     * rank.
     */
    public record EntryMoves(long entered, long left, long otherValue, long onlyOtherRank) {

        private EntryMoves plus(EntryMoves other) {
            return new EntryMoves(
                    entered + other.entered,
                    left + other.left,
                    otherValue + other.otherValue,
                    onlyOtherRank + other.onlyOtherRank);
        }
    }

    /** Sums of one metric over the users with another total. */
    public record MetricSums(BigDecimal before, BigDecimal after, long users) {

        private MetricSums plus(MetricSums other) {
            return new MetricSums(before.add(other.before), after.add(other.after), users + other.users);
        }
    }

    private record LevelPair(
            TenantsKey system,
            @Nullable String from,
            @Nullable String to) {

        private static final Comparator<LevelPair> ORDER = Comparator.comparing(LevelPair::system)
                .thenComparing(LevelPair::from, Comparator.nullsFirst(Comparator.naturalOrder()))
                .thenComparing(LevelPair::to, Comparator.nullsFirst(Comparator.naturalOrder()));
    }

    private final int top;
    private final PriorityQueue<UserComparison> largest;
    private final SortedMap<TenantsKey, PointsSums> points = new TreeMap<>();

    /** Numbers of users by the change nearest to zero of their range. */
    private final SortedMap<TenantsKey, SortedMap<Long, Long>> changes = new TreeMap<>();

    private final SortedMap<TenantsKey, Completions> achievements = new TreeMap<>();
    private final SortedMap<LevelPair, Long> levels = new TreeMap<>(LevelPair.ORDER);
    private final SortedMap<TenantsKey, EntryMoves> leaderboards = new TreeMap<>();
    private final SortedMap<TenantsKey, MetricSums> metrics = new TreeMap<>();
    private final SortedMap<String, TenantUsers> tenants = new TreeMap<>();
    private StreakMoves streaks = new StreakMoves(0, 0, 0, 0, 0);
    private long onlyAfter;
    private long onlyBefore;
    private long otherLevelMoves;

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
        addPoints(tenant, before, total -> new PointsSums(total, 0, 0, List.of()));
        addPoints(tenant, after, total -> new PointsSums(0, total, 0, List.of()));
        boolean isOvertaken = comparison.isOnlyOvertaken();
        boolean isDifferent = !comparison.isSame() && !isOvertaken;
        tenants.merge(tenant.value(), new TenantUsers(1, one(isDifferent), one(isOvertaken)), TenantUsers::plus);
        if (!comparison.isSame()) {
            comparison.differences().forEach(difference -> count(new TenantsKey(tenant, difference.key()), difference));
            keep(comparison);
        }
        return comparison;
    }

    private void addPoints(TenantId tenant, @Nullable ComparedUser user, LongFunction<PointsSums> sums) {
        if (user != null) {
            for (Value value : user.values().values()) {
                if (value instanceof Points(String system, long total, var _)) {
                    points.merge(new TenantsKey(tenant, system), sums.apply(total), PointsSums::plus);
                }
            }
        }
    }

    private static long one(boolean isCounted) {
        return isCounted ? 1 : 0;
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
    public void add(Sums part) {
        part.points().forEach((key, sums) -> {
            points.merge(key, sums, PointsSums::plus);
            sums.changes().forEach(range -> addChange(key, range.nearestToZero(), range.users()));
        });
        part.achievements().forEach((key, sums) -> achievements.merge(key, sums, Completions::plus));
        part.levels()
                .forEach(it -> countLevel(
                        new LevelPair(TenantsKey.valueOf(it.pointsSystem()), it.before(), it.after()), it.users()));
        part.leaderboards().forEach((key, sums) -> leaderboards.merge(key, sums, EntryMoves::plus));
        part.metrics().forEach((key, sums) -> metrics.merge(key, sums, MetricSums::plus));
        part.tenants().forEach((tenant, users) -> tenants.merge(tenant, users, TenantUsers::plus));
        streaks = streaks.plus(part.streaks());
        onlyAfter += part.onlyAfter();
        onlyBefore += part.onlyBefore();
        otherLevelMoves += part.otherLevelMoves();
        part.largest().forEach(this::keep);
    }

    /** The sums of all users that have been added. */
    public Sums sums() {
        var systems = new TreeMap<TenantsKey, PointsSums>();
        points.forEach((key, sums) -> systems.put(
                key,
                new PointsSums(
                        sums.before,
                        sums.after,
                        sums.users,
                        changes.getOrDefault(key, new TreeMap<>()).entrySet().stream()
                                .map(it -> ChangeRange.of(it.getKey(), it.getValue()))
                                .toList())));
        List<LevelMove> moves = levels.entrySet().stream()
                .map(it ->
                        new LevelMove(it.getKey().system.toString(), it.getKey().from, it.getKey().to, it.getValue()))
                .toList();
        return new Sums(
                sum(TenantUsers::users),
                sum(TenantUsers::different),
                sum(TenantUsers::onlyOtherRank),
                onlyAfter,
                onlyBefore,
                new TreeMap<>(tenants),
                systems,
                moves,
                new TreeMap<>(achievements),
                streaks,
                new TreeMap<>(leaderboards),
                new TreeMap<>(metrics),
                otherLevelMoves,
                largest.stream().sorted(UserComparison.LARGEST_FIRST).toList());
    }

    private long sum(ToLongFunction<TenantUsers> count) {
        return tenants.values().stream().mapToLong(count).sum();
    }

    private void count(TenantsKey key, Difference difference) {
        Value before = difference.before();
        Value after = difference.after();
        switch (difference.kind()) {
            case USER -> {
                onlyAfter += one(before == null);
                onlyBefore += one(after == null);
            }
            case POINTS -> countPoints(key, difference);
            case ACHIEVEMENT ->
                achievements.merge(key, new Completions(one(before == null), one(after == null)), Completions::plus);
            case STREAK -> {
                boolean both = before != null && after != null;
                long change = difference.change();
                streaks = streaks.plus(new StreakMoves(
                        one(before == null),
                        one(after == null),
                        one(both && change > 0),
                        one(both && change < 0),
                        one(both && change == 0)));
            }
            case PLACE -> {
                boolean wasRanked = difference.numberBefore() != null;
                boolean isRanked = difference.numberAfter() != null;
                boolean onlyRank = wasRanked && isRanked && difference.isRankOnly();
                leaderboards.merge(
                        key,
                        new EntryMoves(
                                one(!wasRanked && isRanked),
                                one(wasRanked && !isRanked),
                                one(wasRanked && isRanked && !onlyRank),
                                one(onlyRank)),
                        EntryMoves::plus);
            }
            case METRIC ->
                metrics.merge(
                        key,
                        new MetricSums(
                                Objects.requireNonNull(difference.numberBefore()),
                                Objects.requireNonNull(difference.numberAfter()),
                                1),
                        MetricSums::plus);
        }
    }

    private void countPoints(TenantsKey system, Difference difference) {
        long change = difference.change();
        if (change != 0) {
            points.merge(system, new PointsSums(0, 0, 1, List.of()), PointsSums::plus);
            addChange(system, nearestToZero(change), 1);
        }
        String from = levelOf(difference.before());
        String to = levelOf(difference.after());
        if (!Objects.equals(from, to)) {
            countLevel(new LevelPair(system, from, to), 1);
        }
    }

    private static @Nullable String levelOf(@Nullable Value points) {
        return points instanceof Points(var _, var _, String level) ? level : null;
    }

    private void addChange(TenantsKey system, long nearest, long users) {
        changes.computeIfAbsent(system, _ -> new TreeMap<>()).merge(nearest, users, Long::sum);
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

    /** The key of an object in the ruleset of one tenant. Keys of different tenants are unrelated. */
    public record TenantsKey(TenantId tenant, String key) implements Comparable<TenantsKey> {

        private static final Comparator<TenantsKey> ORDER =
                Comparator.comparing(TenantsKey::tenant).thenComparing(TenantsKey::key);

        /** Reads {@link #toString}. */
        public static TenantsKey valueOf(String text) {
            UserKey read = UserKey.parse(text);
            return new TenantsKey(read.tenant(), read.user().value());
        }

        @Override
        public int compareTo(TenantsKey other) {
            return ORDER.compare(this, other);
        }

        /** The key, after the tenant if multi-tenancy is on, as in the text of users. */
        @Override
        public String toString() {
            return UserKey.prefixOf(tenant) + key;
        }
    }
}
