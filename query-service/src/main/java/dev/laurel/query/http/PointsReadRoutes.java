package dev.laurel.query.http;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.query.read.PointsReads;
import dev.laurel.schemas.key.TenantId;
import io.javalin.http.Context;

import static dev.laurel.query.http.ApplicationApi.answer;
import static dev.laurel.query.http.ApplicationApi.get;

/** The reads about points systems (docs/application-api.md §6), under both mounts. */
final class PointsReadRoutes implements Routes {

    private final PointsReads reads;

    PointsReadRoutes(PointsReads reads) {
        this.reads = reads;
    }

    @Override
    public void mount(RouteTable routes) {
        get(routes, "/points/{key}", context -> answer(context, reads.system(tenantOf(context), keyOf(context))));
        get(routes, "/points/{key}/boosts", context -> answer(context,
                reads.boosts(tenantOf(context), keyOf(context), Query.flag(context, "includeFinished"))));
        get(routes, "/points/{key}/levels",
                context -> answer(context, reads.levels(tenantOf(context), keyOf(context))));
        get(routes, "/points/{key}/level-summary",
                context -> answer(context, reads.levelSummary(tenantOf(context), keyOf(context))));
        get(routes, "/points/{key}/summary", context -> answer(context,
                reads.summary(tenantOf(context), keyOf(context), Query.userAttributes(context))));
    }

    private static TenantId tenantOf(Context context) {
        return Caller.of(context).tenant();
    }

    private static String keyOf(Context context) {
        return context.pathParam("key");
    }
}
