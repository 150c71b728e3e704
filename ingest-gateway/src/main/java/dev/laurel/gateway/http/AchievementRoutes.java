package dev.laurel.gateway.http;

import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.AchievementBody.CompletionBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;

/**
 * {@code POST /achievements/{key}/complete} (docs/application-api.md §3). 400 if the body is no JSON object, 422 for missing or
 * ill-typed fields and for unknown attribute keys; the log decides everything else, also whether the achievement can be completed.
 * A user who has it already gets 202, whatever its present status (docs/semantics.md §4).
 */
final class AchievementRoutes implements Routes {

    private static final byte[] PENDING = Json.write(CompletionBody.ofPending());

    private final Admissions admissions;
    private final RequestReplyClient client;

    AchievementRoutes(Admissions admissions, RequestReplyClient client) {
        this.admissions = admissions;
        this.client = client;
    }

    @Override
    public void mount(RoutesConfig routes) {
        for (String base : List.of("/v1", "/api")) {
            routes.post(base + "/achievements/{key}/complete", this::complete);
        }
    }

    private void complete(Context context) throws BadInputException {
        CompleteAchievement completion = read(context);
        UserKey user = Caller.of(context).userKey(completion.user().id());
        HttpReplies.admit(admissions, user.tenant(), admission -> admission.check(completion));
        HttpReplies.write(context, client.ask(user, completion), () -> PENDING);
    }

    private static CompleteAchievement read(Context context) throws BadInputException {
        return CommandJson.readCompletionBody(context.bodyAsBytes(), context.pathParam("key"));
    }
}
