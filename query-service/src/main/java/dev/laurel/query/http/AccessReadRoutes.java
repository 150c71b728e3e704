package dev.laurel.query.http;

import dev.laurel.query.read.AccessReads;
import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.admin.AccessBodies;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.PathIds;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;

/** What operators see of keys and tenants (admin-api.md A7, A8, B6): never a key itself. */
public final class AccessReadRoutes implements Routes {

    private final AccessReads reads;
    private final Rulesets rulesets;

    public AccessReadRoutes(AccessReads reads, Rulesets rulesets) {
        this.reads = reads;
        this.rulesets = rulesets;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.get("/admin/v1/admin-api-keys", context -> list(context, AccessBodies.adminKeys(reads.newest())));
        routes.get("/admin/v1/application-api-keys", this::applicationKeys);
        routes.get("/admin/v1/tenants", context -> list(context, AccessBodies.tenants(withTenants())));
        routes.get("/admin/v1/tenants/{id}", this::tenant);
    }

    private void applicationKeys(Context context) throws InterruptedException {
        TenantId tenant = Caller.of(context).tenant();
        if (!rulesets.newest(tenant).settings().applicationKeysEnabled()) {
            throw new HttpRefusal(403,
                    "Application keys are switched off: see applicationKeysEnabled in the settings.");
        }
        list(context, AccessBodies.applicationKeys(reads.newest(), tenant, context.queryParam("userId")));
    }

    private void tenant(Context context) throws InterruptedException {
        Tenant tenant = withTenants().tenant(PathIds.of(context, "id"));
        if (tenant == null) {
            throw new HttpRefusal(404, "Tenant not found by ID");
        }
        HttpServer.answer(context, 200, Json.write(AccessBodies.of(tenant)));
    }

    private AccessBook withTenants() throws InterruptedException {
        AccessBook book = reads.newest();
        if (!book.isMultiTenant()) {
            throw new HttpRefusal(422, "This instance has no tenants: multi-tenancy is off.");
        }
        return book;
    }

    private static void list(Context context, List<?> all) {
        HttpServer.answer(context, 200, Json.write(Page.of(context).cut(all)));
    }
}
