package dev.laurel.query.http;

import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.OwnedReads;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.EditBody.AdminBody;
import io.javalin.http.Context;
import java.util.List;
import java.util.UUID;

/** The operators' lists of pauses (docs/admin-api.md A6), and of boosts, both shared ones and those of users (A4). */
final class OwnedReadRoutes implements Routes {

    private static final int MAX_USERS = 100;
    private static final String BOOSTS = "/admin/v1/points/{systemId}/boosts";

    private final OwnedReads reads;

    OwnedReadRoutes(OwnedReads reads) {
        this.reads = reads;
    }

    @Override
    public void mount(RouteTable routes) {
        routes.get("/admin/v1/streaks/pauses", Access.VIEWER, this::pauses);
        routes.get(BOOSTS, Access.VIEWER, this::boosts);
        routes.get(BOOSTS + "/{id}", Access.VIEWER, this::boost);
    }

    private void pauses(Context context) {
        Page page = Page.of(context);
        Caller caller = Caller.of(context);
        List<String> userIds = RequestParameters.list(context, "userIds");
        if (userIds.size() > MAX_USERS) {
            throw new HttpRefusal(422, "userIds must have at most " + MAX_USERS + " ids, has " + userIds.size() + ".");
        }
        // An id that cannot exist has no pauses.
        List<UserKey> users = userIds.stream().filter(id -> UserId.problemWith(id) == null)
                .map(id -> caller.userKey(new UserId(id))).toList();
        HttpServer.answer(context, 200, Json.write(userIds.isEmpty()
                ? reads.pauses(caller.tenant(), page.skip(), page.limit())
                : reads.pausesOf(users, page.skip(), page.limit())));
    }

    private void boosts(Context context) throws InterruptedException {
        UUID system = RequestParameters.pathId(context, "systemId");
        Page page = Page.of(context);
        List<AdminBody> boosts = reads.boosts(Caller.of(context).tenant(), system, page.skip(), page.limit());
        if (boosts == null) {
            throw new HttpRefusal(404, ObjectKind.POINTS_SYSTEM.label() + " not found by ID");
        }
        HttpServer.answer(context, 200, Json.write(boosts));
    }

    private void boost(Context context) throws InterruptedException {
        AdminBody boost = reads.boost(Caller.of(context).tenant(), RequestParameters.pathId(context, "systemId"),
                RequestParameters.pathId(context, "id"));
        if (boost == null) {
            throw HttpRefusal.of(Refusal.unknownBoost());
        }
        HttpServer.answer(context, 200, Json.write(boost));
    }
}
