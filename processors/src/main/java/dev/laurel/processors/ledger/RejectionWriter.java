package dev.laurel.processors.ledger;

import dev.laurel.schemas.topic.Rejection;
import dev.laurel.schemas.topic.Topics;
import java.time.Instant;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Writes records that cannot be used to {@code laurel.rejections}, counts and logs them. The partition continues. */
final class RejectionWriter {

    /** More characters than a rejection keeps, so that it marks the value as cut. */
    private static final int MAX_VALUE_BYTES = 4 * Rejection.MAX_VALUE_LENGTH;

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
        long atMs = Math.max(0, record.timestamp());
        var rejection = new Rejection(position.topic(), position.partition(), position.offset(),
                Instant.ofEpochMilli(atMs),
                text(record.key(), Rejection.MAX_VALUE_LENGTH), text(record.value(), MAX_VALUE_BYTES), reason);
        context.forward(new Record<>(record.key(), rejection, atMs), outlet);
    }

    private static @Nullable String text(byte @Nullable [] bytes, int maxBytes) {
        return bytes == null ? null : new String(bytes, 0, Math.min(bytes.length, maxBytes), UTF_8);
    }
}
