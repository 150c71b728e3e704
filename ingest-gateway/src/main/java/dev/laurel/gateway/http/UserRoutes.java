package dev.laurel.gateway.http;

import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.reply.Answer;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.IdentifyUser;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.SetPreferences;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.PreferencesBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;

/** The calls that write a user (application-api.md §4): POST and PUT create or update, PATCH only updates. */
public final class UserRoutes implements Routes {

    private static final int CREATED = 201;
    private static final byte[] PREFERENCES_PENDING = Json.write(PreferencesBody.ofPending());

    private final Admissions admissions;
    private final Exchange exchange;

    public UserRoutes(Admissions admissions, Exchange exchange) {
        this.admissions = admissions;
        this.exchange = exchange;
    }

    @Override
    public void mount(RoutesConfig routes) {
        for (String base : List.of("/v1", "/api")) {
            routes.post(base + "/users", this::post);
            routes.put(base + "/users/{id}", context -> identify(context, false));
            routes.patch(base + "/users/{id}", context -> identify(context, true));
            routes.patch(base + "/users/{id}/preferences", this::prefer);
        }
    }

    /** The log knows no POST: it says 200 for every user it wrote, and this call is documented with 201. */
    private void post(Context context) throws BadInputException {
        Answer answer = ask(Caller.of(context), read(context, null, false));
        Answers.write(context, answer instanceof Answer.Replied(int status, byte[] body, _) && status == 200
                ? new Answer.Replied(CREATED, body)
                : answer, Answers::pending);
    }

    private void identify(Context context, boolean mustExist) throws BadInputException {
        Answers.write(context,
                ask(Caller.of(context), read(context, mustExist ? existingId(context) : newId(context), mustExist)),
                Answers::pending);
    }

    /** Nothing to admit: what a user may choose depends on settings that are judged where the user is known. */
    private void prefer(Context context) throws BadInputException {
        SetPreferences preferences = readPreferences(context, existingId(context));
        Answers.write(context, exchange.ask(Caller.of(context).userKey(preferences.user().id()), preferences),
                () -> PREFERENCES_PENDING);
    }

    private Answer ask(Caller caller, IdentifyUser identify) {
        UserKey user = caller.userKey(identify.user().id());
        Entry.orRefuse(admissions, user.tenant(), admission -> admission.check(identify));
        return exchange.ask(user, identify);
    }

    /** Of a user who may be new: an id that cannot be is a mistake of the request. */
    private static UserId newId(Context context) {
        String id = context.pathParam("id");
        String problem = UserId.problemWith(id);
        if (problem != null) {
            throw HttpRefusal.of(Refusal.invalid("The user id in the path " + problem + "."));
        }
        return new UserId(id);
    }

    /** Of a user who must exist: one with an id that cannot be does not. */
    private static UserId existingId(Context context) {
        String id = context.pathParam("id");
        if (UserId.problemWith(id) != null) {
            throw HttpRefusal.of(Refusal.unknownUser(id));
        }
        return new UserId(id);
    }

    private static IdentifyUser read(Context context, UserId pathId, boolean mustExist)
            throws BadInputException {
        return CommandJson.readUserBody(context.bodyAsBytes(), pathId, mustExist);
    }

    private static SetPreferences readPreferences(Context context, UserId pathId) throws BadInputException {
        return CommandJson.readPreferencesBody(context.bodyAsBytes(), pathId);
    }
}
