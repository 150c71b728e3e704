package dev.laurel.query.http;

import dev.laurel.query.read.UserDirectory;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** The operator's list of users (admin-api.md B7). */
public final class UserDirectoryRoutes implements Routes {

    private final UserDirectory directory;

    public UserDirectoryRoutes(UserDirectory directory) {
        this.directory = directory;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.get("/admin/v1/users", this::list);
    }

    private void list(Context context) {
        Page page = Page.of(context);
        if (page.skip() > UserDirectory.MAX_SKIP) {
            throw new HttpRefusal(422, "skip must be a whole number from 0 to " + UserDirectory.MAX_SKIP
                    + "; search finds users further down.");
        }
        String search = context.queryParam("search");
        HttpServer.answer(context, 200, Json.write(directory.list(Caller.of(context).tenant(),
                search == null ? "" : search, page.skip(), page.limit())));
    }
}
