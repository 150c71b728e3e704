package dev.laurel.query.partition;

import dev.laurel.core.rules.CalendarYear;
import dev.laurel.core.statistics.SampledYear.YearOfUser;
import dev.laurel.core.statistics.SampledYear;
import dev.laurel.core.user.Profile;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.processors.store.users.UserIndexReader;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.UserBody;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A query about users, in any number of partitions of the log.
 *
 * @param <R> the result; results of different partitions can be merged
 */
public sealed interface UserQuery<R extends Record> extends PartitionQuery<R>
        permits UserQuery.ListUsers, UserQuery.ListUsersAfter,
        UserQuery.SampleUsers,
        UserQuery.ShowUser, UserQuery.SumYears, RankUsers, StreakQuery, OwnedQuery, UserIndexQuery {

    /** The partitions that have part of the result; all of them unless the query overrides this. */
    default IntStream partitionsOf(LogLayout layout) {
        return IntStream.range(0, layout.partitions());
    }

    /**
     * Runs the query on these partitions.
     *
     * @throws dev.laurel.query.locate.NotReadyException if one of them cannot be read on this node
     */
    R answer(LocalNode node, List<Integer> partitions);

    /** Whether the query reads every user of a partition, which takes time in proportion to their number. */
    default boolean readsEveryUser() {
        return false;
    }

    /** Merges the results of different partitions into one. */
    R merge(List<R> parts);

    /** The best of several lists; null if one of them is null. */
    static <T> @Nullable List<T> bestOf(List<? extends @Nullable List<T>> lists, Comparator<? super T> bestFirst,
            int limit) {
        var all = new ArrayList<T>();
        for (List<T> list : lists) {
            if (list == null) {
                return null;
            }
            all.addAll(list);
        }
        return all.stream().sorted(bestFirst).limit(limit).toList();
    }

    /** Shows a user as the API does. */
    record ShowUser(UserKey user) implements UserQuery<ShowUser.ShownUser> {

        public record ShownUser(@Nullable UserBody user) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return IntStream.of(layout.partitionOf(user.bytes()));
        }

        @Override
        public ShownUser answer(LocalNode node, List<Integer> partitions) {
            return new ShownUser(node.users().find(user, present -> Bodies.user(present.state())).orElse(null));
        }

        @Override
        public ShownUser merge(List<ShownUser> parts) {
            return parts.getFirst();
        }
    }

    /**
     * Lists the newest users of a tenant. Each partition reads all of its users, at a cost that grows with their number, and holds no
     * more than the limit in memory.
     *
     * @param search a text that id, name or email contains, in lower case; empty: all users
     * @param limit the number of users
     */
    record ListUsers(TenantId tenant, String search, int limit) implements UserQuery<ListUsers.NewestUsers> {

        private static final Comparator<UserBody> NEWEST_FIRST = Comparator.comparing(UserBody::created).reversed()
                .thenComparing(UserBody::id, UserIndexQuery.byId(TenantId.NONE));

        /** @param users newest first */
        public record NewestUsers(List<UserBody> users) {}

        @Override
        public boolean readsEveryUser() {
            return true;
        }

        @Override
        public NewestUsers answer(LocalNode node, List<Integer> partitions) {
            return answer(node, partitions, _ -> true);
        }

        private NewestUsers answer(LocalNode node, List<Integer> partitions, Predicate<UserState> filter) {
            var newest = new PriorityQueue<>(NEWEST_FIRST.reversed());
            node.readEach(partitions, reader -> {
                reader.forEachUser(tenant, user -> {
                    if (filter.test(user) && matches(user) && (newest.size() < limit
                            || user.createdMs() >= newest.peek().created().toEpochMilli())) {
                        newest.add(Bodies.user(user));
                        if (newest.size() > limit) {
                            newest.poll();
                        }
                    }
                });
                return newest;
            });
            return new NewestUsers(newest.stream().sorted(NEWEST_FIRST).toList());
        }

        private boolean matches(UserState user) {
            Profile profile = user.profile();
            return search.isEmpty() || contains(user.id().value()) || contains(profile.name())
                    || contains(profile.email());
        }

        private boolean contains(@Nullable String text) {
            return text != null && text.toLowerCase(Locale.ROOT).contains(search);
        }

        @Override
        public NewestUsers merge(List<NewestUsers> parts) {
            return new NewestUsers(
                    parts.stream().flatMap(part -> part.users().stream()).sorted(NEWEST_FIRST).limit(limit)
                            .toList());
        }
    }

    /**
     * Lists the users that follow another one in the order of {@link ListUsers}. The stores have users in the order of their ids,
     * and no index by their creation, so there is no place to begin at: this reads all users as well.
     *
     * @param createdMs when the other one was created
     * @param id of the other one, who need not exist
     */
    record ListUsersAfter(TenantId tenant, String search, long createdMs, String id,
            int limit) implements UserQuery<ListUsers.NewestUsers> {

        @Override
        public boolean readsEveryUser() {
            return true;
        }

        @Override
        public ListUsers.NewestUsers answer(LocalNode node, List<Integer> partitions) {
            return list().answer(node, partitions, user -> user.createdMs() < createdMs
                    || user.createdMs() == createdMs && user.id().value().compareTo(id) > 0);
        }

        @Override
        public ListUsers.NewestUsers merge(List<ListUsers.NewestUsers> parts) {
            return list().merge(parts);
        }

        private ListUsers list() {
            return new ListUsers(tenant, search, limit);
        }
    }

    /** Takes a sample of the users of a tenant. */
    record SampleUsers(TenantId tenant) implements UserQuery<SampleUsers.SampledUsers> {

        /** The size with which the average error of a percentile is two percent at most. */
        private static final int SIZE = 512;

        /** @param users in the order of the sample; @param hasAll whether there are no others */
        public record SampledUsers(List<UserId> users, boolean hasAll) {

            static SampledUsers of(Stream<UserId> users, boolean haveAll) {
                List<UserId> first = users.sorted(UserIndexReader.SAMPLE_ORDER).limit(SIZE + 1).toList();
                return new SampledUsers(first.stream().limit(SIZE).toList(), haveAll && first.size() <= SIZE);
            }
        }

        @Override
        public SampledUsers answer(LocalNode node, List<Integer> partitions) {
            return SampledUsers.of(node.readEach(partitions, reader -> reader.index().sample(tenant, SIZE + 1)).stream()
                    .flatMap(List::stream), true);
        }

        @Override
        public SampledUsers merge(List<SampledUsers> parts) {
            return SampledUsers.of(parts.stream().flatMap(part -> part.users.stream()),
                    parts.stream().allMatch(SampledUsers::hasAll));
        }
    }

    /** Sums a year of these users. Each user costs the reading of a year, so callers limit their number. */
    record SumYears(TenantId tenant, int year, DayOfWeek weekStart,
            List<UserId> users) implements UserQuery<SumYears.SummedYears> {

        /** @param years of the users that exist, in no order */
        public record SummedYears(List<YearOfUser> years) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return users.stream().mapToInt(user -> layout.partitionOf(new UserKey(tenant, user).bytes())).distinct();
        }

        @Override
        public SummedYears answer(LocalNode node, List<Integer> partitions) {
            var calendar = new CalendarYear(year, weekStart);
            var years = new ArrayList<YearOfUser>();
            for (UserId id : users) {
                byte[] user = new UserKey(tenant, id).bytes();
                if (node.isAmong(partitions, user)) {
                    node.partitions().readUser(user, (state, reader) -> state != null
                            && years.add(SampledYear.sum(state, reader.historyOf(user, _ -> null), calendar)));
                }
            }
            return new SummedYears(years);
        }

        @Override
        public SummedYears merge(List<SummedYears> parts) {
            return new SummedYears(parts.stream().flatMap(part -> part.years().stream()).toList());
        }
    }
}
