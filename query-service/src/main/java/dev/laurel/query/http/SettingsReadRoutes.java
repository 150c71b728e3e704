package dev.laurel.query.http;

import dev.laurel.query.read.ConfigReads;
import dev.laurel.schemas.admin.SettingsKind;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** GET of the singletons (admin-api.md part B). */
public final class SettingsReadRoutes implements Routes {

    private final ConfigReads reads;

    public SettingsReadRoutes(ConfigReads reads) {
        this.reads = reads;
    }

    @Override
    public void mount(RoutesConfig routes) {
        for (SettingsKind kind : SettingsKind.values()) {
            routes.get("/admin/v1" + kind.path(), context -> show(context, kind));
        }
    }

    private void show(Context context, SettingsKind kind) throws InterruptedException {
        HttpServer.answer(context, 200, Json.write(reads.settings(Caller.of(context).tenant(), kind)));
    }
}
