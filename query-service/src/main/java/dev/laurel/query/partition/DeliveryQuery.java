package dev.laurel.query.partition;

import dev.laurel.delivery.store.DeliveryLog;
import dev.laurel.delivery.store.WebhookDelivery;
import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.partition.PartitionQuery.Values;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.wire.WebhookPayload.WebhookDeliveryBody;
import dev.laurel.schemas.wire.WebhookPayload.WebhookDeliveryBody.AttemptBody;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A query about webhook deliveries, in any number of partitions of the outbox. Delivery processes answer it; nodes do not. */
public interface DeliveryQuery<R extends Record> extends PartitionQuery<R> {

    /** The partitions that have part of the result. @param count the number of partitions of the outbox */
    IntStream partitionsOf(int count);

    /**
     * Runs the query on these partitions.
     *
     * @throws dev.laurel.query.locate.NotReadyException if one of them cannot be read in this process
     */
    R answer(DeliveryPartitions local, List<Integer> partitions);

    /** The delivery processes of a deployment, which together answer queries about deliveries. Blocks; thread-safe. */
    interface DeliveryProcesses {

        /** @throws dev.laurel.query.locate.NotReadyException if part of the result cannot be read anywhere now */
        <R extends Record> R ask(DeliveryQuery<R> query);

        /** A deployment of one delivery process. */
        static DeliveryProcesses single(DeliveryPartitions partitions) {
            return new DeliveryProcesses() {

                @Override
                public <R extends Record> R ask(DeliveryQuery<R> query) {
                    return query.answer(
                            partitions,
                            query.partitionsOf(partitions.count()).boxed().toList());
                }
            };
        }
    }

    /**
     * Finds the newest deliveries to a webhook that follow another one, and says if there may be more than were examined.
     *
     * @param status null: any
     * @param event null: any
     * @param after null: from the newest
     * @param limit the maximum number
     */
    record SearchDeliveries(
            TenantId tenant,
            UUID webhook,
            @Nullable Status status,
            @Nullable WebhookEvent event,
            @Nullable UUID after,
            int limit)
            implements DeliveryQuery<SearchDeliveries.SearchedDeliveries> {

        /**
         * @param ids newest first
         * @param examinedTo null: these are all, or {@code limit}; else all up to this delivery, and older ones may follow
         */
        public record SearchedDeliveries(
                List<UUID> ids, @Nullable UUID examinedTo) {}

        @Override
        public IntStream partitionsOf(int count) {
            return IntStream.range(0, count);
        }

        @Override
        public SearchedDeliveries answer(DeliveryPartitions local, List<Integer> partitions) {
            return merge(partitions.stream()
                    .map(partition -> {
                        DeliveryLog.Found found =
                                local.read(partition, log -> log.find(tenant, webhook, status, event, after, limit));
                        return new SearchedDeliveries(found.ids(), found.examinedTo());
                    })
                    .toList());
        }

        /** What is older than a delivery at which any part ended may lack deliveries of that part, and is left out. */
        @Override
        public SearchedDeliveries merge(List<SearchedDeliveries> parts) {
            UUID examinedTo = parts.stream()
                    .map(SearchedDeliveries::examinedTo)
                    .filter(Objects::nonNull)
                    .min(DeliveryIds.NEWEST_FIRST)
                    .orElse(null);
            List<UUID> ids = parts.stream()
                    .flatMap(part -> part.ids().stream())
                    .filter(id -> examinedTo == null || DeliveryIds.NEWEST_FIRST.compare(id, examinedTo) <= 0)
                    .sorted(DeliveryIds.NEWEST_FIRST)
                    .limit(limit)
                    .toList();
            return new SearchedDeliveries(ids, examinedTo);
        }
    }

    /** Shows the deliveries to a webhook that are still stored, in no order, with their payloads. @param ids without duplicates */
    record ShowDeliveries(TenantId tenant, UUID webhook, List<UUID> ids)
            implements DeliveryQuery<Values<ShowDeliveries.ShownDelivery>> {

        /** @param body without the payload @param payload JSON; null: no longer stored */
        public record ShownDelivery(
                WebhookDeliveryBody body, @Nullable String payload) {}

        @Override
        public IntStream partitionsOf(int count) {
            return ids.stream()
                    .mapToInt(id -> DeliveryIds.partitionOf(id, count))
                    .distinct();
        }

        @Override
        public Values<ShownDelivery> answer(DeliveryPartitions local, List<Integer> partitions) {
            return Values.of(ids.stream()
                    .filter(id -> partitions.contains(DeliveryIds.partitionOf(id, local.count())))
                    .map(id -> local.<@Nullable ShownDelivery>read(
                            DeliveryIds.partitionOf(id, local.count()), log -> shown(log, id)))
                    .filter(Objects::nonNull));
        }

        private @Nullable ShownDelivery shown(DeliveryLog log, UUID id) {
            WebhookDelivery delivery = log.delivery(tenant, webhook, id);
            return delivery == null ? null : new ShownDelivery(body(delivery), log.payload(tenant, delivery));
        }

        private static WebhookDeliveryBody body(WebhookDelivery delivery) {
            return new WebhookDeliveryBody(
                    delivery.id(),
                    delivery.event().type(),
                    IssueList.word(delivery.status()),
                    delivery.attempts().stream()
                            .map(attempt -> new AttemptBody(
                                    attempt.at(), attempt.responseStatus(), attempt.error(), attempt.durationMs()))
                            .toList(),
                    null,
                    delivery.created());
        }

        @Override
        public Values<ShownDelivery> merge(List<Values<ShownDelivery>> parts) {
            return Values.of(Values.in(parts));
        }
    }
}
