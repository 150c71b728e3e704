package dev.laurel.query.read;

import dev.laurel.processors.delivery.webhook.HookDelivery.Status;
import dev.laurel.processors.delivery.webhook.HookDelivery;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.wire.WebhookDeliveryBody;
import dev.laurel.schemas.wire.WebhookDeliveryBody.AttemptBody;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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

    private final DeliveryPartitions partitions;
    private final NewestRules rules;

    /** What is asked for; null: any. */
    public record Filter(Status status, WebhookEvent event) {}

    public DeliveryReads(DeliveryPartitions partitions, Rulesets rulesets) {
        this.partitions = partitions;
        this.rules = new NewestRules(rulesets);
    }

    /**
     * Deliveries to a webhook, newest first.
     *
     * @param skip {@link #MAX_SKIP} at most
     * @return null if there is no such webhook
     * @throws NotReadyException if the deliveries of any partition cannot be read here now
     */
    public List<WebhookDeliveryBody> list(TenantId tenant, UUID webhook, Filter filter, int skip, int limit)
            throws InterruptedException {
        if (rules.of(tenant).webhooks().stream().noneMatch(one -> one.id().equals(webhook))) {
            return null;
        }
        return partitions
                .readAll(log -> log.newest(tenant, webhook, filter.status, filter.event, skip + limit)).stream()
                .flatMap(List::stream).sorted(DeliveryIds.NEWEST_FIRST).skip(skip).limit(limit)
                .map(id -> body(tenant, webhook, id)).filter(Objects::nonNull).toList();
    }

    /** Null if it was forgotten just now. */
    private WebhookDeliveryBody body(TenantId tenant, UUID webhook, UUID id) {
        return partitions.read(DeliveryIds.partitionOf(id, partitions.count()), log -> {
            HookDelivery delivery = log.delivery(tenant, webhook, id);
            return delivery == null ? null : body(delivery, log.payload(tenant, delivery));
        });
    }

    private static WebhookDeliveryBody body(HookDelivery delivery, String payload) {
        return new WebhookDeliveryBody(delivery.id(), delivery.event().type(),
                delivery.status().name().toLowerCase(Locale.ROOT),
                delivery.attempts().stream().map(attempt -> new AttemptBody(attempt.at(), attempt.responseStatus(),
                        attempt.error(), attempt.durationMs())).toList(),
                payload == null ? null : Json.readTree(payload.getBytes(UTF_8)), delivery.created());
    }
}
