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
import java.util.function.Function;

/** The reads about one user (docs/application-api.md §4), under both mounts. */
record UserReadRoutes(UserReads reads, Relay relay) implements Routes {

    @Override
    public void mount(RouteTable routes) {
        get(routes, "/users/{id}", context -> reads.user(userOf(context)));
        get(routes, "/users/{id}/preferences", context -> reads.preferences(userOf(context)));
        get(routes, "/users/{id}/metrics", context -> reads.metrics(userOf(context)));
        get(routes, "/users/{id}/metrics/{key}", context -> reads.metric(userOf(context), context.pathParam("key")));
        get(routes, "/users/{id}/points/{key}", context -> {
            int awards = Query.integer(context, "awards", 10, 1, 100);
            return reads.points(userOf(context), context.pathParam("key"), awards);
        });
        get(
                routes,
                "/users/{id}/points/{key}/boosts",
                context -> reads.boosts(userOf(context), context.pathParam("key")));
        get(routes, "/users/{id}/metrics/{key}/event-summary", context -> {
            SummaryRange range = Query.summaryRange(context);
            return reads.metricSummary(userOf(context), context.pathParam("key"), range);
        });
        get(routes, "/users/{id}/points/{key}/event-summary", context -> {
            SummaryRange range = Query.summaryRange(context);
            return reads.pointsSummary(userOf(context), context.pathParam("key"), range);
        });
        get(routes, "/users/{id}/streak", context -> {
            int periods = Query.integer(context, "historyPeriods", 7, 0, 400);
            return reads.streak(userOf(context), periods);
        });
        get(routes, "/users/{id}/achievements", context -> {
            boolean includeIncomplete = "true".equals(context.queryParam("includeIncomplete"));
            return reads.achievements(userOf(context), includeIncomplete);
        });
        get(routes, "/users/{id}/wrapped", this::wrapped);
    }

    /** The year in review. */
    private Object wrapped(Context context) {
        UserKey user = userOf(context);
        int current = reads.currentYear(user);
        return reads.wrapped(user, Query.integer(context, "year", current, 1, current));
    }

    private void get(RouteTable routes, String path, Function<Context, Object> read) {
        ReadAnswers.get(
                routes, path, relay.wrap(Subject.USER, context -> ReadAnswers.answer(context, read.apply(context))));
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
