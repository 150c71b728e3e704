package dev.laurel.query.http;

import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.schemas.serde.Json;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The health and readiness of a process, and its response to what it refuses or cannot read now. */
public record NodeRoutes(BooleanSupplier isReady) implements Routes {

    private static final byte[] OK = Json.write(Map.of("status", "ok"));
    private static final byte[] STARTING = Json.write(Map.of("status", "starting"));

    @Override
    public void mount(RouteTable routes) {
        routes.exception(
                NotReadyException.class,
                (_, context) ->
                        Answers.refuse(context, HttpRefusal.busy("This cannot be read at this moment. Try again.")));
        routes.exception(Refused.class, (e, context) -> Answers.refuse(context, HttpRefusal.of(e.refusal())));
        routes.get("/healthz", RequiredRole.PUBLIC, context -> Answers.answer(context, 200, OK));
        routes.get("/readyz", RequiredRole.PUBLIC, context -> {
            boolean ready = isReady.getAsBoolean();
            Answers.answer(context, ready ? 200 : 503, ready ? OK : STARTING);
        });
    }
}
