package dev.laurel.query.read;

import dev.laurel.platform.kafka.TopicPages;
import dev.laurel.platform.kafka.TopicPages.Page;
import dev.laurel.platform.kafka.TopicPages.Range;
import dev.laurel.platform.kafka.TopicPages.Sink;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.AuditRecord.Outcome;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the audit log from {@code laurel.audit}, newest record first ({@link TopicPages}). Thread-safe. */
public final class AuditReads {

    /** The time asked for has at most so many records in an export. */
    public static final long MAX_EXPORTED = 1_000_000;

    private static final String NAME = "the audit log";

    /** The clocks of the processes, which set the times, differ by less; otherwise a time asked for may lack records at its end. */
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofMinutes(5);

    private final TopicPages<AuditRecord> pages;

    /**
     * What records to find; null: any.
     *
     * @param from first time
     * @param to the time after the last
     * @param author id or name of the author
     * @param object kind, id or name of an object
     */
    public record Filter(
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable String author,
            @Nullable String operation,
            @Nullable String object,
            @Nullable TenantId tenant,
            @Nullable Outcome outcome) {

        /** Finds all records. */
        public static final Filter ALL = new Filter(null, null, null, null, null, null, null);

        private Range range() {
            return new Range(from, to == null ? null : to.plus(MAX_CLOCK_DIFFERENCE));
        }

        private boolean matches(AuditRecord record) {
            return (from == null || !record.time().isBefore(from))
                    && (to == null || record.time().isBefore(to))
                    && (author == null
                            || author.equals(record.author().id())
                            || author.equals(record.author().name()))
                    && (operation == null || operation.equals(record.operation()))
                    && (tenant == null || tenant.equals(record.tenant()))
                    && (outcome == null || outcome == record.outcome())
                    && (object == null
                            || record.objects().stream()
                                    .anyMatch(one -> object.equals(one.kind())
                                            || object.equals(one.id())
                                            || object.equals(one.name())));
        }
    }

    /** @param clientProperties settings of the Kafka clients */
    public AuditReads(Map<String, Object> clientProperties) {
        this(() -> TopicPages.connect(clientProperties));
    }

    AuditReads(Supplier<Consumer<byte[], byte[]>> connect) {
        this.pages = new TopicPages<>(Topics.AUDIT, NAME, connect);
    }

    /**
     * The records that match, newest first.
     *
     * @param before only records with lower offsets; null: all
     * @param limit maximum number of records
     */
    public Page<AuditRecord> page(Filter filter, @Nullable Long before, int limit) {
        return pages.page(filter.range(), filter::matches, before, limit);
    }

    /**
     * Passes on all records that match, newest first.
     *
     * @return the number of records in the time asked for if they are more than {@link #MAX_EXPORTED}; then nothing was passed on. 0
     *         otherwise
     */
    public <E extends Exception> long export(Filter filter, Sink<AuditRecord, E> sink) throws E {
        return pages.export(filter.range(), filter::matches, MAX_EXPORTED, sink);
    }
}
