package dev.laurel.query.question;

import dev.laurel.processors.delivery.webhook.HookDelivery.Status;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.topic.DeliveryIds;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The newest deliveries to a webhook.
 *
 * @param status null: any
 * @param event null: any
 * @param limit how many at most
 */
public record FindDeliveries(TenantId tenant, UUID webhook, Status status, WebhookEvent event,
        int limit) implements Question.OfDeliveries<FindDeliveries.Answer> {

    /** @param ids newest first */
    public record Answer(List<UUID> ids) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public IntStream partitionsOf(int count) {
        return IntStream.range(0, count);
    }

    @Override
    public Answer answer(DeliveryPartitions here, List<Integer> partitions) {
        return newest(partitions.stream()
                .map(asked -> here.read(asked, log -> log.newest(tenant, webhook, status, event, limit)))
                .flatMap(Collection::stream));
    }

    @Override
    public Answer together(List<Answer> parts) {
        return newest(parts.stream().flatMap(part -> part.ids().stream()));
    }

    private Answer newest(Stream<UUID> ids) {
        return new Answer(ids.sorted(DeliveryIds.NEWEST_FIRST).limit(limit).toList());
    }
}
