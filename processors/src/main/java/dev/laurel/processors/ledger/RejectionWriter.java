package dev.laurel.processors.ledger;

import dev.laurel.schemas.topic.Rejection;
import dev.laurel.schemas.topic.Topics;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes records that cannot be used to {@code laurel.rejections}, counts and logs them. The partition continues. */
final class RejectionWriter {

    private static final Logger LOG = LoggerFactory.getLogger(RejectionWriter.class);

    private final ProcessorContext<Object, Object> context;
    private final String outlet;
    private final LedgerMeters meters;

    RejectionWriter(ProcessorContext<Object, Object> context, String outlet, LedgerMeters meters) {
        this.context = context;
        this.outlet = outlet;
        this.meters = meters;
    }

    void reject(Record<byte[], byte[]> record, String reason) {
        var position = context.recordMetadata().orElseThrow();
        meters.count(LedgerMeters.End.REJECTED);
        // The reason may quote a user's input, so it is only in the rejection.
        LOG.warn("Rejected {}-{}@{}; the reason is in {}", position.topic(), position.partition(), position.offset(),
                Topics.REJECTIONS.name());
        LOG.debug("Reason of the rejection: {}", reason);
        var rejection = Rejection.of(new TopicPartition(position.topic(), position.partition()), position.offset(),
                record.timestamp(), Rejection.keyOf(record.key()), record.value(), reason);
        context.forward(new Record<>(record.key(), rejection, rejection.time().toEpochMilli()), outlet);
    }
}
