package dev.laurel.gateway.http;

import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.admin.AccessEdit;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.PathIds;
import dev.laurel.schemas.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * The calls that give out keys and take them back: application keys (admin-api.md A7), admin keys (B6). A key that was taken back
 * opens nothing here any more when the call is answered, and elsewhere some milliseconds later.
 */
public final class KeyRoutes implements Routes {

    private static final String APPLICATION_KEYS = "/admin/v1/application-api-keys";
    private static final String ADMIN_KEYS = "/admin/v1/admin-api-keys";

    private final Edits edits;
    private final Configuration configuration;
    private final SecureRandom random = new SecureRandom();

    public KeyRoutes(Edits edits, Configuration configuration) {
        this.edits = edits;
        this.configuration = configuration;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.post(APPLICATION_KEYS, this::createApplicationKeys);
        routes.delete(APPLICATION_KEYS, this::deleteApplicationKeys);
        routes.post(ADMIN_KEYS, this::createAdminKeys);
        routes.patch(ADMIN_KEYS,
                context -> edits.answer(context, new AccessEdit.UpdateAdminKeys(Bulk.items(context))));
        routes.delete(ADMIN_KEYS,
                context -> edits.answer(context, new AccessEdit.DeleteAdminKeys(Bulk.ids(context))));
        routes.post(ADMIN_KEYS + "/{id}/rotate", this::rotate);
    }

    private void createApplicationKeys(Context context) throws BadInputException {
        expectSwitchedOn(context);
        var keys = new NewKeys(() -> ApiKey.newApplicationKey(random));
        answer(context, new AccessEdit.CreateApplicationKeys(keys.forItems(Bulk.items(context))), keys);
    }

    private void deleteApplicationKeys(Context context) {
        expectSwitchedOn(context);
        edits.answer(context, new AccessEdit.DeleteApplicationKeys(Bulk.ids(context)));
    }

    private void expectSwitchedOn(Context context) {
        if (!configuration.newest(Caller.of(context).tenant()).settings().applicationKeysEnabled()) {
            throw new HttpRefusal(403,
                    "Application keys are switched off: see applicationKeysEnabled in the settings.");
        }
    }

    private void createAdminKeys(Context context) throws BadInputException {
        var keys = new NewKeys(() -> ApiKey.newAdminKey(random));
        answer(context, new AccessEdit.CreateAdminKeys(keys.forItems(Bulk.items(context))), keys);
    }

    private void rotate(Context context) {
        UUID id = PathIds.of(context, "id");
        var keys = new NewKeys(() -> ApiKey.newAdminKey(random));
        ApiKey key = keys.forId(id);
        answer(context, new AccessEdit.RotateAdminKey(id, key.prefix(), key.hash()), keys);
    }

    private void answer(Context context, AccessEdit edit, NewKeys keys) {
        Answers.write(context, keys.shownIn(edits.ask(Caller.of(context), edit)), Answers::pending);
    }
}
