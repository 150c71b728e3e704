package dev.laurel.query.http;

import dev.laurel.query.read.ConfigReads;
import dev.laurel.schemas.admin.ObjectKind;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.PathIds;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.SecretBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** {@code GET /webhooks/{id}/secret} (admin-api.md B5): the one secret that can be read again. */
public final class SecretRoutes implements Routes {

    private final ConfigReads reads;

    public SecretRoutes(ConfigReads reads) {
        this.reads = reads;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.get("/admin/v1" + ObjectKind.WEBHOOK.path() + "/{id}/secret", this::show);
    }

    private void show(Context context) throws InterruptedException {
        String secret = reads.signingSecret(Caller.of(context).tenant(), PathIds.of(context, "id"));
        if (secret == null) {
            throw new HttpRefusal(404, ObjectKind.WEBHOOK.label() + " not found by ID");
        }
        context.header("Cache-Control", "no-store");
        HttpServer.answer(context, 200, Json.write(new SecretBody(secret)));
    }
}
