package dev.laurel.query.read;

import dev.laurel.processors.delivery.webhook.HookDelivery.Status;
import dev.laurel.query.question.Deliveries;
import dev.laurel.query.question.FindDeliveries;
import dev.laurel.query.question.ShowDeliveries;
import dev.laurel.query.question.ShowDeliveries.Shown;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.wire.WebhookDeliveryBody;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What webhooks were sent in the last days, and what waits for them (admin-api.md B5). Thread-safe; knows no HTTP. A page costs
 * as many ids of each partition as lie on it and before it; deliveries are read only if they are shown, or for a filter, which
 * looks at {@link dev.laurel.processors.delivery.webhook.DeliveryLog#MAX_EXAMINED} of a partition at most.
 */
public final class DeliveryReads {

    /** Further down, a filter finds a delivery sooner. */
    public static final int MAX_SKIP = 10_000;

    private final Deliveries deliveries;
    private final NewestRules rules;

    /** What is asked for; null: any. */
    public record Filter(Status status, WebhookEvent event) {}

    public DeliveryReads(Deliveries deliveries, Rulesets rulesets) {
        this.deliveries = deliveries;
        this.rules = new NewestRules(rulesets);
    }

    /**
     * Deliveries to a webhook, newest first.
     *
     * @param skip {@link #MAX_SKIP} at most
     * @return null if there is no such webhook
     * @throws NotReadyException if the deliveries of any partition cannot be read anywhere now
     */
    public List<WebhookDeliveryBody> list(TenantId tenant, UUID webhook, Filter filter, int skip, int limit)
            throws InterruptedException {
        if (rules.of(tenant).webhooks().stream().noneMatch(one -> one.id().equals(webhook))) {
            return null;
        }
        List<UUID> ids = deliveries
                .ask(new FindDeliveries(tenant, webhook, filter.status, filter.event, skip + limit)).ids().stream()
                .skip(skip).toList();
        if (ids.isEmpty()) {
            return List.of();
        }
        return deliveries.ask(new ShowDeliveries(tenant, webhook, ids)).found().stream()
                .sorted(Comparator.comparing(shown -> shown.body().id(), DeliveryIds.NEWEST_FIRST))
                .map(DeliveryReads::body).toList();
    }

    private static WebhookDeliveryBody body(Shown shown) {
        WebhookDeliveryBody body = shown.body();
        return shown.payload() == null
                ? body
                : new WebhookDeliveryBody(body.id(), body.event(), body.status(), body.attempts(),
                        Json.readTree(shown.payload().getBytes(UTF_8)), body.created());
    }
}
