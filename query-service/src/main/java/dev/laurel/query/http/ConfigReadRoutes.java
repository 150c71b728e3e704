package dev.laurel.query.http;

import static dev.laurel.query.http.ReadAnswers.answer;
import static dev.laurel.query.http.ReadAnswers.notFound;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.ConfigReads;
import dev.laurel.query.read.CurrentCounts;
import dev.laurel.query.read.UserResourceReads;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.wire.EditBody.AdminBody;
import dev.laurel.schemas.wire.KeyBody.SecretBody;
import dev.laurel.schemas.wire.ObjectBody;
import io.javalin.http.Context;
import java.util.List;
import java.util.UUID;

/**
 * Shows what operators have configured: GET of the bulk pattern for the objects of the ruleset (docs/admin-api.md A1), GET of the
 * singletons (part B), {@code GET /webhooks/{id}/secret} (B5), the only secret that can be read again, and the only environment
 * (B7); the lists of pauses (A6), and of boosts, both shared ones and those of users (A4).
 */
record ConfigReadRoutes(ConfigReads reads, Rulesets rulesets, CurrentCounts counts, UserResourceReads owned)
        implements Routes {

    private static final int MAX_USERS = 100;
    private static final String BOOSTS = "/admin/v1" + ObjectKind.BOOST.path();

    /** An instance is one environment. */
    private static final List<EnvironmentBody> ENVIRONMENTS =
            List.of(new EnvironmentBody("Production", "production", 1));

    /** The body of an environment. @param priority 1 is the first of all environments */
    private record EnvironmentBody(String name, String key, int priority) {}

    @Override
    public void mount(RouteTable routes) {
        for (ObjectKind kind : ObjectKind.values()) {
            if (kind == ObjectKind.BOOST) {
                continue; // some belong to users
            }
            String path = "/admin/v1" + kind.path();
            routes.get(path, RequiredRole.VIEWER, context -> list(context, kind));
            routes.get(path + "/{id}", RequiredRole.VIEWER, context -> show(context, kind));
        }
        routes.get("/admin/v1/streaks/pauses", RequiredRole.VIEWER, this::pauses);
        routes.get(BOOSTS, RequiredRole.VIEWER, this::boosts);
        routes.get(BOOSTS + "/{id}", RequiredRole.VIEWER, this::boost);
        for (SettingsKind kind : SettingsKind.values()) {
            routes.get("/admin/v1" + kind.path(), RequiredRole.VIEWER, context -> showSettings(context, kind));
        }
        routes.get("/admin/v1" + ObjectKind.WEBHOOK.path() + "/{id}/secret", RequiredRole.EDITOR, this::showSecret);
        routes.get("/admin/v1/environments", RequiredRole.VIEWER, context -> answer(context, ENVIRONMENTS));
    }

    private void list(Context context, ObjectKind kind) {
        Page page = Page.of(context);
        answer(context, counted(context, page.cut(filtered(context, kind, all(context, kind)))));
    }

    private void show(Context context, ObjectKind kind) {
        UUID id = RequestParameters.pathId(context, "id");
        ObjectBody body = all(context, kind).stream()
                .filter(object -> object.id().equals(id))
                .findFirst()
                .orElseThrow(() -> notFound(kind));
        answer(context, counted(context, List.of(body)).getFirst());
    }

    private List<ObjectBody> counted(Context context, List<ObjectBody> objects) {
        TenantId tenant = Caller.of(context).tenant();
        return counts.addTo(tenant, rulesets.newest(tenant).achievements(), objects);
    }

    /** Filters achievements by status and trigger (docs/admin-api.md B1). */
    private static List<ObjectBody> filtered(Context context, ObjectKind kind, List<ObjectBody> objects) {
        if (kind != ObjectKind.ACHIEVEMENT) {
            return objects;
        }
        String status = Query.oneOf(context, "status", List.of("inactive", "active", "locked"));
        String trigger = Query.oneOf(
                context, "trigger", List.of("metric", "streak", "api", "achievement", "anniversary", "leaderboard"));
        return objects.stream()
                .filter(object -> (status == null || status.equals(object.get("status")))
                        && (trigger == null || trigger.equals(object.get("trigger"))))
                .toList();
    }

    private List<ObjectBody> all(Context context, ObjectKind kind) {
        UUID parent = kind.hasParent() ? RequestParameters.pathId(context, "systemId") : null;
        List<ObjectBody> bodies = reads.objects(Caller.of(context).tenant(), kind, parent);
        if (bodies == null) {
            throw notFound(ObjectKind.POINTS_SYSTEM);
        }
        return bodies;
    }

    private void showSettings(Context context, SettingsKind kind) {
        Caller caller = Caller.of(context);
        answer(
                context,
                kind == SettingsKind.ACCOUNT && !caller.hasTenant()
                        ? reads.settingsOfInstance()
                        : reads.settings(caller.tenant(), kind));
    }

    private void showSecret(Context context) {
        String secret = reads.signingSecret(Caller.of(context).tenant(), RequestParameters.pathId(context, "id"));
        if (secret == null) {
            throw notFound(ObjectKind.WEBHOOK);
        }
        context.header("Cache-Control", "no-store");
        answer(context, new SecretBody(secret));
    }

    private void pauses(Context context) {
        Page page = Page.of(context);
        List<String> userIds = RequestParameters.list(context, "userIds");
        if (userIds.size() > MAX_USERS) {
            throw new HttpRefusal(422, "userIds must have at most " + MAX_USERS + " ids, has " + userIds.size() + ".");
        }
        answer(
                context,
                userIds.isEmpty()
                        ? owned.pauses(Caller.of(context).tenant(), page.skip(), page.limit())
                        : owned.pausesOf(Query.users(context, userIds), page.skip(), page.limit()));
    }

    private void boosts(Context context) {
        UUID system = RequestParameters.pathId(context, "systemId");
        Page page = Page.of(context);
        List<AdminBody> boosts = owned.boosts(Caller.of(context).tenant(), system, page.skip(), page.limit());
        if (boosts == null) {
            throw notFound(ObjectKind.POINTS_SYSTEM);
        }
        answer(context, boosts);
    }

    private void boost(Context context) {
        AdminBody boost = owned.boost(
                Caller.of(context).tenant(),
                RequestParameters.pathId(context, "systemId"),
                RequestParameters.pathId(context, "id"));
        if (boost == null) {
            throw HttpRefusal.of(Refusal.unknownBoost());
        }
        answer(context, boost);
    }
}
