package dev.laurel.query.partition;

import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.processors.store.users.SearchTerms;
import dev.laurel.processors.store.users.UserIndexReader.Active;
import dev.laurel.processors.store.users.UserIndexReader.Created;
import dev.laurel.processors.store.users.UserIndexReader.Term;
import dev.laurel.processors.store.users.UserIndexReader.UserIndexKeys;
import dev.laurel.processors.store.users.UserIndexReader;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.UserBody.ListedUserBody;
import dev.laurel.schemas.wire.UserBody;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A query of the indexes of users. Its cost depends on its limit, not on the number of users. */
public sealed interface UserIndexQuery<R extends Record> extends UserQuery<R> {

    /** The order of users by id: that of the bytes of their keys. */
    static Comparator<String> byId(TenantId tenant) {
        return (one, other) -> one.equals(other)
                ? 0
                : Arrays.compareUnsigned(keyOf(tenant, one), keyOf(tenant, other));
    }

    private static byte[] keyOf(TenantId tenant, String id) {
        return new UserKey(tenant, new UserId(id)).bytes();
    }

    private static <T> List<T> readEach(LocalNode node, List<Integer> partitions, Function<UserIndexReader, T> read) {
        return partitions.stream().map(partition -> node.partitions().read(partition,
                reader -> read.apply(reader.index()))).toList();
    }

    /**
     * Finds users whose ids begin with a text, by id, and then those of whom a search term begins with it, by that term and then by
     * id. A user is found once: by the id, or by the first of the terms.
     *
     * @param search the beginning of ids; empty: all users
     * @param folded the beginning of search terms; empty: ids only
     * @param after the place that the users follow; null: from the first
     */
    record FindUsers(TenantId tenant, String search, String folded, @Nullable FoundPlace after,
            int limit) implements UserIndexQuery<FindUsers.FoundUsers> {

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
        public record FoundUsers(List<FoundUser> users, @Nullable FoundPlace end) {}

        private Comparator<FoundPlace> order() {
            return Comparator.comparing(FoundPlace::term, Comparator.nullsFirst(UnicodeText.ORDER))
                    .thenComparing(FoundPlace::id, byId(tenant));
        }

        @Override
        public FoundUsers answer(LocalNode node, List<Integer> partitions) {
            return merge(readEach(node, partitions, this::find));
        }

        private FoundUsers find(UserIndexReader index) {
            var found = new ArrayList<FoundUser>();
            if (after == null || after.term == null) {
                byte[] from = after == null ? null : keyOf(tenant, after.id);
                if (search.isEmpty() || UserId.problemWith(search) == null) {
                    index.withId(tenant, search, from, limit)
                            .forEach(user -> found.add(new FoundUser(null, Bodies.listedUser(user))));
                }
            }
            if (search.isEmpty() || folded.isEmpty()) {
                return new FoundUsers(found, null);
            }
            Term last = after == null || after.term == null ? null : new Term(after.term, keyOf(tenant, after.id));
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
            return new FoundUsers(found, new FoundPlace(Objects.requireNonNull(last).term(), idOf(last.user())));
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
            FoundPlace end = parts.stream().map(FoundUsers::end).filter(Objects::nonNull).min(order()).orElse(null);
            List<FoundUser> users = parts.stream().flatMap(part -> part.users.stream())
                    .filter(user -> end == null || order().compare(user.place(), end) <= 0)
                    .sorted(Comparator.comparing(FoundUser::place, order())).limit(limit).toList();
            return new FoundUsers(users, users.size() < limit ? end : null);
        }
    }

    /**
     * Lists users by the date of their last event in UTC, newest first. A date on which few users of the partition had their last event
     * is whole, with the times of these events; of another one there are the next users by id, without times.
     *
     * @param day the newest date wanted
     * @param after the id of the user of that date whom the others of that date follow by id; null: from the first
     * @param limit the number of users of each partition; whole dates may have more
     */
    record ListActiveUsers(TenantId tenant, int day, @Nullable String after,
            int limit) implements UserIndexQuery<ListActiveUsers.ActiveUsers> {

        /** The most users of a partition whose last events on one date are put in order. */
        static final int LARGE_DAY = 200;

        /** @param days in no order; a date of several partitions appears several times */
        public record ActiveUsers(List<ActiveDay> days) {}

        /** @param isLarge whether there are no times */
        public record ActiveDay(int day, boolean isLarge, List<ActiveUser> users) {}

        /** @param atMs the time of the last event; 0 without */
        public record ActiveUser(String id, long atMs) {}

        @Override
        public ActiveUsers answer(LocalNode node, List<Integer> partitions) {
            return merge(readEach(node, partitions, this::list));
        }

        private ActiveUsers list(UserIndexReader index) {
            int chunk = Math.max(limit, LARGE_DAY) + 1;
            var days = new ArrayList<ActiveDay>();
            int count = 0;
            int from = day;
            byte[] behind = after == null ? null : keyOf(tenant, after);
            while (count < limit) {
                List<Active> next = index.active(tenant, from, behind, chunk);
                boolean isEnd = next.size() < chunk;
                for (int begin = 0; begin < next.size();) {
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
            return new ActiveUsers(days);
        }

        private ActiveDay read(UserIndexReader index, int date, boolean isContinued, List<Active> entries) {
            if (isContinued || entries.size() > LARGE_DAY || date == UserIndexKeys.NEVER) {
                return new ActiveDay(date, true, entries.stream().limit(limit)
                        .map(entry -> new ActiveUser(UserKey.parse(entry.user()).user().value(), 0)).toList());
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

        @Override
        public ActiveUsers merge(List<ActiveUsers> parts) {
            return new ActiveUsers(parts.stream().flatMap(part -> part.days.stream()).toList());
        }
    }

    /**
     * Lists users by the time of their creation, newest first, then by id.
     *
     * @param after the place that the users follow; null: from the newest
     */
    record ListNewestUsers(TenantId tenant, @Nullable CreatedPlace after,
            int limit) implements UserIndexQuery<ListNewestUsers.NewestUsers> {

        /** The largest limit that takes no longer than other queries. */
        private static final int MAX_SHORT = 1_000;

        /** A place in the list, where a user need not be. */
        public record CreatedPlace(long createdMs, String id) {}

        /** @param users null while a partition builds this part of the index, after an upgrade from a version without it */
        public record NewestUsers(@Nullable List<UserBody> users) {}

        @Override
        public boolean readsEveryUser() {
            return limit > MAX_SHORT;
        }

        @Override
        public NewestUsers answer(LocalNode node, List<Integer> partitions) {
            return merge(node.readEach(partitions, reader -> new NewestUsers(list(reader.index()))));
        }

        private @Nullable List<UserBody> list(UserIndexReader index) {
            Created last = after == null ? null : new Created(after.createdMs, keyOf(tenant, after.id));
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
            return users;
        }

        @Override
        public NewestUsers merge(List<NewestUsers> parts) {
            return new NewestUsers(UserQuery.bestOf(parts.stream().map(NewestUsers::users).toList(),
                    Comparator.comparing(UserBody::created).reversed().thenComparing(UserBody::id, byId(tenant)),
                    limit));
        }
    }

    /** Shows these users. */
    record ShowUsers(TenantId tenant, List<UserId> users) implements UserIndexQuery<ShowUsers.ListedUsers> {

        /** @param users those that exist, in no order */
        public record ListedUsers(List<ListedUserBody> users) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return users.stream().mapToInt(user -> layout.partitionOf(new UserKey(tenant, user).bytes())).distinct();
        }

        @Override
        public ListedUsers answer(LocalNode node, List<Integer> partitions) {
            var shown = new ArrayList<ListedUserBody>();
            for (UserId id : users) {
                byte[] user = new UserKey(tenant, id).bytes();
                if (node.isAmong(partitions, user)) {
                    ListedUserBody body = node.partitions().readUser(user,
                            (state, _) -> state == null ? null : Bodies.listedUser(state));
                    if (body != null) {
                        shown.add(body);
                    }
                }
            }
            return new ListedUsers(shown);
        }

        @Override
        public ListedUsers merge(List<ListedUsers> parts) {
            return new ListedUsers(parts.stream().flatMap(part -> part.users.stream()).toList());
        }
    }
}
