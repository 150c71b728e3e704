package dev.laurel.query.http;

import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.ConfigReads;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.KeyBody.SecretBody;
import dev.laurel.schemas.wire.ObjectBody;
import io.javalin.http.Context;
import java.util.List;
import java.util.UUID;

/**
 * Shows what operators have configured: GET of the bulk pattern for the objects of the ruleset (docs/admin-api.md A1), GET of the
 * singletons (part B), {@code GET /webhooks/{id}/secret} (B5), the only secret that can be read again, and the only environment
 * (B7).
 */
final class ConfigReadRoutes implements Routes {

    /** An instance is one environment. */
    private static final byte[] ENVIRONMENTS = Json
            .write(List.of(new EnvironmentBody("Production", "production", 1)));

    private final ConfigReads reads;

    /** The body of an environment. @param priority 1 is the first of all environments */
    private record EnvironmentBody(String name, String key, int priority) {}

    ConfigReadRoutes(ConfigReads reads) {
        this.reads = reads;
    }

    @Override
    public void mount(RouteTable routes) {
        for (ObjectKind kind : ObjectKind.values()) {
            if (kind == ObjectKind.BOOST) {
                continue; // OwnedReadRoutes serves them, because some belong to users
            }
            String path = "/admin/v1" + kind.path();
            routes.get(path, Access.VIEWER, context -> list(context, kind));
            routes.get(path + "/{id}", Access.VIEWER, context -> show(context, kind));
        }
        for (SettingsKind kind : SettingsKind.values()) {
            routes.get("/admin/v1" + kind.path(), Access.VIEWER, context -> showSettings(context, kind));
        }
        routes.get("/admin/v1" + ObjectKind.WEBHOOK.path() + "/{id}/secret", Access.EDITOR, this::showSecret);
        routes.get("/admin/v1/environments", Access.VIEWER, context -> HttpServer.answer(context, 200, ENVIRONMENTS));
    }

    private void list(Context context, ObjectKind kind) throws InterruptedException {
        Page page = Page.of(context);
        answer(context, page.cut(filtered(context, kind, all(context, kind))));
    }

    private void show(Context context, ObjectKind kind) throws InterruptedException {
        UUID id = RequestParameters.pathId(context, "id");
        ObjectBody body = all(context, kind).stream().filter(object -> object.id().equals(id)).findFirst()
                .orElseThrow(() -> new HttpRefusal(404, kind.label() + " not found by ID"));
        HttpServer.answer(context, 200,
                Json.write(reads.counted(Caller.of(context).tenant(), List.of(body)).getFirst()));
    }

    private void answer(Context context, List<ObjectBody> objects) {
        HttpServer.answer(context, 200, Json.write(reads.counted(Caller.of(context).tenant(), objects)));
    }

    /** Filters achievements by status and trigger (docs/admin-api.md B1). */
    private static List<ObjectBody> filtered(Context context, ObjectKind kind,
            List<ObjectBody> objects) {
        if (kind != ObjectKind.ACHIEVEMENT) {
            return objects;
        }
        String status = Query.oneOf(context, "status", List.of("inactive", "active", "locked"));
        String trigger = Query.oneOf(context, "trigger",
                List.of("metric", "streak", "api", "achievement", "anniversary"));
        return objects.stream().filter(object -> (status == null || status.equals(object.get("status")))
                && (trigger == null || trigger.equals(object.get("trigger")))).toList();
    }

    private List<ObjectBody> all(Context context, ObjectKind kind) throws InterruptedException {
        UUID parent = kind.hasParent() ? RequestParameters.pathId(context, "systemId") : null;
        List<ObjectBody> bodies = reads.objects(Caller.of(context).tenant(), kind, parent);
        if (bodies == null) {
            throw new HttpRefusal(404, ObjectKind.POINTS_SYSTEM.label() + " not found by ID");
        }
        return bodies;
    }

    private void showSettings(Context context, SettingsKind kind) throws InterruptedException {
        Caller caller = Caller.of(context);
        HttpServer.answer(context, 200, Json.write(kind == SettingsKind.ACCOUNT && !caller.hasTenant()
                ? reads.settingsOfInstance()
                : reads.settings(caller.tenant(), kind)));
    }

    private void showSecret(Context context) throws InterruptedException {
        String secret = reads.signingSecret(Caller.of(context).tenant(), RequestParameters.pathId(context, "id"));
        if (secret == null) {
            throw new HttpRefusal(404, ObjectKind.WEBHOOK.label() + " not found by ID");
        }
        context.header("Cache-Control", "no-store");
        HttpServer.answer(context, 200, Json.write(new SecretBody(secret)));
    }
}
