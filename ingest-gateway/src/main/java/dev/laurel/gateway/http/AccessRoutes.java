package dev.laurel.gateway.http;

import static dev.laurel.gateway.http.Configuration.APPLICATION_KEY;

import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.http.BulkRequest.Edited;
import dev.laurel.gateway.http.BulkRequest.IssueFactory;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.access.SignedKey;
import dev.laurel.schemas.admin.RequestFields;
import dev.laurel.schemas.command.Command.IssueKey;
import dev.laurel.schemas.command.Command.RevokeOwnedKey;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.edit.Edit.AccessEdit.NewKey;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.UserResourceIds;
import dev.laurel.schemas.wire.EditBody.DeletedBody.Deleted;
import dev.laurel.schemas.wire.EditBody.IssueBody;
import dev.laurel.schemas.wire.ErrorBody;
import io.javalin.http.Context;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The routes that create, change and delete application keys (docs/admin-api.md A7), admin keys (B6) and tenants (A8). Once the
 * deletion of a key is answered, this gateway refuses the key; other processes do so some milliseconds later. Tenants belong to
 * the whole instance, so the requests about them name no tenant.
 *
 * <p>New application keys are {@link SignedKey}s. Their user's partition has the list of them: a key is shown once it is in the list,
 * and is removed from there after all processes can know that it is revoked.
 */
record AccessRoutes(RequestReplyClient client, Configuration configuration) implements Routes {

    private static final String APPLICATION_KEYS = "/admin/v1/application-api-keys";
    private static final String ADMIN_KEYS = "/admin/v1/admin-api-keys";
    private static final String TENANTS = "/admin/v1/tenants";

    private static final List<String> ROLES =
            ApplicationKey.ROLES.stream().map(Role::word).toList();

    /** The answer of the log does not matter any more: the key is refused. */
    private static final String STILL_LISTED =
            "The key is revoked, and no longer accepted. It may still be in the list:"
                    + " delete it once more to remove it.";

    /** Virtual time is that of users, not of keys. */
    private static final InstantSource CLOCK = InstantSource.system();

    @Override
    public void mount(RouteTable routes) {
        routes.post(APPLICATION_KEYS, RequiredRole.SUPPORT, this::createApplicationKeys);
        routes.delete(APPLICATION_KEYS, RequiredRole.SUPPORT, this::deleteApplicationKeys);
        routes.post(ADMIN_KEYS, RequiredRole.ADMIN_OF_INSTANCE, this::createAdminKeys);
        routes.patch(
                ADMIN_KEYS,
                RequiredRole.ADMIN_OF_INSTANCE,
                context -> configuration.edit(context, new AccessEdit.UpdateAdminKeys(BulkInput.items(context))));
        routes.delete(
                ADMIN_KEYS,
                RequiredRole.ADMIN_OF_INSTANCE,
                context -> configuration.edit(context, new AccessEdit.DeleteAdminKeys(BulkInput.ids(context))));
        routes.post(ADMIN_KEYS + "/{id}/rotate", RequiredRole.ADMIN_OF_INSTANCE, this::rotate);
        routes.post(
                TENANTS,
                RequiredRole.ADMIN_OF_INSTANCE,
                context -> configuration.edit(context, new AccessEdit.CreateTenants(BulkInput.newItems(context))));
        routes.patch(
                TENANTS,
                RequiredRole.ADMIN_OF_INSTANCE,
                context -> configuration.edit(context, new AccessEdit.UpdateTenants(BulkInput.items(context))));
        routes.delete(
                TENANTS,
                RequiredRole.ADMIN_OF_INSTANCE,
                context -> configuration.edit(context, new AccessEdit.DeleteTenants(BulkInput.ids(context))));
    }

    private void createApplicationKeys(Context context) throws BadInputException {
        expectEnabled(context);
        List<Object> items = BulkInput.items(context);
        Caller caller = Caller.of(context);
        AccessIndex index = configuration.access().index();
        var bodies = new Object[items.size()];
        var bulk = new BulkRequest(
                caller.audit(),
                APPLICATION_KEY,
                items.size(),
                (item, severity, message) -> IssueBody.ofUser(item, null, severity, message),
                (item, _) -> bodies[item],
                null);
        for (int i = 0; i < items.size(); i++) {
            try {
                SignedKey key = newKey(caller, RequestFields.of(items.get(i)), index);
                bodies[i] = created(key, index);
                var issue = new IssueKey(UserChange.mention(key.owner().user()), key.id(), key.role(), key.expires());
                bulk.add(
                        i,
                        key.id(),
                        () -> client.ask(key.owner(), issue),
                        () -> caller.audit()
                                .changed(
                                        APPLICATION_KEY,
                                        key.id().toString(),
                                        key.owner().user().value()));
            } catch (BadInputException e) {
                bulk.refuse(i, e.refusal().message());
            }
        }
        bulk.send();
        bulk.answerCreated(context);
    }

    private SignedKey newKey(Caller caller, RequestFields item, AccessIndex index) throws BadInputException {
        String user = item.requiredText("userId");
        String problem = UserId.problemWithNew(user);
        if (problem != null) {
            throw item.bad("userId", problem);
        }
        UserKey owner = caller.userKey(new UserId(user));
        String role = item.word("role", ROLES);
        SignedKey key = SignedKey.of(
                owner,
                role == null ? Role.SUPPORT : Role.of(role),
                item.end("expires", CLOCK.instant()),
                UserResourceIds.of(owner, UUID.randomUUID()),
                index.signers());
        if (key == null) {
            throw HttpRefusal.busy("Application keys cannot be made yet: no node has made the secret that signs them."
                    + " Nothing was stored; try again.");
        }
        return key;
    }

    /** The key in the response, which alone contains its text. */
    private static Map<String, Object> created(SignedKey key, AccessIndex index) {
        ApiKey text = key.text(index.signers());
        var body = new LinkedHashMap<String, Object>();
        body.put("id", key.id());
        body.put("userId", key.owner().user().value());
        body.put("prefix", text.prefix());
        body.put("role", key.role().word());
        if (key.expires() != null) {
            body.put("expires", key.expires());
        }
        body.put("key", text.text());
        return body;
    }

    private void deleteApplicationKeys(Context context) {
        expectEnabled(context);
        List<String> ids = BulkInput.ids(context);
        Caller caller = Caller.of(context);
        RequestResult result = configuration.edit(caller, new AccessEdit.DeleteApplicationKeys(ids));
        if (!(result instanceof RequestResult.Replied reply) || !reply.isSuccess()) {
            HttpReplies.write(context, result);
            return;
        }
        // What the edit has done is noted already.
        var bulk = BulkRequest.ofIds(caller.audit(), APPLICATION_KEY, ids, IssueFactory.ofIds(ids), STILL_LISTED);
        var edited = new Edited(reply.body(), "deleted");
        for (int i = 0; i < ids.size(); i++) {
            UUID id = Uuids.parse(ids.get(i));
            Object next = edited.next(ids.get(i));
            if (id != null && SignedKey.isIdOfSigned(id)) {
                bulk.add(i, id, () -> removed(caller.tenant(), id, !(next instanceof String)), () -> {});
            } else {
                bulk.put(i, next instanceof String ? next : new Deleted(ids.get(i)));
            }
        }
        bulk.send();
        bulk.answerDeleted(context);
    }

    /** Removes a key from the list of its user. @param isRevoked false if the key was refused already, because its signer is gone */
    private RequestResult removed(TenantId tenant, UUID id, boolean isRevoked) {
        RequestResult result = client.ask(new RevokeOwnedKey(tenant, id));
        return result instanceof RequestResult.Replied || !isRevoked
                ? result
                : new RequestResult.Replied(422, Json.write(new ErrorBody(STILL_LISTED)));
    }

    private void expectEnabled(Context context) {
        if (!configuration.newest(Caller.of(context).tenant()).settings().applicationKeysEnabled()) {
            throw new HttpRefusal(
                    403, "Application keys are switched off: see applicationKeysEnabled in the settings.");
        }
    }

    private void createAdminKeys(Context context) throws BadInputException {
        var keys = new NewKeys();
        answer(context, new AccessEdit.CreateAdminKeys(keys.forItems(BulkInput.items(context))), keys);
    }

    private void rotate(Context context) {
        UUID id = RequestParameters.pathId(context, "id");
        var keys = new NewKeys();
        ApiKey key = keys.forId(id);
        answer(context, new AccessEdit.RotateAdminKey(id, key.prefix(), key.hash()), keys);
    }

    private void answer(Context context, AccessEdit edit, NewKeys keys) {
        HttpReplies.write(context, keys.addTo(configuration.edit(Caller.of(context), edit)));
    }

    /** The keys that a request creates. Only its response contains them; the log has their hashes. Not thread-safe. */
    private static final class NewKeys {

        private final SecureRandom random = new SecureRandom();
        private final Map<String, ApiKey> byId = new HashMap<>();

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
            ApiKey key = ApiKey.newAdminKey(random);
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
            fields.put(
                    "key",
                    Objects.requireNonNull(byId.get((String) fields.get("id"))).text());
            return fields;
        }
    }
}
