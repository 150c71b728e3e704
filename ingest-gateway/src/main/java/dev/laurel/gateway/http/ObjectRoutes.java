package dev.laurel.gateway.http;

import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.PathIds;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.ObjectKind;
import dev.laurel.schemas.input.BadInputException;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** POST, PATCH and DELETE of the bulk pattern for the objects of the ruleset (docs/admin-api.md A1). */
final class ObjectRoutes implements Routes {

    private final Configuration configuration;

    ObjectRoutes(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public void mount(RoutesConfig routes) {
        for (ObjectKind kind : ObjectKind.values()) {
            if (kind == ObjectKind.BOOST) {
                continue; // some belong to users: BoostRoutes
            }
            String path = "/admin/v1" + kind.path();
            routes.post(path, context -> create(context, kind));
            routes.patch(path, context -> update(context, kind));
            routes.delete(path, context -> delete(context, kind));
        }
    }

    private void create(Context context, ObjectKind kind) throws BadInputException {
        var items = BulkInput.items(context).stream().map(item -> new Edit.NewItem(UUID.randomUUID(), item)).toList();
        configuration.edit(context, new Edit.Create(kind, parentOf(context, kind), items));
    }

    private void update(Context context, ObjectKind kind) throws BadInputException {
        configuration.edit(context, new Edit.Update(kind, parentOf(context, kind), BulkInput.items(context)));
    }

    private void delete(Context context, ObjectKind kind) {
        configuration.edit(context, new Edit.Delete(kind, parentOf(context, kind), BulkInput.ids(context)));
    }

    private static @Nullable UUID parentOf(Context context, ObjectKind kind) {
        return kind.hasParent() ? PathIds.of(context, "systemId") : null;
    }
}
