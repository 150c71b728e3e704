package dev.laurel.query.read;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.laurel.processors.store.users.SearchTerms;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserIndexQuery.FindUsers;
import dev.laurel.query.partition.UserIndexQuery.FindUsers.FoundPlace;
import dev.laurel.query.partition.UserIndexQuery.FindUsers.FoundUser;
import dev.laurel.query.partition.UserIndexQuery.FindUsers.FoundUsers;
import dev.laurel.query.partition.UserIndexQuery.ListActiveUsers;
import dev.laurel.query.partition.UserIndexQuery.ListActiveUsers.ActiveDay;
import dev.laurel.query.partition.UserIndexQuery.ListActiveUsers.ActiveUser;
import dev.laurel.query.partition.UserIndexQuery.ShowUsers;
import dev.laurel.query.partition.UserQuery;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.wire.UserBody.ListedUserBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists of the users of a tenant by means of the indexes of all partitions (docs/admin-api.md B7). A page costs as much with a million
 * users as with a thousand. Thread-safe.
 */
public record UserLists(Nodes nodes) {

    /** The most users found by a search that are put into another order than that of the search. */
    public static final int MAX_SORTED = 500;

    /** The day before which none is newer. */
    private static final int NEWEST = Integer.MAX_VALUE;

    /** Where a page of a list ends. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
    public sealed interface ListPlace {

        UserId id();

        /** In a list by id, or in the order of a search. @param term the search term that matched; null: the id */
        record ById(@Nullable String term, UserId id) implements ListPlace {}

        /** In a list by last activity, where users are in the order of their newest events. */
        record ByTime(int day, long atMs, UserId id) implements ListPlace {}

        /** In a list by last activity, on a day whose users are in the order of their ids. */
        record OfDay(int day, UserId id) implements ListPlace {}
    }

    /** @param next the place to continue after; null: there are no more users */
    public record UserPage(
            List<ListedUserBody> users, @Nullable ListPlace next) {}

    /** The order of a list. */
    public enum Sort {
        /** Ids that begin with the text in their order, then search terms that do. */
        MATCH,
        /** By id. */
        ID,
        /** By the time of the newest event, latest first; then users without events. */
        LAST_ACTIVITY
    }

    /**
     * Users whose id, email address or name begins with a text.
     *
     * @param search empty: all users, which are listed by id if the order is that of the search
     * @param after null: from the first; else a place of a list with the same order
     * @return null if so many users are found that they are listed only in the order of the search
     */
    public @Nullable UserPage find(TenantId tenant, String search, Sort sort, @Nullable ListPlace after, int limit) {
        if (search.isEmpty()) {
            return switch (sort) {
                case MATCH, ID -> inOrderOfSearch(tenant, search, after, limit);
                case LAST_ACTIVITY -> lastActive(tenant, after, limit);
            };
        }
        return switch (sort) {
            case MATCH -> inOrderOfSearch(tenant, search, after, limit);
            case ID, LAST_ACTIVITY -> sorted(tenant, search, sort, after, limit);
        };
    }

    private UserPage inOrderOfSearch(TenantId tenant, String search, @Nullable ListPlace after, int limit) {
        FoundPlace from =
                after instanceof ListPlace.ById(String term, UserId id) ? new FoundPlace(term, id.value()) : null;
        FoundUsers found = nodes.ask(new FindUsers(tenant, search, SearchTerms.ofSearch(search), from, limit + 1));
        List<FoundUser> page = found.users().stream().limit(limit).toList();
        FoundPlace end = found.users().size() > limit ? page.getLast().place() : found.end();
        return new UserPage(
                page.stream().map(FoundUser::user).toList(),
                end == null ? null : new ListPlace.ById(end.term(), new UserId(end.id())));
    }

    private @Nullable UserPage sorted(TenantId tenant, String search, Sort sort, @Nullable ListPlace after, int limit) {
        FoundUsers found = nodes.ask(new FindUsers(tenant, search, SearchTerms.ofSearch(search), null, MAX_SORTED + 1));
        if (found.users().size() > MAX_SORTED || found.end() != null) {
            return null;
        }
        Comparator<ListedUserBody> byId = Comparator.comparing(ListedUserBody::id, UserQuery.byId(tenant));
        Comparator<ListedUserBody> order = sort == Sort.ID
                ? byId
                : Comparator.comparingLong(UserLists::atMs).reversed().thenComparing(byId);
        List<ListedUserBody> following = found.users().stream()
                .map(FoundUser::user)
                .sorted(order)
                .filter(user -> switch (after) {
                    case null -> true;
                    case ListPlace.ById(var _, UserId id) ->
                        UserQuery.byId(tenant).compare(user.id(), id.value()) > 0;
                    case ListPlace.ByTime place -> follows(tenant, atMs(user), user.id(), place);
                    case ListPlace.OfDay _ -> true;
                })
                .toList();
        List<ListedUserBody> page = following.stream().limit(limit).toList();
        return new UserPage(page, following.size() <= limit ? null : placeOf(page.getLast(), sort));
    }

    private static ListPlace placeOf(ListedUserBody user, Sort sort) {
        var id = new UserId(user.id());
        return sort == Sort.ID ? new ListPlace.ById(null, id) : new ListPlace.ByTime(0, atMs(user), id);
    }

    private static long atMs(ListedUserBody user) {
        Instant at = user.lastActivity();
        return at == null ? Long.MIN_VALUE : at.toEpochMilli();
    }

    private static boolean follows(TenantId tenant, long atMs, String id, ListPlace.ByTime place) {
        return atMs < place.atMs || atMs == place.atMs && UserQuery.byId(tenant).compare(id, place.id.value()) > 0;
    }

    private UserPage lastActive(TenantId tenant, @Nullable ListPlace after, int limit) {
        int day = switch (after) {
            case ListPlace.ByTime(int date, var _, var _) -> date;
            case ListPlace.OfDay(int date, var _) -> date;
            case ListPlace.ById _ -> NEWEST;
            case null -> NEWEST;
        };
        String behind = after instanceof ListPlace.OfDay(var _, UserId id) ? id.value() : null;
        Map<Integer, List<ActiveDay>> days =
                nodes.ask(new ListActiveUsers(tenant, day, behind, limit + 1)).values().stream()
                        .collect(Collectors.groupingBy(
                                ActiveDay::day, () -> new TreeMap<>(Comparator.reverseOrder()), Collectors.toList()));
        var places = new ArrayList<ListPlace>();
        days.forEach((date, parts) -> {
            if (places.size() <= limit) {
                addPlaces(tenant, date, parts, after, places);
            }
        });
        List<ListPlace> page = places.subList(0, Math.min(limit, places.size()));
        return new UserPage(
                show(tenant, page.stream().map(ListPlace::id).toList()),
                places.size() <= limit ? null : page.getLast());
    }

    /** Adds the places of the users of a date that follow a place. */
    private static void addPlaces(
            TenantId tenant, int date, List<ActiveDay> parts, @Nullable ListPlace after, List<ListPlace> places) {
        boolean isContinued = after instanceof ListPlace.OfDay(int day, var _) && day == date;
        Comparator<ActiveUser> byId = Comparator.comparing(ActiveUser::id, UserQuery.byId(tenant));
        List<ActiveUser> users = parts.stream()
                .flatMap(part -> part.users().stream())
                .sorted(byId)
                .toList();
        if (isContinued || parts.stream().anyMatch(ActiveDay::isLarge)) {
            // A day that has become large since the place is listed from its beginning: some users again, none not at
            // all.
            users.forEach(user -> places.add(new ListPlace.OfDay(date, new UserId(user.id()))));
            return;
        }
        users.stream()
                .sorted(Comparator.comparingLong(ActiveUser::atMs).reversed().thenComparing(byId))
                .filter(user -> !(after instanceof ListPlace.ByTime place)
                        || place.day != date
                        || follows(tenant, user.atMs(), user.id(), place))
                .forEach(user -> places.add(new ListPlace.ByTime(date, user.atMs(), new UserId(user.id()))));
    }

    private List<ListedUserBody> show(TenantId tenant, List<UserId> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        Map<String, ListedUserBody> shown = nodes.ask(new ShowUsers(tenant, ids)).values().stream()
                .collect(Collectors.toMap(ListedUserBody::id, Function.identity()));
        return ids.stream()
                .map(id -> shown.get(id.value()))
                .filter(Objects::nonNull)
                .toList();
    }
}
