package dev.laurel.query.http;

import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;

/** What all reads of the application API have in common: two mounts, and how a result becomes an answer. */
final class Reading {

    private Reading() {}

    static void get(RoutesConfig routes, String path, Handler handler) {
        routes.get("/v1" + path, handler);
        routes.get("/api" + path, handler);
    }

    static <T> void answer(Context context, Result<T> result) {
        switch (result) {
            case Result.Found<T>(T body) -> HttpServer.answer(context, 200, Json.write(body));
            case Result.Missing<T>(var refusal) -> throw HttpRefusal.of(refusal);
        }
    }
}
