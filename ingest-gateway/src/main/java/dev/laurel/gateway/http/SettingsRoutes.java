package dev.laurel.gateway.http;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.SettingsKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** PATCH of the singletons (docs/admin-api.md part B): 200 with all of it, or 422 and no change. */
final class SettingsRoutes implements Routes {

    private static final String MULTI_TENANCY = "multiTenancyEnabled";

    private final Configuration configuration;

    SettingsRoutes(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public void mount(RoutesConfig routes) {
        for (SettingsKind kind : SettingsKind.values()) {
            routes.patch("/admin/v1" + kind.path(), context -> patch(context, kind));
        }
    }

    /** A request without a tenant can change only the setting of all tenants, and its response contains only that. */
    private void patch(Context context, SettingsKind kind) throws BadInputException {
        Map<String, Object> fields = Json.readForeignObject(context.bodyAsBytes());
        if (kind == SettingsKind.ACCOUNT && !Caller.of(context).hasTenant() && fields.size() == 1
                && fields.get(MULTI_TENANCY) instanceof Boolean enabled) {
            configuration.edit(context, new AccessEdit.SetMultiTenancy(enabled));
        } else {
            configuration.edit(context, new Edit.Patch(kind, fields));
        }
    }
}
