package dev.laurel.gateway.http;

import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.admin.SettingsKind;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** PATCH of the singletons (admin-api.md part B): 200 with all of it, or 422 and nothing has changed. */
public final class SettingsRoutes implements Routes {

    private final Edits edits;

    public SettingsRoutes(Edits edits) {
        this.edits = edits;
    }

    @Override
    public void mount(RoutesConfig routes) {
        for (SettingsKind kind : SettingsKind.values()) {
            routes.patch("/admin/v1" + kind.path(), context -> patch(context, kind));
        }
    }

    private void patch(Context context, SettingsKind kind) throws BadInputException {
        edits.answer(context, new Edit.Patch(kind, Json.readForeignObject(context.bodyAsBytes())));
    }
}
