package dev.laurel.gateway.http;

import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.admin.ObjectKind;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.http.PathIds;
import dev.laurel.schemas.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.UUID;

/** POST, PATCH and DELETE of the bulk pattern for the objects of the ruleset (admin-api.md A1). */
public final class ObjectRoutes implements Routes {

    private final Edits edits;

    public ObjectRoutes(Edits edits) {
        this.edits = edits;
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
        var items = Bulk.items(context).stream().map(item -> new Edit.NewItem(UUID.randomUUID(), item)).toList();
        edits.answer(context, new Edit.Create(kind, parentOf(context, kind), items));
    }

    private void update(Context context, ObjectKind kind) throws BadInputException {
        edits.answer(context, new Edit.Update(kind, parentOf(context, kind), Bulk.items(context)));
    }

    private void delete(Context context, ObjectKind kind) {
        edits.answer(context, new Edit.Delete(kind, parentOf(context, kind), Bulk.ids(context)));
    }

    private static UUID parentOf(Context context, ObjectKind kind) {
        return kind.hasParent() ? PathIds.of(context, "systemId") : null;
    }
}
