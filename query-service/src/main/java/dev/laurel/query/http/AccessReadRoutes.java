package dev.laurel.query.http;

import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.ConfigReads;
import dev.laurel.schemas.access.AccessIndex.KeyPlace;
import dev.laurel.schemas.access.AccessIndex.KeyRange;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.admin.AccessBodies;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.util.List;

/** The operators' reads of keys and tenants (docs/admin-api.md A7, A8, B6). No response contains a key. */
final class AccessReadRoutes implements Routes {

    /** Of application keys, which a page reads over. */
    private static final int MAX_SKIP = 10_000;

    private final ConfigReads configuration;
    private final Rulesets rulesets;

    AccessReadRoutes(ConfigReads configuration, Rulesets rulesets) {
        this.configuration = configuration;
        this.rulesets = rulesets;
    }

    @Override
    public void mount(RouteTable routes) {
        routes.get("/admin/v1/admin-api-keys", Access.VIEWER_OF_INSTANCE,
                context -> list(context, AccessBodies.adminKeys(configuration.access())));
        routes.get("/admin/v1/application-api-keys", Access.VIEWER, this::applicationKeys);
        routes.get("/admin/v1/tenants", Access.VIEWER_OF_INSTANCE,
                context -> list(context, AccessBodies.tenants(withTenants())));
        routes.get("/admin/v1/tenants/{id}", Access.VIEWER_OF_INSTANCE, this::tenant);
    }

    private void applicationKeys(Context context) throws InterruptedException {
        TenantId tenant = Caller.of(context).tenant();
        if (!rulesets.newest(tenant).settings().applicationKeysEnabled()) {
            throw new HttpRefusal(403,
                    "Application keys are switched off: see applicationKeysEnabled in the settings.");
        }
        Page page = Page.of(context, MAX_SKIP);
        String named = context.queryParam("userId");
        String cursor = context.queryParam(Page.AFTER);
        KeyPlace after = cursor == null ? null : KeyPlace.parse(cursor);
        if (cursor != null && after == null) {
            throw Page.badAfter();
        }
        AccessIndex index = configuration.access();
        boolean isUser = named == null || UserId.problemWith(named) == null;
        // One more than asked for tells whether there is a next page.
        List<ApplicationKey> found = isUser
                ? index.applicationKeys(tenant, new KeyRange(named == null ? null : new UserId(named), after,
                        page.skip(), page.limit() + 1))
                : List.of();
        List<ApplicationKey> shown = found.subList(0, Math.min(page.limit(), found.size()));
        Page.setNext(context, found.size() > shown.size() ? KeyPlace.of(shown.getLast()).text() : null);
        HttpServer.answer(context, 200, Json.write(AccessBodies.of(index, shown)));
    }

    private void tenant(Context context) throws InterruptedException {
        Tenant tenant = withTenants().tenant(RequestParameters.pathId(context, "id"));
        if (tenant == null) {
            throw new HttpRefusal(404, "Tenant not found by ID");
        }
        HttpServer.answer(context, 200, Json.write(AccessBodies.of(tenant)));
    }

    private AccessIndex withTenants() throws InterruptedException {
        AccessIndex index = configuration.access();
        if (!index.isMultiTenant()) {
            throw new HttpRefusal(422, "This instance has no tenants: multi-tenancy is off.");
        }
        return index;
    }

    private static void list(Context context, List<?> all) {
        HttpServer.answer(context, 200, Json.write(Page.of(context).cut(all)));
    }
}
