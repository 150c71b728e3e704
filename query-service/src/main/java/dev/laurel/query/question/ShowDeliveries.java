package dev.laurel.query.question;

import dev.laurel.processors.delivery.webhook.DeliveryLog;
import dev.laurel.processors.delivery.webhook.HookDelivery;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.wire.WebhookDeliveryBody.AttemptBody;
import dev.laurel.schemas.wire.WebhookDeliveryBody;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;

/** These deliveries to a webhook, with what was sent. @param ids each once */
public record ShowDeliveries(TenantId tenant, UUID webhook,
        List<UUID> ids) implements Question.OfDeliveries<ShowDeliveries.Answer> {

    /** @param found without those that are known no longer, in no order */
    public record Answer(List<Shown> found) {}

    /** @param body without what was sent @param payload that: JSON; null if it is kept no longer */
    public record Shown(WebhookDeliveryBody body, String payload) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public IntStream partitionsOf(int count) {
        return ids.stream().mapToInt(id -> DeliveryIds.partitionOf(id, count)).distinct();
    }

    @Override
    public Answer answer(DeliveryPartitions here, List<Integer> partitions) {
        return new Answer(ids.stream().filter(id -> partitions.contains(DeliveryIds.partitionOf(id, here.count())))
                .map(id -> here.read(DeliveryIds.partitionOf(id, here.count()), log -> shown(log, id)))
                .filter(Objects::nonNull).toList());
    }

    private Shown shown(DeliveryLog log, UUID id) {
        HookDelivery delivery = log.delivery(tenant, webhook, id);
        return delivery == null ? null : new Shown(body(delivery), log.payload(tenant, delivery));
    }

    private static WebhookDeliveryBody body(HookDelivery delivery) {
        return new WebhookDeliveryBody(delivery.id(), delivery.event().type(),
                delivery.status().name().toLowerCase(Locale.ROOT),
                delivery.attempts().stream().map(attempt -> new AttemptBody(attempt.at(), attempt.responseStatus(),
                        attempt.error(), attempt.durationMs())).toList(),
                null, delivery.created());
    }

    @Override
    public Answer together(List<Answer> parts) {
        return new Answer(parts.stream().flatMap(part -> part.found().stream()).toList());
    }
}
