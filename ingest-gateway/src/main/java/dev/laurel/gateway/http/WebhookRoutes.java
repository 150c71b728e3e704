package dev.laurel.gateway.http;

import dev.laurel.gateway.publish.Publisher.Outcome;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.gateway.reply.Stored;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.admin.Item;
import dev.laurel.schemas.admin.ObjectKind;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.PathIds;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.DeliveryIds;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/**
 * What webhooks have beside the bulk pattern (admin-api.md B5): another secret, a made-up event, one more attempt. What is to
 * go out is put into the outbox; delivery does the rest. Nothing is queued for an inactive webhook (webhooks.md §1), so it can
 * neither be tested nor tried again.
 */
public final class WebhookRoutes implements Routes {

    private static final String PATH = "/admin/v1" + ObjectKind.WEBHOOK.path() + "/{id}";

    private final Edits edits;
    private final Exchange exchange;
    private final Configuration configuration;
    private final InstantSource clock;

    private record TestedBody(UUID deliveryId) {}

    public WebhookRoutes(Edits edits, Exchange exchange, Configuration configuration, InstantSource clock) {
        this.edits = edits;
        this.exchange = exchange;
        this.configuration = configuration;
        this.clock = clock;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.post(PATH + "/rotate-secret",
                context -> edits.answer(context, new Edit.RotateSecret(PathIds.of(context, "id"))));
        routes.post(PATH + "/test", this::test);
        routes.post(PATH + "/deliveries/{deliveryId}/retry", this::retry);
    }

    private void test(Context context) throws BadInputException {
        String type = Item.of(Json.readForeignObject(context.bodyAsBytes())).requiredText("event");
        TenantId tenant = Caller.of(context).tenant();
        Webhook webhook = find(context, tenant);
        if (!WebhookEvent.types().contains(type)) {
            throw new HttpRefusal(422, "event must be one of " + String.join(", ", WebhookEvent.types()) + ".");
        }
        expectActive(webhook);
        Instant now = clock.instant();
        UUID delivery = DeliveryIds.of(tenant.bytes(), now, UUID.randomUUID(), webhook.id());
        send(new Outgoing.HookTest(delivery, tenant, now, webhook.id(), WebhookEvent.ofType(type)));
        HttpServer.answer(context, 202, Json.write(new TestedBody(delivery)));
    }

    /** @throws HttpRefusal 503 if it is surely not stored; where that is not known, the list of deliveries will tell */
    private void send(Outgoing.HookTest test) {
        switch (exchange.store(test)) {
            case Stored.Unavailable(String reason) -> throw HttpRefusal.busy(reason, Answers.RETRY_AFTER_S);
            case Stored.Ended(var outcomes) -> {
                Outcome outcome = outcomes.getFirst();
                if (outcome == Outcome.NOT_STORED || outcome == Outcome.TOO_LARGE) {
                    throw HttpRefusal.busy("The test could not be queued. Nothing was stored; try again.",
                            Answers.RETRY_AFTER_S);
                }
            }
        }
    }

    private void retry(Context context) {
        TenantId tenant = Caller.of(context).tenant();
        UUID delivery = PathIds.of(context, "deliveryId");
        Webhook webhook = find(context, tenant);
        expectActive(webhook);
        Answers.write(context, exchange.ask(new Outgoing.HookRetry(UUID.randomUUID(), tenant, clock.instant(),
                webhook.id(), delivery)), Answers::pending);
    }

    private Webhook find(Context context, TenantId tenant) {
        UUID id = PathIds.of(context, "id");
        return configuration.newest(tenant).webhooks().stream().filter(webhook -> webhook.id().equals(id)).findFirst()
                .orElseThrow(() -> new HttpRefusal(404, ObjectKind.WEBHOOK.label() + " not found by ID"));
    }

    private static void expectActive(Webhook webhook) {
        if (!webhook.active()) {
            throw new HttpRefusal(422, "The webhook is inactive, so nothing is sent to it: set its status to active.");
        }
    }
}
