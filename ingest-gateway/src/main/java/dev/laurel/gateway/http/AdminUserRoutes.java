package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Answer;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.admin.AccessEdit;
import dev.laurel.schemas.command.EraseUser;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.ListParameter;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.DeletedBody;
import dev.laurel.schemas.wire.IssueBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code DELETE /admin/v1/users} (admin-api.md B7): users are erased for good, and before them their application keys, with
 * which their devices would make them anew. A comma that was sent as {@code %2C} belongs to
 * the id, so that no other user is erased than the one that was meant.
 */
public final class AdminUserRoutes implements Routes {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Exchange exchange;
    private final Edits edits;
    private final AccessView access;

    /** @param access shows whose the application keys are */
    public AdminUserRoutes(Exchange exchange, Edits edits, AccessView access) {
        this.exchange = exchange;
        this.edits = edits;
        this.access = access;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.delete("/admin/v1/users", this::erase);
    }

    private void erase(Context context) {
        Caller caller = Caller.of(context);
        List<String> ids = Bulk.ids(ListParameter.ofTexts(context, "ids"));
        var results = new ItemResults(ids.size(),
                (index, severity, message) -> IssueBody.ofThing(ids.get(index), severity, message)
                        .ofUser(ids.get(index)),
                (index, _) -> new DeletedBody.Deleted(ids.get(index)), List.of());
        var requests = new ItemRequests(results);
        var users = new HashSet<UserKey>();
        for (int i = 0; i < ids.size(); i++) {
            if (UserId.problemWith(ids.get(i)) != null) {
                results.refuse(i, Refusal.userDoesNotExist().message());
                continue;
            }
            UserKey user = caller.userKey(new UserId(ids.get(i)));
            users.add(user);
            requests.add(i, user, () -> exchange.ask(user, new EraseUser(UserChange.mention(user.user()))));
        }
        takeKeysBack(caller, users);
        requests.send();
        results.expectTaken();
        HttpServer.answer(context, 200, Json.write(new DeletedBody(results.done(), results.issues())));
    }

    /** @throws HttpRefusal 503 if that cannot be done now: nobody has been erased then */
    private void takeKeysBack(Caller caller, Set<UserKey> users) {
        List<String> keys = keysOf(users).stream().map(key -> key.id().toString()).toList();
        // An answer that is not there yet is no reason to wait: what was asked for is in the log, and will be done.
        if (!keys.isEmpty() && edits.ask(caller,
                new AccessEdit.DeleteApplicationKeys(keys)) instanceof Answer.Unavailable(String reason)) {
            throw HttpRefusal.busy(reason, Answers.RETRY_AFTER_S);
        }
    }

    private List<ApplicationKey> keysOf(Set<UserKey> users) {
        try {
            if (!access.awaitNewest(PATIENCE)) {
                throw HttpRefusal.busy("The users' keys cannot be found now. Nothing was erased; try again.",
                        Answers.RETRY_AFTER_S);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw HttpRefusal.busy("The server stops. Nothing was erased; try again.", Answers.RETRY_AFTER_S);
        }
        return access.book().applicationKeys().stream().filter(key -> users.contains(key.owner())).toList();
    }
}
