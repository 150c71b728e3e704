package dev.laurel.query.read;

import dev.laurel.processors.store.DeliveryLog;
import dev.laurel.processors.store.WebhookDelivery.Status;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.DeliveryProcesses;
import dev.laurel.query.partition.DeliveryQuery.FindDeliveries;
import dev.laurel.query.partition.DeliveryQuery.ShowDeliveries.ShownDelivery;
import dev.laurel.query.partition.DeliveryQuery.ShowDeliveries;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.wire.WebhookDeliveryBody;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads the webhook deliveries of the last days, including those that wait (docs/admin-api.md B5). For a page, each partition
 * reads as many ids as are on the page and before it. A delivery is read only if it is shown, or to apply a filter, which
 * examines at most {@link DeliveryLog#MAX_EXAMINED} deliveries of a partition. Thread-safe.
 */
public final class DeliveryReads {

    /** The largest offset; a filter finds older deliveries. */
    public static final int MAX_SKIP = 10_000;

    private final DeliveryProcesses deliveries;
    private final Rulesets rulesets;

    /** Restricts a list; null matches any status or event. */
    public record Filter(@Nullable Status status, @Nullable WebhookEvent event) {}

    public DeliveryReads(DeliveryProcesses deliveries, Rulesets rulesets) {
        this.deliveries = deliveries;
        this.rulesets = rulesets;
    }

    /**
     * Deliveries to a webhook, newest first.
     *
     * @param skip {@link #MAX_SKIP} at most
     * @return null if there is no such webhook
     * @throws NotReadyException if the deliveries of any partition cannot be read anywhere now
     */
    public @Nullable List<WebhookDeliveryBody> list(TenantId tenant, UUID webhook, Filter filter, int skip, int limit)
            throws InterruptedException {
        if (NewestConfig.ruleset(rulesets, tenant).webhooks().stream().noneMatch(one -> one.id().equals(webhook))) {
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

    private static WebhookDeliveryBody body(ShownDelivery shown) {
        WebhookDeliveryBody body = shown.body();
        return shown.payload() == null
                ? body
                : new WebhookDeliveryBody(body.id(), body.event(), body.status(), body.attempts(),
                        Json.readTree(shown.payload().getBytes(UTF_8)), body.created());
    }
}
