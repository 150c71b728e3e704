package dev.laurel.query.partition;

import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.processors.store.users.SearchTerms;
import dev.laurel.processors.store.users.UserIndexReader;
import dev.laurel.processors.store.users.UserIndexReader.Active;
import dev.laurel.processors.store.users.UserIndexReader.Created;
import dev.laurel.processors.store.users.UserIndexReader.Term;
import dev.laurel.processors.store.users.UserIndexReader.UserIndexKeys;
import dev.laurel.query.partition.PartitionQuery.Values;
import dev.laurel.query.partition.UserQuery.ListQuery;
import dev.laurel.query.partition.UserQuery.ListUsers;
import dev.laurel.query.partition.UserQuery.ListUsers.CreatedPlace;
import dev.laurel.query.partition.UserQuery.OfTenant;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.UserBody;
import dev.laurel.schemas.wire.UserBody.ListedUserBody;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A query of the indexes of users. Its cost depends on its limit, not on the number of users. */
public final class UserIndexQuery {

    private UserIndexQuery() {}

    private static <T> List<T> readEach(
            CurrentUsers node, List<Integer> partitions, Function<UserIndexReader, T> read) {
        return node.partitions().readEach(partitions, reader -> read.apply(reader.index()));
    }

    /**
     * Finds users whose ids begin with a text, by id, and then those of whom a search term begins with it, by that term and then by
     * id. A user is found once: by the id, or by the first of the terms.
     *
     * @param search the beginning of ids; empty: all users
     * @param folded the beginning of search terms; empty: ids only
     * @param after the place that the users follow; null: from the first
     */
    public record FindUsers(
            TenantId tenant,
            String search,
            String folded,
            @Nullable FoundPlace after,
            int limit) implements UserQuery<FindUsers.FoundUsers> {

        /** The largest number of terms that one partition looks at: very many of them may belong to users found by their ids. */
        static final int MAX_LOOKED_AT = 20_000;

        private static final int CHUNK = 256;

        /** A place in the list, where a user need not be. @param term null: by id */
        public record FoundPlace(@Nullable String term, String id) {}

        public record FoundUser(@Nullable String term, ListedUserBody user) {

            public FoundPlace place() {
                return new FoundPlace(term, user.id());
            }
        }

        /** @param end the place up to which users were looked at, if there may be more; null: up to the limit or to the last */
        public record FoundUsers(
                List<FoundUser> users, @Nullable FoundPlace end) {}

        private Comparator<FoundPlace> order() {
            return Comparator.comparing(FoundPlace::term, Comparator.nullsFirst(UnicodeText.ORDER))
                    .thenComparing(FoundPlace::id, UserQuery.byId(tenant));
        }

        @Override
        public FoundUsers answer(CurrentUsers node, List<Integer> partitions) {
            return merge(readEach(node, partitions, this::find));
        }

        private FoundUsers find(UserIndexReader index) {
            var found = new ArrayList<FoundUser>();
            if (after == null || after.term == null) {
                byte[] from = after == null ? null : UserQuery.keyOf(tenant, after.id);
                if (search.isEmpty() || UserId.problemWith(search) == null) {
                    index.withId(tenant, search, from, limit)
                            .forEach(user -> found.add(new FoundUser(null, Bodies.listedUser(user))));
                }
            }
            if (search.isEmpty() || folded.isEmpty()) {
                return new FoundUsers(found, null);
            }
            Term last = after == null || after.term == null
                    ? null
                    : new Term(after.term, UserQuery.keyOf(tenant, after.id));
            for (int looked = 0; looked < MAX_LOOKED_AT; looked += CHUNK) {
                List<Term> next = index.withTerm(tenant, folded, last, CHUNK);
                for (Term term : next) {
                    if (found.size() >= limit) {
                        return new FoundUsers(found, null);
                    }
                    addByTerm(term, index, found);
                    last = term;
                }
                if (next.size() < CHUNK) {
                    return new FoundUsers(found, null);
                }
            }
            return new FoundUsers(
                    found, new FoundPlace(Objects.requireNonNull(last).term(), idOf(last.user())));
        }

        private void addByTerm(Term term, UserIndexReader index, List<FoundUser> found) {
            if (!idOf(term.user()).startsWith(search)) {
                UserState user = index.user(term.user());
                if (user != null && term.term().equals(SearchTerms.first(user.profile(), folded))) {
                    found.add(new FoundUser(term.term(), Bodies.listedUser(user)));
                }
            }
        }

        private static String idOf(byte[] user) {
            return UserKey.parse(user).user().value();
        }

        @Override
        public FoundUsers merge(List<FoundUsers> parts) {
            FoundPlace end = parts.stream()
                    .map(FoundUsers::end)
                    .filter(Objects::nonNull)
                    .min(order())
                    .orElse(null);
            List<FoundUser> users = parts.stream()
                    .flatMap(part -> part.users.stream())
                    .filter(user -> end == null || order().compare(user.place(), end) <= 0)
                    .sorted(Comparator.comparing(FoundUser::place, order()))
                    .limit(limit)
                    .toList();
            return new FoundUsers(users, users.size() < limit ? end : null);
        }
    }

    /**
     * Lists users by the date of their last event in UTC, newest first. A date on which few users of the partition had their last event
     * is whole, with the times of these events; of another one there are the next users by id, without times. The result has no order, and
     * a date of several partitions several times.
     *
     * @param day the newest date wanted
     * @param after the id of the user of that date whom the others of that date follow by id; null: from the first
     * @param limit the number of users of each partition; whole dates may have more
     */
    public record ListActiveUsers(
            TenantId tenant, int day, @Nullable String after, int limit)
            implements ListQuery<ListActiveUsers.ActiveDay> {

        /** The most users of a partition whose last events on one date are put in order. */
        static final int LARGE_DAY = 200;

        /** @param isLarge whether there are no times */
        public record ActiveDay(int day, boolean isLarge, List<ActiveUser> users) {}

        /** @param atMs the time of the last event; 0 without */
        public record ActiveUser(String id, long atMs) {}

        @Override
        public Values<ActiveDay> answer(CurrentUsers node, List<Integer> partitions) {
            return Values.of(readEach(node, partitions, this::list).stream().flatMap(List::stream));
        }

        private List<ActiveDay> list(UserIndexReader index) {
            int chunk = Math.max(limit, LARGE_DAY) + 1;
            var days = new ArrayList<ActiveDay>();
            int count = 0;
            int from = day;
            byte[] behind = after == null ? null : UserQuery.keyOf(tenant, after);
            while (count < limit) {
                List<Active> next = index.active(tenant, from, behind, chunk);
                boolean isEnd = next.size() < chunk;
                for (int begin = 0; begin < next.size(); ) {
                    int date = next.get(begin).day();
                    int end = begin;
                    while (end < next.size() && next.get(end).day() == date) {
                        end++;
                    }
                    if (end == next.size() && !isEnd && begin > 0) {
                        break; // the date may have more users: they are read together
                    }
                    ActiveDay read = read(index, date, behind != null && date == from, next.subList(begin, end));
                    days.add(read);
                    count += read.users.size();
                    begin = end;
                }
                if (isEnd) {
                    break;
                }
                from = next.getLast().day();
                behind = null;
            }
            return days;
        }

        private ActiveDay read(UserIndexReader index, int date, boolean isContinued, List<Active> entries) {
            if (isContinued || entries.size() > LARGE_DAY || date == UserIndexKeys.NEVER) {
                return new ActiveDay(
                        date,
                        true,
                        entries.stream()
                                .limit(limit)
                                .map(entry -> new ActiveUser(
                                        UserKey.parse(entry.user()).user().value(), 0))
                                .toList());
            }
            var users = new ArrayList<ActiveUser>();
            for (Active entry : entries) {
                UserState user = index.user(entry.user());
                if (user != null && UserIndexKeys.dayOf(user) == date) {
                    users.add(new ActiveUser(user.id().value(), user.lastEventMs()));
                }
            }
            return new ActiveDay(date, false, users);
        }
    }

    /**
     * Lists users by the time of their creation, newest first, then by id.
     *
     * @param after the place that the users follow; null: from the newest
     */
    public record ListNewestUsers(TenantId tenant, @Nullable CreatedPlace after, int limit)
            implements UserQuery<Values<UserBody>> {

        /** The largest limit that takes no longer than other queries. */
        private static final int MAX_SHORT = 1_000;

        @Override
        public boolean readsAll() {
            return limit > MAX_SHORT;
        }

        @Override
        public Values<UserBody> answer(CurrentUsers node, List<Integer> partitions) {
            return merge(readEach(node, partitions, this::list));
        }

        private Values<UserBody> list(UserIndexReader index) {
            Created last = after == null
                    ? null
                    : new Created(
                            after.createdMs(),
                            UserQuery.keyOf(tenant, after.id().value()));
            var users = new ArrayList<UserBody>();
            while (users.size() < limit) {
                int wanted = limit - users.size();
                List<Created> next = index.created(tenant, last, wanted);
                for (Created entry : next) {
                    UserState user = index.user(entry.user());
                    if (user != null && user.createdMs() == entry.createdMs()) {
                        users.add(Bodies.user(user));
                    }
                    last = entry;
                }
                if (next.size() < wanted) {
                    break;
                }
            }
            return new Values<>(users);
        }

        @Override
        public Values<UserBody> merge(List<Values<UserBody>> parts) {
            return Values.first(parts, ListUsers.newestFirst(tenant), limit);
        }
    }

    /** Shows these users, of whom some may not exist. */
    public record ShowUsers(TenantId tenant, List<UserId> users) implements OfTenant<ListedUserBody> {

        @Override
        public Stream<ListedUserBody> show(CurrentUsers node, UserKey user, int index) {
            return node.partitions()
                    .readUser(
                            user.bytes(), (state, _) -> Stream.ofNullable(state).map(Bodies::listedUser));
        }
    }
}
