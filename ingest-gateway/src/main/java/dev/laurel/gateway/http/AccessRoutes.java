package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.RequestResult;
import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.edit.Edit.AccessEdit.NewKey;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The routes that create, change and delete application keys (docs/admin-api.md A7), admin keys (B6) and tenants (A8). Once the
 * deletion of a key is answered, this gateway refuses the key; other processes do so some milliseconds later. Tenants belong to
 * the whole instance, so the requests about them name no tenant.
 */
final class AccessRoutes implements Routes {

    private static final String APPLICATION_KEYS = "/admin/v1/application-api-keys";
    private static final String ADMIN_KEYS = "/admin/v1/admin-api-keys";
    private static final String TENANTS = "/admin/v1/tenants";

    private final Configuration configuration;
    private final SecureRandom random = new SecureRandom();

    AccessRoutes(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public void mount(RouteTable routes) {
        routes.post(APPLICATION_KEYS, Access.SUPPORT, this::createApplicationKeys);
        routes.delete(APPLICATION_KEYS, Access.SUPPORT, this::deleteApplicationKeys);
        routes.post(ADMIN_KEYS, Access.ADMIN_OF_INSTANCE, this::createAdminKeys);
        routes.patch(ADMIN_KEYS, Access.ADMIN_OF_INSTANCE,
                context -> configuration.edit(context, new AccessEdit.UpdateAdminKeys(BulkInput.items(context))));
        routes.delete(ADMIN_KEYS, Access.ADMIN_OF_INSTANCE,
                context -> configuration.edit(context, new AccessEdit.DeleteAdminKeys(BulkInput.ids(context))));
        routes.post(ADMIN_KEYS + "/{id}/rotate", Access.ADMIN_OF_INSTANCE, this::rotate);
        routes.post(TENANTS, Access.ADMIN_OF_INSTANCE, this::createTenants);
        routes.patch(TENANTS, Access.ADMIN_OF_INSTANCE,
                context -> configuration.edit(context, new AccessEdit.UpdateTenants(BulkInput.items(context))));
        routes.delete(TENANTS, Access.ADMIN_OF_INSTANCE,
                context -> configuration.edit(context, new AccessEdit.DeleteTenants(BulkInput.ids(context))));
    }

    private void createApplicationKeys(Context context) throws BadInputException {
        expectEnabled(context);
        var keys = new NewKeys(() -> ApiKey.newApplicationKey(random));
        answer(context, new AccessEdit.CreateApplicationKeys(keys.forItems(BulkInput.items(context))), keys);
    }

    private void deleteApplicationKeys(Context context) {
        expectEnabled(context);
        configuration.edit(context, new AccessEdit.DeleteApplicationKeys(BulkInput.ids(context)));
    }

    private void expectEnabled(Context context) {
        if (!configuration.newest(Caller.of(context).tenant()).settings().applicationKeysEnabled()) {
            throw new HttpRefusal(403,
                    "Application keys are switched off: see applicationKeysEnabled in the settings.");
        }
    }

    private void createAdminKeys(Context context) throws BadInputException {
        var keys = new NewKeys(() -> ApiKey.newAdminKey(random));
        answer(context, new AccessEdit.CreateAdminKeys(keys.forItems(BulkInput.items(context))), keys);
    }

    private void createTenants(Context context) throws BadInputException {
        configuration.edit(context, new AccessEdit.CreateTenants(BulkInput.newItems(context)));
    }

    private void rotate(Context context) {
        UUID id = RequestParameters.pathId(context, "id");
        var keys = new NewKeys(() -> ApiKey.newAdminKey(random));
        ApiKey key = keys.forId(id);
        answer(context, new AccessEdit.RotateAdminKey(id, key.prefix(), key.hash()), keys);
    }

    private void answer(Context context, AccessEdit edit, NewKeys keys) {
        HttpReplies.write(context, keys.addTo(configuration.edit(Caller.of(context), edit)));
    }

    /** The keys that a request creates. Only its response contains them; the log has their hashes. Not thread-safe. */
    private static final class NewKeys {

        private final Supplier<ApiKey> randomKeys;
        private final Map<String, ApiKey> byId = new HashMap<>();

        NewKeys(Supplier<ApiKey> randomKeys) {
            this.randomKeys = randomKeys;
        }

        /** Creates a key with an id for each item. */
        List<NewKey> forItems(List<Object> items) {
            var keys = new ArrayList<NewKey>();
            for (Object fields : items) {
                UUID id = UUID.randomUUID();
                ApiKey key = forId(id);
                keys.add(new NewKey(id, key.prefix(), key.hash(), fields));
            }
            return keys;
        }

        ApiKey forId(UUID id) {
            ApiKey key = randomKeys.get();
            byId.put(id.toString(), key);
            return key;
        }

        /** Adds the field {@code key} to the created objects of a reply. */
        RequestResult addTo(RequestResult result) {
            if (!(result instanceof RequestResult.Replied(int status, byte[] body, var _, var _)) || status >= 300) {
                return result;
            }
            try {
                Map<String, Object> reply = Json.readForeignObject(body);
                if (reply.get("created") instanceof List<?> created) {
                    reply.put("created", created.stream().map(this::withKey).toList());
                    return new RequestResult.Replied(status, Json.write(reply));
                }
                return new RequestResult.Replied(status, Json.write(withKey(reply)));
            } catch (BadInputException e) {
                throw new IllegalStateException("the reply of the ruleset writer is not a JSON object", e);
            }
        }

        private Map<String, Object> withKey(Object object) {
            var fields = new LinkedHashMap<String, Object>();
            ((Map<?, ?>) object).forEach((field, value) -> fields.put((String) field, value));
            fields.put("key", Objects.requireNonNull(byId.get((String) fields.get("id"))).text());
            return fields;
        }
    }
}
