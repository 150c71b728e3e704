package dev.laurel.query.partition;

import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.rules.CalendarYear;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.statistics.RankedStreak;
import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.statistics.UserValue;
import dev.laurel.core.statistics.UserValue.RankedUser;
import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.core.statistics.YearPercentiles;
import dev.laurel.core.statistics.YearPercentiles.YearOfUser;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.Profile;
import dev.laurel.core.user.StreakSnapshot;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.processors.store.users.TopUserStore.Listed;
import dev.laurel.processors.store.users.UserIndexReader;
import dev.laurel.processors.store.users.UserReader;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.partition.PartitionQuery.Values;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.StreakBody.StreakLengthBody;
import dev.laurel.schemas.wire.UserBody;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A query about users, in any number of partitions of the log.
 *
 * @param <R> the result; results of different partitions can be merged
 */
public interface UserQuery<R extends Record> extends PartitionQuery<R> {

    /** The partitions that have part of the result; all of them unless the query overrides this. */
    default IntStream partitionsOf(LogLayout layout) {
        return IntStream.range(0, layout.partitions());
    }

    /**
     * Runs the query on these partitions.
     *
     * @throws dev.laurel.query.locate.NotReadyException if one of them cannot be read on this node
     */
    R answer(CurrentUsers node, List<Integer> partitions);

    /** The order of users by id: that of the bytes of their keys. */
    static Comparator<String> byId(TenantId tenant) {
        return (one, other) -> one.equals(other) ? 0 : Arrays.compareUnsigned(keyOf(tenant, one), keyOf(tenant, other));
    }

    static byte[] keyOf(TenantId tenant, String id) {
        return new UserKey(tenant, new UserId(id)).bytes();
    }

    /** A query with a list as its result, in no order. */
    interface ListQuery<T> extends UserQuery<Values<T>> {

        @Override
        default Values<T> merge(List<Values<T>> parts) {
            return Values.of(Values.in(parts));
        }
    }

    /** A query about given users. */
    interface OfUsers<T> extends ListQuery<T> {

        List<UserKey> keys();

        /** What is found of a user of one of the partitions. @param index of the user in {@link #keys} */
        Stream<T> show(CurrentUsers node, UserKey user, int index);

        @Override
        default IntStream partitionsOf(LogLayout layout) {
            return keys().stream()
                    .mapToInt(user -> layout.partitionOf(user.bytes()))
                    .distinct();
        }

        @Override
        default Values<T> answer(CurrentUsers node, List<Integer> partitions) {
            List<UserKey> keys = keys();
            return Values.of(IntStream.range(0, keys.size())
                    .filter(i ->
                            node.partitions().isAmong(partitions, keys.get(i).bytes()))
                    .boxed()
                    .flatMap(i -> show(node, keys.get(i), i)));
        }
    }

    /** A query about some users of one tenant. */
    interface OfTenant<T> extends OfUsers<T> {

        TenantId tenant();

        List<UserId> users();

        @Override
        default List<UserKey> keys() {
            return users().stream().map(user -> new UserKey(tenant(), user)).toList();
        }
    }

    /** Shows a user as the API does. */
    record ShowUser(UserKey user) implements OfUsers<UserBody> {

        @Override
        public List<UserKey> keys() {
            return List.of(user);
        }

        @Override
        public Stream<UserBody> show(CurrentUsers node, UserKey key, int index) {
            return node.find(key, present -> Bodies.user(present.state())).stream();
        }
    }

    /**
     * Lists the newest users of a tenant, then by id. Each partition reads all of its users, at a cost that grows with their number, and
     * holds no more than the limit in memory.
     *
     * @param search a text that id, name or email contains, in lower case
     * @param after only users that follow this place; null: from the newest
     * @param limit the number of users
     */
    record ListUsers(
            TenantId tenant, String search, @Nullable CreatedPlace after, int limit)
            implements UserQuery<Values<UserBody>> {

        /** A place in the list, where a user need not be. */
        public record CreatedPlace(long createdMs, UserId id) {}

        static Comparator<UserBody> newestFirst(TenantId tenant) {
            return Comparator.comparing(UserBody::created).reversed().thenComparing(UserBody::id, byId(tenant));
        }

        @Override
        public boolean readsAll() {
            return true;
        }

        @Override
        public Values<UserBody> answer(CurrentUsers node, List<Integer> partitions) {
            var newest = new PriorityQueue<>(newestFirst(tenant).reversed());
            node.partitions().readEach(partitions, reader -> {
                reader.forEachUser(tenant, user -> {
                    if (follows(user)
                            && matches(user)
                            && (newest.size() < limit
                                    || user.createdMs()
                                            >= newest.peek().created().toEpochMilli())) {
                        newest.add(Bodies.user(user));
                        if (newest.size() > limit) {
                            newest.poll();
                        }
                    }
                });
                return newest;
            });
            return Values.of(newest.stream().sorted(newestFirst(tenant)));
        }

        private boolean follows(UserState user) {
            return after == null
                    || user.createdMs() < after.createdMs
                    || user.createdMs() == after.createdMs
                            && byId(tenant).compare(user.id().value(), after.id.value()) > 0;
        }

        private boolean matches(UserState user) {
            Profile profile = user.profile();
            return contains(user.id().value()) || contains(profile.name()) || contains(profile.email());
        }

        private boolean contains(@Nullable String text) {
            return text != null && text.toLowerCase(Locale.ROOT).contains(search);
        }

        @Override
        public Values<UserBody> merge(List<Values<UserBody>> parts) {
            return Values.first(parts, newestFirst(tenant), limit);
        }
    }

    /** Takes a sample of the users of a tenant. */
    record SampleUsers(TenantId tenant) implements UserQuery<SampleUsers.SampledUsers> {

        /** The size with which the average error of a percentile is two percent at most. */
        private static final int SIZE = 512;

        /** @param users in the order of the sample; @param hasAll whether there are no others */
        public record SampledUsers(List<UserId> users, boolean hasAll) {

            static SampledUsers of(Stream<UserId> users, boolean haveAll) {
                List<UserId> first = users.sorted(UserIndexReader.SAMPLE_ORDER)
                        .limit(SIZE + 1)
                        .toList();
                return new SampledUsers(first.stream().limit(SIZE).toList(), haveAll && first.size() <= SIZE);
            }
        }

        @Override
        public SampledUsers answer(CurrentUsers node, List<Integer> partitions) {
            return SampledUsers.of(
                    node
                            .partitions()
                            .readEach(partitions, reader -> reader.index().sample(tenant, SIZE + 1))
                            .stream()
                            .flatMap(List::stream),
                    true);
        }

        @Override
        public SampledUsers merge(List<SampledUsers> parts) {
            return SampledUsers.of(
                    parts.stream().flatMap(part -> part.users.stream()),
                    parts.stream().allMatch(SampledUsers::hasAll));
        }
    }

    /** Sums a year of these users. Each user costs the reading of a year, so callers limit their number. */
    record SumYears(TenantId tenant, int year, DayOfWeek weekStart, List<UserId> users)
            implements OfTenant<YearOfUser> {

        @Override
        public Stream<YearOfUser> show(CurrentUsers node, UserKey user, int index) {
            byte[] key = user.bytes();
            return node.partitions()
                    .readUser(
                            key,
                            (state, reader) -> state == null
                                    ? Stream.empty()
                                    : Stream.of(YearPercentiles.sum(
                                            state,
                                            reader.historyOf(key, _ -> null),
                                            new CalendarYear(year, weekStart))));
        }
    }

    /** Measures the present streaks of these users. */
    record MeasureStreaks(List<UserKey> users) implements OfUsers<StreakLengthBody> {

        @Override
        public List<UserKey> keys() {
            return users;
        }

        @Override
        public Stream<StreakLengthBody> show(CurrentUsers node, UserKey user, int index) {
            return node
                    .find(user, now -> {
                        int length = StreakSnapshot.lengthOf(now.state(), now.rules());
                        return new StreakLengthBody(
                                user.user().value(),
                                length,
                                length == 0
                                        ? null
                                        : Instant.ofEpochMilli(
                                                now.state().streak().extendedAtMs()));
                    })
                    .stream();
        }
    }

    /** Shows the values of these users in a run of a leaderboard that may still change; only of those who are ranked. */
    record ShowScores(TenantId tenant, int board, int run, List<UserId> users)
            implements OfTenant<ShowScores.ShownScore> {

        /** @param group values of the breakdown attributes */
        public record ShownScore(Standing standing, List<String> group) {}

        @Override
        public Stream<ShownScore> show(CurrentUsers node, UserKey user, int index) {
            byte[] key = user.bytes();
            return node.partitions().readUser(key, (state, reader) -> {
                // As it is stored: rankings do not have what timers would do by now either.
                LeaderboardState score =
                        state == null ? null : reader.historyOf(key, _ -> null).boardRun(state, board, run);
                return state == null
                                || score == null
                                || score.group() == null
                                || score.value().signum() <= 0
                        ? Stream.empty()
                        : Stream.of(new ShownScore(
                                new Standing(
                                        user.user(),
                                        state.profile().name(),
                                        state.preferences().shown(),
                                        score.value(),
                                        score.changedMs()),
                                score.group()));
            });
        }
    }

    /** Lists the longest streaks, as they are stored. */
    record ListStreaks(TenantId tenant, By by, int limit) implements UserQuery<Values<RankedStreak>> {

        @Override
        public Values<RankedStreak> answer(CurrentUsers node, List<Integer> partitions) {
            return merge(node.partitions()
                    .readEach(partitions, reader -> new Values<>(reader.index().streaks(tenant, by, limit))));
        }

        @Override
        public Values<RankedStreak> merge(List<Values<RankedStreak>> parts) {
            return Values.first(parts, RankedStreak.BEST_FIRST, limit);
        }
    }

    /** Shows the present places of these users among streaks, and their names; only of those that have one. */
    record ShowStreaks(TenantId tenant, By by, List<UserId> users) implements OfTenant<ShowStreaks.ShownStreak> {

        public record ShownStreak(
                RankedStreak place, @Nullable String name) {}

        @Override
        public Stream<ShownStreak> show(CurrentUsers node, UserKey user, int index) {
            return node
                    .find(user, now -> {
                        RankedStreak place = RankedStreak.of(now.state(), by);
                        return place == null
                                ? null
                                : new ShownStreak(place, now.state().profile().name());
                    })
                    .stream();
        }
    }

    /**
     * Lists the users with the highest values of a kind, the highest first, then by id. A partition reads the users of its list. If it
     * cannot exclude that others are among the highest, it reads every user instead, at a cost that grows with their number: if hundreds of
     * the highest have lost their values or were erased, or if many have been less active lately. The result is exact in all cases.
     *
     * @param object the number of a metric or a points system; 0 for a ranking without
     */
    record RankUsers(TenantId tenant, Ranking ranking, int object, int limit)
            implements UserQuery<Values<RankUsers.Place>> {

        public record Place(UserId user, @Nullable String name, BigDecimal value) {

            private static final Comparator<Place> BEST_FIRST =
                    Comparator.comparing((Place place) -> new RankedUser(place.user, place.value));
        }

        @Override
        public boolean readsAll() {
            return true;
        }

        @Override
        public Values<Place> answer(CurrentUsers node, List<Integer> partitions) {
            return merge(node.partitions().readEach(partitions, reader -> new Values<>(places(node, reader))));
        }

        private List<Place> places(CurrentUsers node, UserReader reader) {
            Listed listed = reader.topUsers(
                    tenant, ranking, object, LocalDays.dayOf(node.clock().millis(), ZoneOffset.UTC));
            List<Place> best = best(
                    node,
                    reader,
                    visitor -> listed.users().forEach(id -> {
                        UserState user = reader.user(new UserKey(tenant, id).bytes());
                        if (user != null) {
                            visitor.accept(user);
                        }
                    }));
            Place last = best.size() == limit ? best.getLast() : null;
            return listed.contains(last == null ? null : new RankedUser(last.user, last.value))
                    ? best
                    : best(node, reader, visitor -> reader.forEachUser(tenant, visitor));
        }

        /** The best of some users. @param users passes them to a visitor */
        private List<Place> best(CurrentUsers node, UserReader reader, Consumer<Consumer<UserState>> users) {
            CompiledRuleset rules = node.rulesets().newest(tenant);
            long nowMs = node.clock().millis();
            var best = new TreeSet<>(Place.BEST_FIRST);
            users.accept(user -> {
                int today = Bodies.today(user, rules, nowMs);
                BigDecimal most = UserValue.atMost(ranking, object, user, today);
                if (most == null || mayBeAmong(best, new Place(user.id(), null, most))) {
                    byte[] key = new UserKey(tenant, user.id()).bytes();
                    BigDecimal value = UserValue.of(ranking, object, user, reader.historyOf(key, _ -> null), today);
                    if (value != null) {
                        best.add(new Place(user.id(), user.profile().name(), value));
                    }
                    if (best.size() > limit) {
                        best.pollLast();
                    }
                }
            });
            return List.copyOf(best);
        }

        private boolean mayBeAmong(TreeSet<Place> best, Place place) {
            return best.size() < limit || Place.BEST_FIRST.compare(place, best.last()) < 0;
        }

        @Override
        public Values<Place> merge(List<Values<Place>> parts) {
            return Values.first(parts, Place.BEST_FIRST, limit);
        }
    }
}
