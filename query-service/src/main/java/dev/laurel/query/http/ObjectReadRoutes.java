package dev.laurel.query.http;

import dev.laurel.query.read.ConfigReads;
import dev.laurel.schemas.admin.ObjectKind;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.PathIds;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.AchievementConfigBody;
import dev.laurel.schemas.wire.AdminBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.UUID;

/** GET of the bulk pattern for the objects of the ruleset (admin-api.md A1). */
public final class ObjectReadRoutes implements Routes {

    private final ConfigReads reads;

    public ObjectReadRoutes(ConfigReads reads) {
        this.reads = reads;
    }

    @Override
    public void mount(RoutesConfig routes) {
        for (ObjectKind kind : ObjectKind.values()) {
            if (kind == ObjectKind.BOOST) {
                continue; // some belong to users: OwnedReadRoutes
            }
            String path = "/admin/v1" + kind.path();
            routes.get(path, context -> list(context, kind));
            routes.get(path + "/{id}", context -> show(context, kind));
        }
    }

    private void list(Context context, ObjectKind kind) throws InterruptedException {
        Page page = Page.of(context);
        answer(context, page.cut(filtered(context, kind, all(context, kind))));
    }

    private void show(Context context, ObjectKind kind) throws InterruptedException {
        UUID id = PathIds.of(context, "id");
        AdminBody body = all(context, kind).stream().filter(object -> object.id().equals(id)).findFirst()
                .orElseThrow(() -> new HttpRefusal(404, kind.label() + " not found by ID"));
        HttpServer.answer(context, 200,
                Json.write(reads.counted(Caller.of(context).tenant(), List.of(body)).getFirst()));
    }

    private void answer(Context context, List<? extends AdminBody> objects) {
        HttpServer.answer(context, 200, Json.write(reads.counted(Caller.of(context).tenant(), objects)));
    }

    /** Achievements can be asked for by status and trigger (admin-api.md B1). */
    private static List<? extends AdminBody> filtered(Context context, ObjectKind kind,
            List<? extends AdminBody> objects) {
        if (kind != ObjectKind.ACHIEVEMENT) {
            return objects;
        }
        String status = Query.word(context, "status", List.of("inactive", "active", "locked"));
        String trigger = Query.word(context, "trigger", List.of("metric", "streak", "api", "achievement"));
        return objects.stream().filter(object -> object instanceof AchievementConfigBody achievement
                && (status == null || status.equals(achievement.status()))
                && (trigger == null || trigger.equals(achievement.trigger()))).toList();
    }

    private List<? extends AdminBody> all(Context context, ObjectKind kind) throws InterruptedException {
        UUID parent = kind.hasParent() ? PathIds.of(context, "systemId") : null;
        List<? extends AdminBody> bodies = reads.objects(Caller.of(context).tenant(), kind, parent);
        if (bodies == null) {
            throw new HttpRefusal(404, ObjectKind.POINTS_SYSTEM.label() + " not found by ID");
        }
        return bodies;
    }
}
