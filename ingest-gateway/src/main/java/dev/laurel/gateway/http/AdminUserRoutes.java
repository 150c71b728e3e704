package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.gateway.reply.RequestResult;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.ListParameter;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.EditBody.DeletedBody;
import dev.laurel.schemas.wire.EditBody.IssueBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code DELETE /admin/v1/users} (docs/admin-api.md B7) erases users for good. Their application keys are deleted first, because
 * devices that hold these keys would create the users anew. A comma that was sent as {@code %2C} belongs to the id, so that only
 * the intended user is erased.
 */
final class AdminUserRoutes implements Routes {

    private static final Duration ACCESS_TIMEOUT = Duration.ofSeconds(5);

    private final RequestReplyClient client;
    private final Configuration configuration;

    AdminUserRoutes(RequestReplyClient client, Configuration configuration) {
        this.client = client;
        this.configuration = configuration;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.delete("/admin/v1/users", this::erase);
    }

    private void erase(Context context) {
        Caller caller = Caller.of(context);
        List<String> ids = BulkInput.ids(ListParameter.ofTexts(context, "ids"));
        var bulk = new BulkRequest(ids.size(),
                (index, severity, message) -> IssueBody.ofThing(ids.get(index), severity, message)
                        .ofUser(ids.get(index)),
                (index, _) -> new DeletedBody.Deleted(ids.get(index)));
        var users = new HashSet<UserKey>();
        for (int i = 0; i < ids.size(); i++) {
            if (UserId.problemWith(ids.get(i)) != null) {
                bulk.refuse(i, Refusal.userDoesNotExist().message());
                continue;
            }
            UserKey user = caller.userKey(new UserId(ids.get(i)));
            users.add(user);
            bulk.add(i, user, () -> client.ask(user, new EraseUser(UserChange.mention(user.user()))));
        }
        deleteKeys(caller, users);
        bulk.send();
        bulk.expectStored();
        HttpServer.answer(context, 200, Json.write(new DeletedBody(bulk.done(), bulk.issues())));
    }

    /** @throws HttpRefusal 503 if the keys cannot be deleted now; no user has been erased then */
    private void deleteKeys(Caller caller, Set<UserKey> users) {
        List<String> keys = keysOf(users).stream().map(key -> key.id().toString()).toList();
        // A pending reply is no reason to wait: the edit is in the log and will be carried out.
        if (!keys.isEmpty() && configuration.edit(caller,
                new AccessEdit.DeleteApplicationKeys(keys)) instanceof RequestResult.Unavailable(String reason)) {
            throw HttpReplies.busy(reason);
        }
    }

    private List<ApplicationKey> keysOf(Set<UserKey> users) {
        try {
            if (!configuration.access().awaitNewest(ACCESS_TIMEOUT)) {
                throw HttpReplies.busy("The users' keys cannot be found now. Nothing was erased; try again.");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw HttpReplies.busy("The server stops. Nothing was erased; try again.");
        }
        return configuration.access().index().applicationKeys().stream().filter(key -> users.contains(key.owner()))
                .toList();
    }
}
