package dev.laurel.query.http;

import static dev.laurel.query.http.ReadAnswers.answer;
import static dev.laurel.query.http.ReadAnswers.show;

import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.partition.UserQuery.ListUsers.CreatedPlace;
import dev.laurel.query.read.TenantReads;
import dev.laurel.query.read.UserLists;
import dev.laurel.query.read.UserLists.ListPlace;
import dev.laurel.query.read.UserLists.Sort;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import io.javalin.http.Context;
import java.util.List;

/**
 * The reads across all users of a tenant: achievements, streaks and points systems (docs/application-api.md §3, §5 and §6), and the
 * operators' lists of users (docs/admin-api.md B7).
 */
record TenantReadRoutes(TenantReads reads, UserLists lists) implements Routes {

    private static final int MAX_USERS = 100;
    private static final int DEFAULT_PLACES = 10;
    private static final int MAX_PLACES = 100;

    private static final String SEARCH = "search";

    @Override
    public void mount(RouteTable routes) {
        show(routes, "/achievements", context -> reads.achievements(tenantOf(context), Query.userAttributes(context)));
        show(routes, "/streaks", context -> reads.streaks(usersOf(context)));
        show(
                routes,
                "/streaks/rankings",
                context -> reads.longestStreaks(
                        tenantOf(context),
                        typeOf(context),
                        Query.integer(context, "limit", DEFAULT_PLACES, 1, MAX_PLACES)));
        show(routes, "/points/{key}", context -> reads.points(tenantOf(context), keyOf(context)));
        show(
                routes,
                "/points/{key}/boosts",
                context -> reads.boosts(tenantOf(context), keyOf(context), Query.flag(context, "includeFinished")));
        show(routes, "/points/{key}/levels", context -> reads.levels(tenantOf(context), keyOf(context)));
        show(routes, "/points/{key}/level-summary", context -> reads.levelSummary(tenantOf(context), keyOf(context)));
        show(
                routes,
                "/points/{key}/summary",
                context -> reads.pointsSummary(tenantOf(context), keyOf(context), Query.userAttributes(context)));
        routes.get("/admin/v1/users", RequiredRole.VIEWER, this::listUsers);
    }

    private static TenantId tenantOf(Context context) {
        return Caller.of(context).tenant();
    }

    private static String keyOf(Context context) {
        return context.pathParam("key");
    }

    private static List<UserKey> usersOf(Context context) {
        List<String> ids = RequestParameters.list(context, "userIds");
        if (ids.isEmpty() || ids.size() > MAX_USERS) {
            throw new HttpRefusal(422, "userIds is required: 1 to " + MAX_USERS + " user ids, by commas.");
        }
        return Query.users(context, ids);
    }

    private static By typeOf(Context context) {
        String type = context.queryParam("type");
        return switch (type == null ? "active" : type) {
            case "active" -> By.ACTIVE;
            case "longest" -> By.LONGEST;
            default -> throw new HttpRefusal(422, "type must be one of: active, longest.");
        };
    }

    private void listUsers(Context context) {
        String order = Query.oneOf(context, "sort", List.of("match", "id", "lastActivity"));
        if (order != null) {
            listUsers(
                    context,
                    switch (order) {
                        case "id" -> Sort.ID;
                        case "lastActivity" -> Sort.LAST_ACTIVITY;
                        default -> Sort.MATCH;
                    });
            return;
        }
        Page page = Page.of(context, TenantReads.MAX_SKIPPED_USERS);
        String search = context.queryParam(SEARCH);
        TenantReads.UserPage found = reads.users(
                tenantOf(context),
                search == null ? "" : search,
                Page.after(context, CreatedPlace.class),
                page.skip(),
                page.limit());
        answer(context, found.users(), found.next(), Page::cursorOf);
    }

    private void listUsers(Context context, Sort sort) {
        if (context.queryParam("skip") != null) {
            throw new HttpRefusal(
                    422,
                    "skip must not be given with sort; to read on, send the value of " + Page.NEXT + " of a page as "
                            + Page.CURSOR + ".");
        }
        String given = context.queryParam(SEARCH);
        String search = given == null ? "" : given;
        if (search.length() > UserId.MAX_LENGTH) {
            throw new HttpRefusal(
                    422,
                    "search must have at most " + UserId.MAX_LENGTH + " characters with sort, has " + search.length()
                            + ".");
        }
        if (search.isEmpty() && sort == Sort.MATCH) {
            throw new HttpRefusal(422, "search is required with sort=match.");
        }
        UserLists.UserPage page = lists.find(
                tenantOf(context),
                search,
                sort,
                Page.after(context, ListPlace.class),
                Page.of(context).limit());
        if (page == null) {
            throw new HttpRefusal(
                    422,
                    "search finds more than " + UserLists.MAX_SORTED
                            + " users, which only sort=match can list: add to search, or send sort=match.");
        }
        answer(context, page.users(), page.next(), Page::cursorOf);
    }
}
