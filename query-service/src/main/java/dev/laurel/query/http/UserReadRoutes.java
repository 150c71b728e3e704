package dev.laurel.query.http;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.http.Relay.Subject;
import dev.laurel.query.read.UserReads;
import dev.laurel.query.read.UserReads.SummaryRange;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.function.Function;

/** The reads about one user (docs/application-api.md §4), under both mounts. */
record UserReadRoutes(UserReads reads, Relay relay) implements Routes {

    @Override
    public void mount(RouteTable routes) {
        get(routes, relay, "/users/{id}", context -> answer(context, reads::user));
        get(routes, relay, "/users/{id}/preferences", context -> answer(context, reads::preferences));
        get(routes, relay, "/users/{id}/metrics", context -> answer(context, reads::metrics));
        get(
                routes,
                relay,
                "/users/{id}/metrics/{key}",
                context -> answer(context, user -> reads.metric(user, context.pathParam("key"))));
        get(routes, relay, "/users/{id}/points/{key}", context -> {
            int awards = Query.integer(context, "awards", 10, 1, 100);
            answer(context, user -> reads.points(user, context.pathParam("key"), awards));
        });
        get(
                routes,
                relay,
                "/users/{id}/points/{key}/boosts",
                context -> answer(context, user -> reads.boosts(user, context.pathParam("key"))));
        get(routes, relay, "/users/{id}/metrics/{key}/event-summary", context -> {
            SummaryRange range = Query.summaryRange(context);
            answer(context, user -> reads.metricSummary(user, context.pathParam("key"), range));
        });
        get(routes, relay, "/users/{id}/points/{key}/event-summary", context -> {
            SummaryRange range = Query.summaryRange(context);
            answer(context, user -> reads.pointsSummary(user, context.pathParam("key"), range));
        });
        get(routes, relay, "/users/{id}/streak", context -> {
            int periods = Query.integer(context, "historyPeriods", 7, 0, 400);
            answer(context, user -> reads.streak(user, periods));
        });
        get(routes, relay, "/users/{id}/achievements", context -> {
            boolean includeIncomplete = "true".equals(context.queryParam("includeIncomplete"));
            answer(context, user -> reads.achievements(user, includeIncomplete));
        });
        get(routes, relay, "/users/{id}/wrapped", this::wrapped);
    }

    /** The year in review. */
    private void wrapped(Context context) {
        UserKey user = userOf(context);
        int current = reads.currentYear(user);
        ReadAnswers.answer(context, reads.wrapped(user, Query.integer(context, "year", current, 1, current)));
    }

    private static void get(RouteTable routes, Relay relay, String path, Handler handler) {
        ReadAnswers.get(routes, path, relay.wrap(Subject.USER, handler));
    }

    private static void answer(Context context, Function<UserKey, Object> read) {
        ReadAnswers.answer(context, read.apply(userOf(context)));
    }

    /** Refuses an id that cannot exist like that of an unknown user. */
    static UserKey userOf(Context context) {
        String id = context.pathParam("id");
        if (UserId.problemWith(id) != null) {
            throw new HttpRefusal(404, "Unknown user: " + id + ".");
        }
        return Caller.of(context).userKey(new UserId(id));
    }
}
