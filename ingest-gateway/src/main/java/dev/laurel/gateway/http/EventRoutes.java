package dev.laurel.gateway.http;

import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.reply.Answer;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.gateway.reply.Parts;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.EventBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.UUID;

/**
 * {@code POST /metrics/{key}/event} (application-api.md §3). 400 for what is no JSON object, 422 for fields that are
 * missing or ill-typed, 403 for a user who is not the caller's, 404 for an unknown metric, 422 for unknown attribute keys, in this order; then the log's answer,
 * with the entries of the leaderboards that came within the waiting time.
 */
public final class EventRoutes implements Routes {

    private final Admissions admissions;
    private final Exchange exchange;
    private final EventIds eventIds = new EventIds();

    public EventRoutes(Admissions admissions, Exchange exchange) {
        this.admissions = admissions;
        this.exchange = exchange;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.post("/v1/metrics/{key}/event", this::record);
        routes.post("/api/metrics/{key}/event", this::record);
    }

    private void record(Context context) throws BadInputException {
        UUID eventId = eventIds.next();
        RecordEvent event = read(context, eventId);
        UserKey user = Caller.of(context).userKey(event.user().id());
        Metric metric = Entry.orRefuse(admissions, user.tenant(), admission -> admission.check(event)).metric();
        Answers.write(context, whole(exchange.ask(user, event)),
                () -> Json.write(EventBody.pending(eventId, metric.id())));
    }

    private static Answer whole(Answer answer) {
        return answer instanceof Answer.Replied(int status, byte[] body, Parts parts) && !parts.areNone()
                ? new Answer.Replied(status, EventAnswers.assemble(body, parts))
                : answer;
    }

    private static RecordEvent read(Context context, UUID eventId) throws BadInputException {
        return CommandJson.readEventBody(context.bodyAsBytes(), context.pathParam("key"),
                context.header("Idempotency-Key"), eventId);
    }
}
