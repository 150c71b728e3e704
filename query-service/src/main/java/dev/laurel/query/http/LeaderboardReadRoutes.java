package dev.laurel.query.http;

import static dev.laurel.query.http.ReadAnswers.answer;
import static dev.laurel.query.http.ReadAnswers.get;
import static dev.laurel.query.http.ReadAnswers.show;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.http.Relay.Subject;
import dev.laurel.query.read.LeaderboardReads;
import dev.laurel.query.read.LeaderboardReads.Page;
import dev.laurel.schemas.key.UserId;
import io.javalin.http.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reads about leaderboards (docs/application-api.md §4 and §7), under both mounts. */
record LeaderboardReadRoutes(LeaderboardReads reads, Relay relay) implements Routes {

    private static final int DEFAULT_PLACES = 10;
    private static final int MAX_USERS = 500;
    private static final int DEFAULT_DAYS = 10;
    private static final int MAX_DAYS = 100;

    @Override
    public void mount(RouteTable routes) {
        show(
                routes,
                "/leaderboards",
                context -> reads.all(Caller.of(context).tenant(), Query.flag(context, "includeFinished")));
        get(
                routes,
                "/leaderboards/{key}",
                relay.wrap(
                        Subject.BOARD,
                        context -> answer(
                                context,
                                reads.rankings(Caller.of(context).tenant(), context.pathParam("key"), page(context)))));
        get(routes, "/users/{id}/leaderboards/{key}", relay.wrap(Subject.USER, context -> {
            int days = Query.integer(context, "numEvents", DEFAULT_DAYS, 0, MAX_DAYS);
            answer(
                    context,
                    reads.ofUser(
                            UserReadRoutes.userOf(context),
                            context.pathParam("key"),
                            Query.optionalDate(context, "run"),
                            days,
                            Query.flag(context, "estimate")));
        }));
    }

    private static Page page(Context context) {
        List<UserId> among = userIds(context);
        String user = userId(context);
        if (among != null && user != null) {
            throw new HttpRefusal(422, "userId must not be given with userIds.");
        }
        return new Page(
                Query.integer(context, "offset", 0, 0, Integer.MAX_VALUE),
                Query.integer(context, "limit", among == null ? DEFAULT_PLACES : MAX_USERS, 0, Integer.MAX_VALUE),
                Query.optionalDate(context, "run"),
                user,
                Query.userAttributes(context),
                among,
                user != null && UserId.problemWith(user) == null
                        ? new UserId(user)
                        : Caller.of(context).applicationUser(),
                context.queryParam("team"));
    }

    /** Null if the parameter is missing. Leaves out ids that cannot exist, like those of unknown users. */
    private static @Nullable List<UserId> userIds(Context context) {
        List<String> ids = RequestParameters.list(context, "userIds");
        boolean isGiven = context.queryParamMap().keySet().stream().anyMatch(name -> name.startsWith("userIds"));
        if (ids.size() > MAX_USERS || ids.isEmpty() && isGiven) {
            throw new HttpRefusal(
                    422, "userIds must have 1 to " + MAX_USERS + " user ids, by commas, has " + ids.size() + ".");
        }
        return ids.isEmpty()
                ? null
                : ids.stream()
                        .filter(id -> UserId.problemWith(id) == null)
                        .map(UserId::new)
                        .toList();
    }

    /** Null if there is none. The caller must have access to the user. */
    private static @Nullable String userId(Context context) {
        String id = context.queryParam("userId");
        if (id != null && UserId.problemWith(id) == null) {
            Caller.of(context).userKey(new UserId(id));
        }
        return id;
    }
}
