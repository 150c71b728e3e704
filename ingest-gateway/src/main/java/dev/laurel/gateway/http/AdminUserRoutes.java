package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Exchange;
import dev.laurel.schemas.command.EraseUser;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.http.Caller;
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
import java.util.List;

/**
 * {@code DELETE /admin/v1/users} (admin-api.md B7): users are erased for good. A comma that was sent as {@code %2C} belongs to
 * the id, so that no other user is erased than the one that was meant.
 */
public final class AdminUserRoutes implements Routes {

    private final Exchange exchange;

    public AdminUserRoutes(Exchange exchange) {
        this.exchange = exchange;
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
        for (int i = 0; i < ids.size(); i++) {
            if (UserId.problemWith(ids.get(i)) != null) {
                results.refuse(i, Refusal.userDoesNotExist().message());
                continue;
            }
            UserKey user = caller.userKey(new UserId(ids.get(i)));
            requests.add(i, user, () -> exchange.ask(user, new EraseUser(UserChange.mention(user.user()))));
        }
        requests.send();
        results.expectTaken();
        HttpServer.answer(context, 200, Json.write(new DeletedBody(results.done(), results.issues())));
    }
}
