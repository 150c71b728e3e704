package dev.laurel.gateway.http;

import dev.laurel.schemas.admin.AccessEdit;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.UUID;

/** The calls that make, rename and archive tenants (admin-api.md A8). They are for the whole instance and name no tenant. */
public final class TenantRoutes implements Routes {

    private static final String TENANTS = "/admin/v1/tenants";

    private final Edits edits;

    public TenantRoutes(Edits edits) {
        this.edits = edits;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.post(TENANTS, this::create);
        routes.patch(TENANTS, context -> edits.answer(context, new AccessEdit.UpdateTenants(Bulk.items(context))));
        routes.delete(TENANTS, context -> edits.answer(context, new AccessEdit.DeleteTenants(Bulk.ids(context))));
    }

    private void create(Context context) throws BadInputException {
        var items = Bulk.items(context).stream().map(item -> new Edit.NewItem(UUID.randomUUID(), item)).toList();
        edits.answer(context, new AccessEdit.CreateTenants(items));
    }
}
