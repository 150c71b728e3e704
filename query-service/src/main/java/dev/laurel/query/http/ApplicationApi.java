package dev.laurel.query.http;

import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import io.javalin.http.Handler;

/** Conventions of all reads of the application API: its two mounts, and the response to a result. */
final class ApplicationApi {

    private ApplicationApi() {}

    static void get(RouteTable routes, String path, Handler handler) {
        routes.get("/v1" + path, Access.VIEWER, handler);
        routes.get("/api" + path, Access.VIEWER, handler);
    }

    static <T> void answer(Context context, Result<T> result) {
        switch (result) {
            case Result.Found<T>(T body) -> Answers.answer(context, 200, Json.write(body));
            case Result.Missing<T>(var refusal) -> throw HttpRefusal.of(refusal);
        }
    }
}
