package dev.laurel.query.http;

import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import io.javalin.http.Handler;

/** Conventions of all reads of the application API: its two mounts, and the response. */
final class ApplicationApi {

    private ApplicationApi() {}

    static void get(RouteTable routes, String path, Handler handler) {
        routes.get("/v1" + path, Access.VIEWER, handler);
        routes.get("/api" + path, Access.VIEWER, handler);
    }

    static void answer(Context context, Object body) {
        HttpServer.answer(context, 200, Json.write(body));
    }
}
