package dev.laurel.gateway.http;

import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.RequestReplyClient.Placed;
import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.RequestResult.Place;
import dev.laurel.gateway.RequestResult.Replied;
import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.admission.Admissions.Verdict;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.Caller.AuditNote;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.serde.Times;
import dev.laurel.schemas.topic.Rejection;
import dev.laurel.schemas.wire.AuditBody.RejectionBody.ResendBody;
import dev.laurel.schemas.wire.ErrorBody;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /admin/v1/rejections/{id}/resend} (docs/admin-api.md B11): writes the body, the mended value of a rejected record, to the
 * log, with the time of the rejected record, and answers when it is processed. The rejected record stays as it is. The response is 400
 * if the body is not a JSON object, and 422 for whatever else is still wrong: by the form of commands and by the newest ruleset before
 * anything is written; by the state of the user after that, which changes nothing either.
 */
record RejectionRoutes(
        Admissions admissions,
        RequestReplyClient client,
        LongFunction<@Nullable Rejection> rejections,
        AccessView access,
        InstantSource clock)
        implements Routes {

    /** The id of a rejection is its offset. */
    private static final String ID = "[0-9]{1,18}";

    @Override
    public void mount(RouteTable routes) {
        routes.post("/admin/v1/rejections/{id}/resend", RequiredRole.ADMIN, this::resend);
    }

    private void resend(Context context) throws BadInputException {
        Caller caller = Caller.of(context);
        TenantId tenant = caller.tenant();
        String id = context.pathParam("id");
        Rejection rejection = id.matches(ID) ? rejections.apply(Long.parseLong(id)) : null;
        if (rejection == null || caller.isBound() && !tenant.equals(rejection.tenantOfKey())) {
            throw new HttpRefusal(404, "Rejection not found by ID");
        }
        expectTenant(tenant, rejection);
        Instant time = time(context, rejection);
        UserCommand command = withKey(read(context.bodyAsBytes()), rejection);
        UserKey user = caller.userKey(command.user().id());
        HttpReplies.admit(admissions, user.tenant(), admission -> asInvalid(admission.check(command)));
        answer(context, id, command, time, client.ask(user, command, time));
    }

    /** A record of one tenant is not sent to another by mistake. */
    private void expectTenant(TenantId tenant, Rejection rejection) {
        TenantId ofKey = rejection.tenantOfKey();
        if (ofKey == null || ofKey.equals(tenant)) {
            return;
        }
        String customer = access.index().customerIdOf(ofKey);
        if (!customer.isEmpty() && access.index().activeTenant(customer) != null) {
            throw new HttpRefusal(
                    422, "Tenant-ID must be " + customer + ", the tenant that the key of the rejected record names.");
        }
    }

    private Instant time(Context context, Rejection rejection) throws BadInputException {
        String given = context.queryParam("time");
        Instant time = given == null ? rejection.time() : Times.parse(given, "time");
        Instant now = clock.instant();
        if (time.toEpochMilli() <= 0 || time.isAfter(Times.MAX) || time.isAfter(now)) {
            throw new HttpRefusal(
                    422,
                    "time " + (given == null ? "of the rejected record is " + Json.time(time) + ", it " : "")
                            + "must be after 1970 and not in the future; here it is " + Json.time(now)
                            + (given == null ? ": give another one, as time=…" : "."));
        }
        return time;
    }

    /** Reads a value like one of a direct producer. */
    private static UserCommand read(byte[] body) throws BadInputException {
        return switch (CommandJson.read(body)) {
            case UserCommand ofUser -> ofUser;
            case Command.OwnedCommand _, Command.LogCommand _ ->
                throw new HttpRefusal(422, "type must be that of a command of a user, such as event or identify.");
        };
    }

    /** An event without a key gets one, so that it counts once if the same record is sent again by two people, or after an error. */
    private static UserCommand withKey(UserCommand command, Rejection rejection) {
        return command instanceof RecordEvent event && event.idempotencyKey() == null
                ? new RecordEvent(
                        event.user(),
                        event.metric(),
                        event.value(),
                        event.attributes(),
                        "rejection:" + rejection.topic() + "-" + rejection.partition() + "@" + rejection.offset(),
                        event.eventId())
                : command;
    }

    /** What is not found is wrong in the body here, not in the path. */
    private static Verdict asInvalid(Verdict verdict) {
        return verdict instanceof Verdict.Denied(Refusal refusal)
                ? new Verdict.Denied(Refusal.invalid(refusal.message()))
                : verdict;
    }

    private static void answer(Context context, String id, UserCommand command, Instant time, Placed placed) {
        switch (placed.result()) {
            case Replied reply
            when reply.isSuccess() -> {
                note(context, id, command);
                write(context, 200, command, time, placed.place(), reply.status() == 202 ? "repeated" : "accepted");
            }
            case Replied reply ->
                throw new HttpRefusal(
                        422, Json.read(reply.body(), ErrorBody.class).error());
            case RequestResult.Pending _ -> {
                note(context, id, command);
                Caller.of(context).audit().unknown();
                write(context, 202, command, time, placed.place(), "pending");
            }
            case RequestResult.TooLarge _, RequestResult.Unavailable _ -> HttpReplies.write(context, placed.result());
        }
    }

    private static void note(Context context, String id, UserCommand command) {
        AuditNote audit = Caller.of(context).audit();
        audit.changed("rejection", id, null);
        audit.changed("user", command.user().id().value(), null);
    }

    private static void write(
            Context context, int status, UserCommand command, Instant time, @Nullable Place place, String outcome) {
        Answers.json(
                context,
                status,
                place == null
                        ? new ResendBody(null, null, null, command.user().id().value(), time, outcome)
                        : new ResendBody(
                                place.topic(),
                                place.partition(),
                                place.offset(),
                                command.user().id().value(),
                                time,
                                outcome));
    }
}
