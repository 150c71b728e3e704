package dev.laurel.gateway.http;

import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.RequestResult.Replied;
import dev.laurel.gateway.admission.Admissions;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.EditBody.IssueBody;
import dev.laurel.schemas.wire.UserBody.PreferencesBody;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The routes that write users. In the application API (docs/application-api.md §4), POST and PUT create or update, PATCH only
 * updates. {@code DELETE /admin/v1/users} (docs/admin-api.md B7) erases users for good.
 */
record UserRoutes(Admissions admissions, RequestReplyClient client, Configuration configuration) implements Routes {

    private static final int CREATED = 201;

    /** How often new keys of a user may hinder an erasure that has begun. */
    private static final int MAX_REVOCATIONS = 3;

    private static final Duration ACCESS_TIMEOUT = Duration.ofSeconds(5);
    private static final byte[] PREFERENCES_PENDING = Json.write(PreferencesBody.ofPending());

    @Override
    public void mount(RouteTable routes) {
        for (String base : List.of("/v1", "/api")) {
            routes.post(base + "/users", RequiredRole.SUPPORT, this::post);
            routes.put(base + "/users/{id}", RequiredRole.SUPPORT, context -> identify(context, false));
            routes.patch(base + "/users/{id}", RequiredRole.SUPPORT, context -> identify(context, true));
            routes.patch(base + "/users/{id}/preferences", RequiredRole.SUPPORT, this::setPreferences);
        }
        routes.delete("/admin/v1/users", RequiredRole.SUPPORT, this::erase);
    }

    /** The log replies 200 for every user that it wrote; this route is documented with 201. */
    private void post(Context context) throws BadInputException {
        RequestResult result = ask(Caller.of(context), CommandJson.readUserBody(context.bodyAsBytes(), null, false));
        HttpReplies.write(
                context,
                result instanceof RequestResult.Replied(int status, byte[] body, var _, var _) && status == 200
                        ? new RequestResult.Replied(CREATED, body)
                        : result);
    }

    private void identify(Context context, boolean mustExist) throws BadInputException {
        UserId id = mustExist ? existingId(context) : newId(context);
        HttpReplies.write(
                context, ask(Caller.of(context), CommandJson.readUserBody(context.bodyAsBytes(), id, mustExist)));
    }

    /** Needs no admission check: the user's partition checks preferences against the settings. */
    private void setPreferences(Context context) throws BadInputException {
        SetPreferences preferences = CommandJson.readPreferencesBody(context.bodyAsBytes(), existingId(context));
        HttpReplies.write(
                context,
                client.ask(Caller.of(context).userKey(preferences.user().id()), preferences),
                () -> PREFERENCES_PENDING);
    }

    private RequestResult ask(Caller caller, IdentifyUser identify) {
        UserKey user = caller.userKey(identify.user().id());
        HttpReplies.admit(admissions, user.tenant(), admission -> admission.check(identify));
        return client.ask(user, identify);
    }

    /** The id of a user who may be new: an invalid id is a mistake of the request. */
    private static UserId newId(Context context) {
        String id = context.pathParam("id");
        String problem = UserId.problemWithNew(id);
        if (problem != null) {
            throw HttpRefusal.of(Refusal.invalid("The user id in the path " + problem + "."));
        }
        return new UserId(id);
    }

    /** The id of a user who must exist: a user with an invalid id does not. */
    private static UserId existingId(Context context) {
        String id = context.pathParam("id");
        if (UserId.problemWith(id) != null) {
            throw HttpRefusal.of(Refusal.unknown("user", id));
        }
        return new UserId(id);
    }

    /**
     * Erases users and, before that, their application keys, stored and signed ones, because devices that hold these keys would create the
     * users again.
     */
    private void erase(Context context) {
        Caller caller = Caller.of(context);
        List<String> ids = BulkInput.ids(context);
        var bulk = BulkRequest.ofIds(
                caller.audit(),
                BulkRequest.USER,
                ids,
                (index, severity, message) ->
                        IssueBody.ofThing(ids.get(index), severity, message).ofUser(ids.get(index)),
                null);
        var users = new HashSet<UserKey>();
        for (int i = 0; i < ids.size(); i++) {
            if (UserId.problemWith(ids.get(i)) != null) {
                bulk.refuse(i, Refusal.userDoesNotExist().message());
                continue;
            }
            UserKey user = caller.userKey(new UserId(ids.get(i)));
            users.add(user);
            bulk.add(i, user, () -> erase(caller, user));
        }
        deleteKeys(caller, users);
        bulk.send();
        bulk.answerDeleted(context);
    }

    /**
     * Erases a user. The log refuses that while the user has signed keys whose revocation it does not know of, and names them; then they
     * are revoked everywhere, and the erasure is sent again. Most users have none.
     */
    private RequestResult erase(Caller caller, UserKey user) {
        UserChange mention = UserChange.mention(user.user());
        RequestResult result = client.ask(user, new EraseUser(mention));
        for (int i = 0; i < MAX_REVOCATIONS; i++) {
            List<UUID> keys = keysNotRevoked(result);
            if (keys.isEmpty()) {
                return result;
            }
            RequestResult revoked = configuration.edit(
                    caller,
                    new AccessEdit.DeleteApplicationKeys(
                            keys.stream().map(UUID::toString).toList()));
            if (!revoked.isSuccess()) {
                return revoked; // the user is not erased
            }
            result = client.ask(user, new EraseUser(mention, keys));
        }
        return result;
    }

    private static List<UUID> keysNotRevoked(RequestResult result) {
        return result instanceof Replied reply
                        && !reply.isSuccess()
                        && Json.readTree(reply.body()) instanceof Map<?, ?> body
                        && body.get("keys") instanceof List<?> keys
                ? keys.stream().map(id -> UUID.fromString((String) id)).toList()
                : List.of();
    }

    /** @throws HttpRefusal 503 if the keys cannot be deleted now; then no user has been erased */
    private void deleteKeys(Caller caller, Set<UserKey> users) {
        List<String> keys =
                keysOf(users).stream().map(key -> key.id().toString()).toList();
        // A pending reply is no reason to wait: the edit is in the log and will be carried out.
        if (!keys.isEmpty()
                && configuration.edit(caller, new AccessEdit.DeleteApplicationKeys(keys))
                        instanceof RequestResult.Unavailable(String reason)) {
            throw HttpRefusal.busy(reason);
        }
    }

    private List<ApplicationKey> keysOf(Set<UserKey> users) {
        try {
            if (!configuration.access().awaitNewest(ACCESS_TIMEOUT)) {
                throw HttpRefusal.busy("The users' keys cannot be found now. Nothing was erased; try again.");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw HttpRefusal.busy("The server stops. Nothing was erased; try again.");
        }
        AccessIndex index = configuration.access().index();
        return users.stream()
                .flatMap(user -> index.applicationKeysOf(user).stream())
                .toList();
    }
}
