package dev.laurel.query.http;

import static dev.laurel.query.http.ReadAnswers.answer;
import static dev.laurel.query.http.ReadAnswers.notFound;

import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.DeliveryReads;
import dev.laurel.query.read.DeliveryReads.DeliveryPage;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.topic.DeliveryIds;
import io.javalin.http.Context;
import java.util.UUID;

/** {@code GET /webhooks/{id}/deliveries} (docs/admin-api.md B5). */
record DeliveryReadRoutes(DeliveryReads reads) implements Routes {

    @Override
    public void mount(RouteTable routes) {
        routes.get("/admin/v1" + ObjectKind.WEBHOOK.path() + "/{id}/deliveries", RequiredRole.VIEWER, this::list);
    }

    private void list(Context context) {
        Page page = Page.of(context, DeliveryReads.MAX_SKIP);
        UUID after = Page.after(context, DeliveryReadRoutes::idOf);
        Status status = Query.oneOf(context, "status", Status.class);
        String event = Query.oneOf(context, "event", WebhookEvent.types());
        var filter = new DeliveryReads.Filter(status, event == null ? null : WebhookEvent.ofType(event));
        DeliveryPage found = reads.list(
                Caller.of(context).tenant(),
                RequestParameters.pathId(context, "id"),
                filter,
                after,
                page.skip(),
                page.limit());
        if (found == null) {
            throw notFound(ObjectKind.WEBHOOK);
        }
        answer(context, found.deliveries(), found.next(), UUID::toString);
    }

    private static UUID idOf(String cursor) {
        UUID id = Uuids.parse(cursor);
        if (id == null || !DeliveryIds.isOne(id)) {
            throw new IllegalArgumentException(cursor);
        }
        return id;
    }
}
