package dev.laurel.gateway.http;

import dev.laurel.schemas.admin.AccessEdit;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.admin.SettingsKind;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** PATCH of the singletons (admin-api.md part B): 200 with all of it, or 422 and nothing has changed. */
public final class SettingsRoutes implements Routes {

    private static final String MULTI_TENANCY = "multiTenancyEnabled";

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
        Map<String, Object> fields = Json.readForeignObject(context.bodyAsBytes());
        if (kind == SettingsKind.ACCOUNT && !Caller.of(context).hasTenant() && isOfInstance(fields)) {
            edits.answer(context, new AccessEdit.SetMultiTenancy((Boolean) fields.get(MULTI_TENANCY)));
        } else {
            edits.answer(context, new Edit.Patch(kind, fields));
        }
    }

    /** A request that names no tenant can still change what concerns all of them, and is answered with just that. */
    private static boolean isOfInstance(Map<String, Object> fields) {
        return fields.size() == 1 && fields.get(MULTI_TENANCY) instanceof Boolean;
    }
}
