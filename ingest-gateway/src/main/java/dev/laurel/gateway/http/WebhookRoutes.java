package dev.laurel.gateway.http;

import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.admin.ObjectKind;
import dev.laurel.schemas.http.PathIds;
import dev.laurel.schemas.http.Routes;
import io.javalin.config.RoutesConfig;

/** What webhooks have beside the bulk pattern (admin-api.md B5): {@code POST /webhooks/{id}/rotate-secret}. */
public final class WebhookRoutes implements Routes {

    private final Edits edits;

    public WebhookRoutes(Edits edits) {
        this.edits = edits;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.post("/admin/v1" + ObjectKind.WEBHOOK.path() + "/{id}/rotate-secret",
                context -> edits.answer(context, new Edit.RotateSecret(PathIds.of(context, "id"))));
    }
}
