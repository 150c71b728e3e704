package dev.laurel.platform.kafka;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.kafka.TopicPages.Found;
import dev.laurel.platform.kafka.TopicPages.Page;
import dev.laurel.platform.kafka.TopicPages.Range;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Rejection;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads rejections from {@code laurel.rejections}, newest first, and the rejected records from the log. The timestamps of found
 * rejections are the times at which they arrived in the topic. Thread-safe.
 */
public final class RejectionReads {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final TopicPages<Rejection> pages;
    private final Supplier<Consumer<byte[], byte[]>> connect;

    /** @param reason text that the reasons contain, in any case; null: any @param tenant null: all, and those without a readable key */
    public record Filter(
            Range range, @Nullable String reason, @Nullable TenantId tenant) {

        private boolean matches(Rejection rejection) {
            return (reason == null
                            || rejection.reason().toLowerCase(Locale.ROOT).contains(reason.toLowerCase(Locale.ROOT)))
                    && (tenant == null || tenant.equals(rejection.tenantOfKey()));
        }
    }

    /** @param clientProperties settings of the Kafka clients */
    public RejectionReads(Map<String, Object> clientProperties) {
        this(() -> TopicPages.connect(clientProperties));
    }

    RejectionReads(Supplier<Consumer<byte[], byte[]>> connect) {
        this.pages = new TopicPages<>(Topics.REJECTIONS, "the rejections", connect);
        this.connect = connect;
    }

    /** @param before only rejections with lower offsets; null: all @throws HttpRefusal as {@link TopicPages#page} */
    public Page<Rejection> page(Filter filter, @Nullable Long before, int limit) {
        return pages.page(filter.range(), filter::matches, before, limit);
    }

    /** The rejection at this offset; null if there is none. @throws HttpRefusal as {@link TopicPages#page} */
    public @Nullable Found<Rejection> find(long offset) {
        return pages.find(offset);
    }

    /**
     * The whole value of the rejected record.
     *
     * @return null if the log does not have it any more, or it has no value
     * @throws HttpRefusal 503 if Kafka cannot be read in time
     */
    public byte @Nullable [] valueOf(Rejection rejection) {
        var partition = new TopicPartition(rejection.topic(), rejection.partition());
        Consumer<byte[], byte[]> consumer = connect.get();
        try (var reader = new RangeReader(consumer)) {
            consumer.assign(List.of(partition));
            long first = Objects.requireNonNull(
                    consumer.beginningOffsets(List.of(partition)).get(partition));
            long end = Objects.requireNonNull(
                    consumer.endOffsets(List.of(partition)).get(partition));
            if (rejection.offset() < first || rejection.offset() >= end) {
                return null;
            }
            var found = new ArrayList<byte @Nullable []>(1);
            reader.seek(partition, rejection.offset(), rejection.offset() + 1);
            reader.read(TIMEOUT, record -> found.add(record.value()), () -> {});
            return found.isEmpty() ? null : found.getFirst();
        } catch (KafkaException e) {
            throw HttpRefusal.busy("Kafka does not serve the record now: " + e.getMessage());
        }
    }
}
