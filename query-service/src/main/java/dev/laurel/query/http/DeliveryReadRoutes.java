package dev.laurel.query.http;

import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.DeliveryReads.DeliveryPage;
import dev.laurel.query.read.DeliveryReads;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.DeliveryIds;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code GET /webhooks/{id}/deliveries} (docs/admin-api.md B5). */
public final class DeliveryReadRoutes implements Routes {

    private static final List<String> STATUSES = Arrays.stream(Status.values())
            .map(status -> status.name().toLowerCase(Locale.ROOT)).toList();

    private final DeliveryReads reads;

    public DeliveryReadRoutes(DeliveryReads reads) {
        this.reads = reads;
    }

    @Override
    public void mount(RouteTable routes) {
        routes.get("/admin/v1" + ObjectKind.WEBHOOK.path() + "/{id}/deliveries", Access.VIEWER, this::list);
    }

    private void list(Context context) throws InterruptedException {
        Page page = Page.of(context, DeliveryReads.MAX_SKIP);
        UUID after = afterOf(context);
        String status = Query.oneOf(context, "status", STATUSES);
        String event = Query.oneOf(context, "event", WebhookEvent.types());
        var filter = new DeliveryReads.Filter(status == null ? null : Status.values()[STATUSES.indexOf(status)],
                event == null ? null : WebhookEvent.ofType(event));
        DeliveryPage found = reads.list(Caller.of(context).tenant(), RequestParameters.pathId(context, "id"), filter,
                after, page.skip(), page.limit());
        if (found == null) {
            throw new HttpRefusal(404, ObjectKind.WEBHOOK.label() + " not found by ID");
        }
        Page.setNext(context, found.next() == null ? null : found.next().toString());
        HttpServer.answer(context, 200, Json.write(found.deliveries()));
    }

    private static @Nullable UUID afterOf(Context context) {
        String text = context.queryParam(Page.AFTER);
        UUID after = text == null ? null : Uuids.parse(text);
        if (text != null && (after == null || !DeliveryIds.isOne(after))) {
            throw Page.badAfter();
        }
        return after;
    }
}
