package dev.laurel.gateway.http;

import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.AchievementBody.CompletionBody;
import io.javalin.http.Context;
import java.util.List;

/**
 * {@code POST /achievements/{key}/complete} (docs/application-api.md §3). The response is 400 if the body is not a JSON object, and
 * 422 for missing or ill-typed fields and for unknown attribute keys. The processing of the command decides everything else, such as
 * whether the achievement can be completed. The response is 202 if the user has completed it before, whatever its status
 * (docs/semantics.md §4).
 */
record AchievementRoutes(Admissions admissions, RequestReplyClient client) implements Routes {

    private static final byte[] PENDING = Json.write(CompletionBody.ofPending());

    @Override
    public void mount(RouteTable routes) {
        for (String base : List.of("/v1", "/api")) {
            routes.post(base + "/achievements/{key}/complete", Access.SUPPORT, this::complete);
        }
    }

    private void complete(Context context) throws BadInputException {
        CompleteAchievement completion = CommandJson.readCompletionBody(context.bodyAsBytes(),
                context.pathParam("key"));
        UserKey user = Caller.of(context).userKey(completion.user().id());
        HttpReplies.admit(admissions, user.tenant(), admission -> admission.check(completion));
        HttpReplies.write(context, client.ask(user, completion), () -> PENDING);
    }
}
