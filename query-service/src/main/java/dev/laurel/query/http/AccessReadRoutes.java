package dev.laurel.query.http;

import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.ConfigReads;
import dev.laurel.query.read.OwnedReads.KeyPage;
import dev.laurel.query.read.OwnedReads;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.admin.AccessBodies;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.KeyBody.ApplicationKeyBody;
import io.javalin.http.Context;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operators' reads of keys and tenants (docs/admin-api.md A7, A8, B6). No response contains a key. */
final class AccessReadRoutes implements Routes {

    private static final int MAX_SKIPPED_KEYS = 10_000;

    private final ConfigReads configuration;
    private final Rulesets rulesets;
    private final OwnedReads owned;

    AccessReadRoutes(ConfigReads configuration, Rulesets rulesets, OwnedReads owned) {
        this.configuration = configuration;
        this.rulesets = rulesets;
        this.owned = owned;
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
        Caller caller = Caller.of(context);
        TenantId tenant = caller.tenant();
        if (!rulesets.newest(tenant).settings().applicationKeysEnabled()) {
            throw new HttpRefusal(403,
                    "Application keys are switched off: see applicationKeysEnabled in the settings.");
        }
        String userId = context.queryParam("userId");
        List<ApplicationKeyBody> stored = AccessBodies.applicationKeys(configuration.access(), tenant, userId);
        if (userId != null) {
            var all = new ArrayList<>(stored);
            if (UserId.problemWith(userId) == null) {
                all.addAll(owned.keysOf(caller.userKey(new UserId(userId))));
            }
            list(context, all);
            return;
        }
        Page page = Page.of(context, MAX_SKIPPED_KEYS);
        String after = Page.cursor(context);
        Place place = after == null ? null : Place.of(after);
        answer(context, page, tenant, place == null ? stored : stored.stream().filter(place::isBefore).toList(), place);
    }

    /** Stored keys come first: an earlier version has made them. @param stored those that follow the place */
    private void answer(Context context, Page page, TenantId tenant, List<ApplicationKeyBody> stored,
            @Nullable Place place) {
        var keys = new ArrayList<>(page.cut(stored));
        int skip = Math.max(0, page.skip() - stored.size());
        boolean isFull = keys.size() == page.limit();
        KeyPage signed = isFull
                ? new KeyPage(List.of(), null)
                : owned.keys(tenant, place == null ? null : place.entry(), skip, page.limit() - keys.size());
        Place next = isFull ? Place.of(keys.getLast()) : signed.last() == null ? null : Place.of(signed.last());
        keys.addAll(signed.keys());
        Page.setNext(context, next == null ? null : next.text());
        HttpServer.answer(context, 200, Json.write(keys));
    }

    /** Where a page ends. @param user the bytes of the user's key; null: at a stored key, or before all others */
    private record Place(long createdMs, UUID id, byte @Nullable [] user) {

        static Place of(ApplicationKeyBody stored) {
            return new Place(stored.created().toEpochMilli(), stored.id(), null);
        }

        static Place of(Entry signed) {
            return new Place(signed.createdMs(), signed.id(), signed.user());
        }

        /** Reads {@link #text}. */
        static Place of(String cursor) {
            try {
                var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor));
                boolean isStored = bytes.get() == 0;
                var place = new Place(bytes.getLong(), new UUID(bytes.getLong(), bytes.getLong()),
                        isStored ? null : new byte[bytes.remaining()]);
                if (place.user != null) {
                    bytes.get(place.user);
                }
                return place;
            } catch (IllegalArgumentException | BufferUnderflowException _) {
                throw Page.badAfter();
            }
        }

        String text() {
            byte[] end = user == null ? new byte[0] : user;
            return Base64.getUrlEncoder().withoutPadding()
                    .encodeToString(ByteBuffer.allocate(1 + 3 * Long.BYTES + end.length)
                            .put((byte) (user == null ? 0 : 1)).putLong(createdMs)
                            .putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).put(end)
                            .array());
        }

        /** Whether a stored key follows. */
        boolean isBefore(ApplicationKeyBody stored) {
            int order = Long.compare(createdMs, stored.created().toEpochMilli());
            return user == null && (order < 0 || order == 0 && id.compareTo(stored.id()) < 0);
        }

        /** The signed key that the signed keys follow; null: from the first. */
        @Nullable
        Entry entry() {
            return user == null ? null : new Entry(0, createdMs, id, user);
        }
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
