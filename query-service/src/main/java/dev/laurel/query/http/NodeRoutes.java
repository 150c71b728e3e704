package dev.laurel.query.http;

import dev.laurel.query.read.NotReadyException;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetExport;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** What a node says of itself and of the rules it goes by, and of what it cannot read now. */
public final class NodeRoutes implements Routes {

    /** Header of the ruleset read: which version it is. */
    public static final String RULESET_VERSION = "X-Laurel-Ruleset-Version";

    private static final int RETRY_AFTER_S = 1;
    private static final byte[] OK = Json.write(Map.of("status", "ok"));
    private static final byte[] STARTING = Json.write(Map.of("status", "starting"));

    private final Rulesets rulesets;
    private final InstantSource clock;
    private final BooleanSupplier isReady;

    /** @param clock what reads take for now */
    public NodeRoutes(Rulesets rulesets, InstantSource clock, BooleanSupplier isReady) {
        this.rulesets = rulesets;
        this.clock = clock;
        this.isReady = isReady;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.exception(NotReadyException.class, (_, context) -> HttpServer.refuse(context,
                HttpRefusal.busy("This cannot be read at this moment. Try again.", RETRY_AFTER_S)));
        routes.get("/healthz", context -> HttpServer.answer(context, 200, OK));
        routes.get("/readyz", context -> {
            boolean ready = isReady.getAsBoolean();
            HttpServer.answer(context, ready ? 200 : 503, ready ? OK : STARTING);
        });
        routes.get("/admin/v1/ruleset", context -> {
            Ruleset ruleset = rulesets.newest(Caller.of(context).tenant());
            context.header(RULESET_VERSION, Long.toString(ruleset.version()));
            HttpServer.answer(context, 200, Json.write(RulesetExport.sourceOf(ruleset, clock.instant())));
        });
    }
}
