package dev.laurel.gateway.http;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The routes that change the ruleset: POST, PATCH and DELETE of the bulk pattern for its objects (docs/admin-api.md A1), and PATCH
 * for its settings (part B).
 */
record ConfigRoutes(Configuration configuration) implements Routes {

    private static final String MULTI_TENANCY = "multiTenancyEnabled";
    private static final String FIRST_TENANT = "firstTenant";
    private static final Set<String> OF_INSTANCE = Set.of(MULTI_TENANCY, FIRST_TENANT);

    @Override
    public void mount(RouteTable routes) {
        for (ObjectKind kind : ObjectKind.values()) {
            if (kind == ObjectKind.BOOST) {
                continue; // some boosts belong to users: BoostRoutes
            }
            String path = "/admin/v1" + kind.path();
            routes.post(path, RequiredRole.EDITOR, context -> create(context, kind));
            routes.patch(path, RequiredRole.EDITOR, context -> update(context, kind));
            routes.delete(path, RequiredRole.EDITOR, context -> delete(context, kind));
        }
        for (SettingsKind kind : SettingsKind.values()) {
            RequiredRole access = kind == SettingsKind.ACCOUNT ? RequiredRole.ADMIN : RequiredRole.EDITOR;
            routes.patch("/admin/v1" + kind.path(), access, context -> patch(context, kind));
        }
    }

    private void create(Context context, ObjectKind kind) throws BadInputException {
        List<Edit.NewItem> items = BulkInput.newItems(context);
        configuration.edit(context, new Edit.Create(kind, parentOf(context, kind), items));
    }

    private void update(Context context, ObjectKind kind) throws BadInputException {
        configuration.edit(context, new Edit.Update(kind, parentOf(context, kind), BulkInput.items(context)));
    }

    private void delete(Context context, ObjectKind kind) {
        configuration.edit(context, new Edit.Delete(kind, parentOf(context, kind), BulkInput.ids(context)));
    }

    private static @Nullable UUID parentOf(Context context, ObjectKind kind) {
        return kind.hasParent() ? RequestParameters.pathId(context, "systemId") : null;
    }

    /** A request without a tenant can change only the setting of all tenants, and its response contains only that. */
    private void patch(Context context, SettingsKind kind) throws BadInputException {
        Map<String, Object> fields = Json.readForeignObject(context.bodyAsBytes());
        Caller caller = Caller.of(context);
        if (kind == SettingsKind.ACCOUNT && caller.isBound()) {
            fields.remove(MULTI_TENANCY, true); // is so, and stays so: a response can be sent back as it is
            for (String name : OF_INSTANCE) {
                if (fields.get(name) != null) {
                    caller.expect(RequiredRole.ADMIN_OF_INSTANCE, name);
                }
            }
        }
        if (kind == SettingsKind.ACCOUNT
                && !caller.hasTenant()
                && OF_INSTANCE.containsAll(fields.keySet())
                && fields.get(MULTI_TENANCY) instanceof Boolean enabled) {
            configuration.edit(context, new AccessEdit.SetMultiTenancy(enabled, fields.get(FIRST_TENANT)));
        } else {
            configuration.edit(context, new Edit.Patch(kind, fields));
        }
    }
}
