package dev.laurel.query.http;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The health and readiness of a process, and its response while it cannot read something. */
public final class NodeRoutes implements Routes {

    private static final byte[] OK = Json.write(Map.of("status", "ok"));
    private static final byte[] STARTING = Json.write(Map.of("status", "starting"));

    private final BooleanSupplier isReady;

    public NodeRoutes(BooleanSupplier isReady) {
        this.isReady = isReady;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.exception(NotReadyException.class, (_, context) -> HttpServer.refuse(context,
                HttpRefusal.busy("This cannot be read at this moment. Try again.")));
        routes.get("/healthz", context -> HttpServer.answer(context, 200, OK));
        routes.get("/readyz", context -> {
            boolean ready = isReady.getAsBoolean();
            HttpServer.answer(context, ready ? 200 : 503, ready ? OK : STARTING);
        });
    }
}
