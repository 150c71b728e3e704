package dev.laurel.gateway.http;

import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.RequestReplyClient.StoreResult;
import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.gateway.http.BulkInput.UserItem;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.Caller.AuditNote;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.admin.RequestFields;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.DeliveryIds;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The routes of webhooks and templates besides the bulk pattern. {@code POST /notifications/templates/{id}/test} (docs/admin-api.md B4)
 * sends one message to one user, now. Those of webhooks (B5) rotate the secret, send a test event, retry a delivery. The last two write
 * requests for delivery to the outbox. Nothing is queued for an inactive webhook (docs/webhooks.md §1), so such a webhook can be neither
 * tested nor retried.
 */
record WebhookRoutes(RequestReplyClient client, Configuration configuration, InstantSource clock) implements Routes {

    private static final String PATH = "/admin/v1" + ObjectKind.WEBHOOK.path() + "/{id}";

    private record TestedBody(UUID deliveryId) {}

    @Override
    public void mount(RouteTable routes) {
        routes.post(
                PATH + "/rotate-secret",
                RequiredRole.EDITOR,
                context -> configuration.edit(context, new Edit.RotateSecret(RequestParameters.pathId(context, "id"))));
        routes.post(PATH + "/test", RequiredRole.EDITOR, this::test);
        routes.post("/admin/v1" + ObjectKind.TEMPLATE.path() + "/{id}/test", RequiredRole.EDITOR, this::testTemplate);
        routes.post(PATH + "/deliveries/{deliveryId}/retry", RequiredRole.EDITOR, this::retry);
    }

    private void test(Context context) throws BadInputException {
        String type =
                RequestFields.of(Json.readForeignObject(context.bodyAsBytes())).requiredText("event");
        TenantId tenant = Caller.of(context).tenant();
        Webhook webhook = find(context, tenant);
        if (!WebhookEvent.types().contains(type)) {
            throw new HttpRefusal(422, "event must be one of " + String.join(", ", WebhookEvent.types()) + ".");
        }
        expectActive(webhook);
        Instant now = clock.instant();
        UUID delivery = DeliveryIds.of(tenant.bytes(), now, UUID.randomUUID(), webhook.id());
        send(context, new Outgoing.HookTest(delivery, tenant, now, webhook.id(), WebhookEvent.ofType(type)));
        note(context, webhook, delivery);
        Answers.json(context, 202, new TestedBody(delivery));
    }

    /** @throws HttpRefusal 503 if the test is not stored; if that is not known, the list of deliveries shows the test or not */
    private void send(Context context, Outgoing.HookTest test) {
        switch (client.store(test)) {
            case StoreResult.Unavailable(String reason) -> throw HttpRefusal.busy(reason);
            case StoreResult.Ended(var outcomes) -> {
                Outcome outcome = outcomes.getFirst();
                if (outcome == Outcome.NOT_STORED || outcome == Outcome.TOO_LARGE) {
                    throw HttpRefusal.busy("The test could not be queued. Nothing was stored; try again.");
                }
                if (outcome == Outcome.UNKNOWN) {
                    Caller.of(context).audit().unknown();
                }
            }
        }
    }

    private void retry(Context context) {
        TenantId tenant = Caller.of(context).tenant();
        UUID delivery = RequestParameters.pathId(context, "deliveryId");
        Webhook webhook = find(context, tenant);
        expectActive(webhook);
        RequestResult result =
                client.ask(new Outgoing.HookRetry(UUID.randomUUID(), tenant, clock.instant(), webhook.id(), delivery));
        if (result.isSuccess()) {
            note(context, webhook, delivery);
        }
        HttpReplies.write(context, result);
    }

    private static void note(Context context, Webhook webhook, UUID delivery) {
        AuditNote audit = Caller.of(context).audit();
        audit.changed("webhook", webhook.id().toString(), webhook.key());
        audit.changed("delivery", delivery.toString(), null);
    }

    private Webhook find(Context context, TenantId tenant) {
        UUID id = RequestParameters.pathId(context, "id");
        return configuration.newest(tenant).webhooks().stream()
                .filter(webhook -> webhook.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new HttpRefusal(404, ObjectKind.WEBHOOK.label() + " not found by ID"));
    }

    private static void expectActive(Webhook webhook) {
        if (!webhook.active()) {
            throw new HttpRefusal(422, "The webhook is inactive, so nothing is sent to it: set its status to active.");
        }
    }

    /** The user's partition decides whether the user exists and has an address. */
    private void testTemplate(Context context) throws BadInputException {
        Caller caller = Caller.of(context);
        UserItem item = UserItem.read(caller, Json.readForeignObject(context.bodyAsBytes()), "userId");
        UUID id = RequestParameters.pathId(context, "id");
        if (configuration.newest(caller.tenant()).notifications().templates().stream()
                .noneMatch(template -> template.id().equals(id))) {
            throw HttpRefusal.of(Refusal.unknownTemplate());
        }
        UserCommand test = item.command("test-message", Map.of("template", id.toString()), List.of());
        RequestResult result = client.ask(item.user(), test);
        if (result.isSuccess()) {
            caller.audit().changed("template", id.toString(), null);
            caller.audit().changed("user", item.user().user().value(), null);
        }
        HttpReplies.write(context, result);
    }
}
