package dev.laurel.query.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.delivery.store.DeliveryLog;
import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.DeliveryQuery.DeliveryProcesses;
import dev.laurel.query.partition.DeliveryQuery.SearchDeliveries;
import dev.laurel.query.partition.DeliveryQuery.SearchDeliveries.SearchedDeliveries;
import dev.laurel.query.partition.DeliveryQuery.ShowDeliveries;
import dev.laurel.query.partition.DeliveryQuery.ShowDeliveries.ShownDelivery;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.wire.WebhookPayload.WebhookDeliveryBody;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the webhook deliveries of the last days, including those that wait (docs/admin-api.md B5). For a page, each partition
 * reads as many ids as are on the page and before it. A delivery is read only if it is shown, or to apply a filter, which
 * examines at most {@link DeliveryLog#MAX_EXAMINED} deliveries of a partition and then ends the page early. Thread-safe.
 */
public record DeliveryReads(DeliveryProcesses deliveries, Rulesets rulesets) {

    /** The largest offset; {@code after} reaches older deliveries. */
    public static final int MAX_SKIP = 10_000;

    /** Restricts a list; null matches any status or event. */
    public record Filter(@Nullable Status status, @Nullable WebhookEvent event) {}

    /** @param next the delivery to continue after; null: there are no more */
    public record DeliveryPage(
            List<WebhookDeliveryBody> deliveries, @Nullable UUID next) {}

    /**
     * Deliveries to a webhook, newest first. A page with fewer deliveries than the limit is not the last one if it has a
     * {@code next}.
     *
     * @param after only deliveries that follow this id; null: from the newest
     * @param skip {@link #MAX_SKIP} at most
     * @return null if there is no such webhook
     * @throws NotReadyException if the deliveries of any partition cannot be read anywhere now
     */
    public @Nullable DeliveryPage list(
            TenantId tenant, UUID webhook, Filter filter, @Nullable UUID after, int skip, int limit) {
        if (FreshRulesetRetry.newest(rulesets, tenant).webhooks().stream()
                .noneMatch(one -> one.id().equals(webhook))) {
            return null;
        }
        SearchedDeliveries found = deliveries.ask(
                new SearchDeliveries(tenant, webhook, filter.status, filter.event, after, skip + limit + 1));
        List<UUID> ids = found.ids().stream().skip(skip).limit(limit).toList();
        UUID next = found.ids().size() > skip + limit ? ids.getLast() : found.examinedTo();
        return new DeliveryPage(ids.isEmpty() ? List.of() : show(tenant, webhook, ids), next);
    }

    private List<WebhookDeliveryBody> show(TenantId tenant, UUID webhook, List<UUID> ids) {
        return deliveries.ask(new ShowDeliveries(tenant, webhook, ids)).values().stream()
                .sorted(Comparator.comparing(shown -> shown.body().id(), DeliveryIds.NEWEST_FIRST))
                .map(DeliveryReads::body)
                .toList();
    }

    private static WebhookDeliveryBody body(ShownDelivery shown) {
        WebhookDeliveryBody body = shown.body();
        return shown.payload() == null
                ? body
                : Records.with(body, "payload", Json.readTree(shown.payload().getBytes(UTF_8)));
    }
}
