package dev.laurel.query.http;

import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Conventions of all reads: how they answer, and the two mounts of the application API. */
final class ReadAnswers {

    private ReadAnswers() {}

    /** Mounts a read of the application API. */
    static void get(RouteTable routes, String path, Handler handler) {
        routes.get("/v1" + path, RequiredRole.VIEWER, handler);
        routes.get("/api" + path, RequiredRole.VIEWER, handler);
    }

    /** Mounts a read of the application API that answers with a body. */
    static void show(RouteTable routes, String path, Function<Context, Object> read) {
        get(routes, path, context -> answer(context, read.apply(context)));
    }

    static void answer(Context context, Object body) {
        Answers.json(context, 200, body);
    }

    /**
     * Answers with a part of a list.
     *
     * @param next the place to continue after; null: there are no more
     * @param textOf the place as a cursor
     */
    static <P> void answer(Context context, List<?> page, @Nullable P next, Function<P, String> textOf) {
        if (next != null) {
            context.header(Query.Page.NEXT, textOf.apply(next));
        }
        answer(context, page);
    }

    static HttpRefusal notFound(ObjectKind kind) {
        return new HttpRefusal(404, kind.label() + " not found by ID");
    }
}
