package dev.laurel.gateway.http;

import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.CompleteAchievement;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.CompletionBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;

/**
 * {@code POST /achievements/{key}/complete} (application-api.md §3). 400 for what is no JSON object, 422 for fields that
 * are missing or ill-typed and for unknown attribute keys; all else is the log's to say. So is whether the achievement
 * can be completed: who has it already is answered with 202, whatever has become of it since (semantics.md §4).
 */
public final class AchievementRoutes implements Routes {

    private static final byte[] PENDING = Json.write(CompletionBody.ofPending());

    private final Admissions admissions;
    private final Exchange exchange;

    public AchievementRoutes(Admissions admissions, Exchange exchange) {
        this.admissions = admissions;
        this.exchange = exchange;
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
        Entry.orRefuse(admissions, user.tenant(), admission -> admission.check(completion));
        Answers.write(context, exchange.ask(user, completion), () -> PENDING);
    }

    private static CompleteAchievement read(Context context) throws BadInputException {
        return CommandJson.readCompletionBody(context.bodyAsBytes(), context.pathParam("key"));
    }
}
