package dev.laurel.gateway.http;

import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.gateway.reply.RequestResult;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.UserBody.PreferencesBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The routes that write a user (docs/application-api.md §4): POST and PUT create or update, PATCH only updates. */
final class UserRoutes implements Routes {

    private static final int CREATED = 201;
    private static final byte[] PREFERENCES_PENDING = Json.write(PreferencesBody.ofPending());

    private final Admissions admissions;
    private final RequestReplyClient client;

    UserRoutes(Admissions admissions, RequestReplyClient client) {
        this.admissions = admissions;
        this.client = client;
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

    /** The log replies 200 for every user that it wrote; this route is documented with 201. */
    private void post(Context context) throws BadInputException {
        RequestResult answer = ask(Caller.of(context), read(context, null, false));
        HttpReplies.write(context, answer instanceof RequestResult.Replied(int status, byte[] body, _) && status == 200
                ? new RequestResult.Replied(CREATED, body)
                : answer);
    }

    private void identify(Context context, boolean mustExist) throws BadInputException {
        HttpReplies.write(context,
                ask(Caller.of(context), read(context, mustExist ? existingId(context) : newId(context), mustExist)));
    }

    /** Has no admission check: the user's partition checks preferences against the settings. */
    private void prefer(Context context) throws BadInputException {
        SetPreferences preferences = readPreferences(context, existingId(context));
        HttpReplies.write(context, client.ask(Caller.of(context).userKey(preferences.user().id()), preferences),
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
        String problem = UserId.problemWith(id);
        if (problem != null) {
            throw HttpRefusal.of(Refusal.invalid("The user id in the path " + problem + "."));
        }
        return new UserId(id);
    }

    /** The id of a user who must exist: a user with an invalid id does not. */
    private static UserId existingId(Context context) {
        String id = context.pathParam("id");
        if (UserId.problemWith(id) != null) {
            throw HttpRefusal.of(Refusal.unknownUser(id));
        }
        return new UserId(id);
    }

    private static IdentifyUser read(Context context, @Nullable UserId pathId, boolean mustExist)
            throws BadInputException {
        return CommandJson.readUserBody(context.bodyAsBytes(), pathId, mustExist);
    }

    private static SetPreferences readPreferences(Context context, UserId pathId) throws BadInputException {
        return CommandJson.readPreferencesBody(context.bodyAsBytes(), pathId);
    }
}
