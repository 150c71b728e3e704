package dev.laurel.query.http;

import static java.util.Objects.requireNonNull;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.processors.store.users.UserResourceReader.Entry;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.ConfigReads;
import dev.laurel.query.read.UserResourceReads;
import dev.laurel.query.read.UserResourceReads.KeyPage;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.KeyPlace;
import dev.laurel.schemas.access.AccessIndex.KeyRange;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import dev.laurel.schemas.wire.KeyBody.ApplicationKeyBody;
import dev.laurel.schemas.wire.KeyBody.TenantBody;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operators' reads of keys and tenants (docs/admin-api.md A7, A8, B6). No response contains a key. */
record AccessReadRoutes(ConfigReads configuration, Rulesets rulesets, UserResourceReads owned) implements Routes {

    /** Of application keys, which a page reads over. */
    private static final int MAX_SKIP = 10_000;

    @Override
    public void mount(RouteTable routes) {
        routes.get(
                "/admin/v1/admin-api-keys",
                RequiredRole.VIEWER_OF_INSTANCE,
                context -> list(context, AdminKeyBody.all(configuration.access())));
        routes.get("/admin/v1/application-api-keys", RequiredRole.VIEWER, this::applicationKeys);
        routes.get(
                "/admin/v1/tenants",
                RequiredRole.VIEWER_OF_INSTANCE,
                context -> list(context, TenantBody.all(withTenants())));
        routes.get("/admin/v1/tenants/{id}", RequiredRole.VIEWER_OF_INSTANCE, this::tenant);
    }

    private void applicationKeys(Context context) {
        Caller caller = Caller.of(context);
        TenantId tenant = caller.tenant();
        if (!rulesets.newest(tenant).settings().applicationKeysEnabled()) {
            throw new HttpRefusal(
                    403, "Application keys are switched off: see applicationKeysEnabled in the settings.");
        }
        Page page = Page.of(context, MAX_SKIP);
        Place after = Page.after(context, Place.class);
        String named = context.queryParam("userId");
        if (named != null && UserId.problemWith(named) != null) {
            ReadAnswers.answer(context, List.of()); // nobody can have this id
            return;
        }
        answer(context, tenant, named == null ? null : caller.userKey(new UserId(named)), page, after);
    }

    /** Stored keys come first: earlier versions have made them. @param user null: the keys of all users */
    private void answer(Context context, TenantId tenant, @Nullable UserKey user, Page page, @Nullable Place after) {
        AccessIndex index = configuration.access();
        var stored = new AccessIndex.KeyPage(List.of(), 0);
        if (after == null || after.user() == null) {
            // One more than asked for tells whether there is a next page.
            stored = index.applicationKeys(
                    tenant,
                    new KeyRange(
                            user == null ? null : user.user(),
                            after == null ? null : after.key(),
                            page.skip(),
                            page.limit() + 1));
        }
        boolean isMoreStored = stored.keys().size() > page.limit();
        List<ApplicationKey> shown = isMoreStored ? stored.keys().subList(0, page.limit()) : stored.keys();
        var bodies = new ArrayList<>(ApplicationKeyBody.of(index, shown));
        int left = page.limit() - shown.size();
        KeyPage signed = isMoreStored
                ? new KeyPage(List.of(), null)
                : signed(tenant, user, after, page.skip() - stored.skipped(), Math.max(left, 1));
        boolean isMore = isMoreStored || left == 0 && !signed.keys().isEmpty();
        if (!isMore) {
            bodies.addAll(signed.keys());
        }
        Place end = isMore ? Place.of(shown.getLast()) : signed.last() == null ? null : Place.of(signed.last());
        ReadAnswers.answer(context, bodies, end, Page::cursorOf);
    }

    private KeyPage signed(TenantId tenant, @Nullable UserKey user, @Nullable Place after, int skip, int limit) {
        Entry last = after == null ? null : after.entry();
        return user == null ? owned.keys(tenant, last, skip, limit) : owned.keysOf(user, last, skip, limit);
    }

    /** Where a page ends. @param user of a signed key, as bytes of the user's key; null: at a stored key */
    private record Place(KeyPlace key, byte @Nullable [] user) {

        Place {
            requireNonNull(key.id(), "id");
        }

        static Place of(ApplicationKey stored) {
            return new Place(KeyPlace.of(stored), null);
        }

        static Place of(Entry signed) {
            return new Place(new KeyPlace(signed.createdMs(), signed.id()), signed.user());
        }

        /** The signed key that the signed keys follow; null: from the first. */
        @Nullable
        Entry entry() {
            return user == null ? null : new Entry(0, key.createdMs(), key.id(), user);
        }
    }

    private void tenant(Context context) {
        Tenant tenant = withTenants().tenant(RequestParameters.pathId(context, "id"));
        if (tenant == null) {
            throw new HttpRefusal(404, "Tenant not found by ID");
        }
        ReadAnswers.answer(context, TenantBody.of(tenant));
    }

    private AccessIndex withTenants() {
        AccessIndex index = configuration.access();
        if (!index.isMultiTenant()) {
            throw new HttpRefusal(422, "This instance has no tenants: multi-tenancy is off.");
        }
        return index;
    }

    private static void list(Context context, List<?> all) {
        ReadAnswers.answer(context, Page.of(context).cut(all));
    }
}
