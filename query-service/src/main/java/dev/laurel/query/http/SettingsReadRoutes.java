package dev.laurel.query.http;

import dev.laurel.query.read.ConfigReads;
import dev.laurel.schemas.admin.SettingsKind;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** GET of the singletons (admin-api.md part B). */
public final class SettingsReadRoutes implements Routes {

    /** What there is to show to a request that names none of several tenants. */
    private static final byte[] OF_INSTANCE = Json.write(Map.of("multiTenancyEnabled", true));

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
        Caller caller = Caller.of(context);
        HttpServer.answer(context, 200, kind == SettingsKind.ACCOUNT && !caller.hasTenant()
                ? OF_INSTANCE
                : Json.write(reads.settings(caller.tenant(), kind)));
    }
}
