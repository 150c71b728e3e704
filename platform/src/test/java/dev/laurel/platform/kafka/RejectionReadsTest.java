package dev.laurel.platform.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.kafka.RejectionReads.Filter;
import dev.laurel.platform.kafka.TopicPages.Found;
import dev.laurel.platform.kafka.TopicPages.Range;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Rejection;
import dev.laurel.schemas.topic.Topics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RejectionReadsTest {

    private static final Instant THEN = Instant.parse("2026-03-04T12:00:00Z");
    private static final TopicPartition REJECTIONS = new TopicPartition(Topics.REJECTIONS.name(), 0);
    private static final TopicPartition LOG = new TopicPartition("laurel.commands", 3);

    private final List<Rejection> rejections = new ArrayList<>();
    private final List<MockConsumer<byte[], byte[]>> consumers = new ArrayList<>();
    private final RejectionReads reads = new RejectionReads(this::connect);

    /** A topic with the rejections, and a log with one record, at offset 8841. */
    private Consumer<byte[], byte[]> connect() {
        var consumer = new MockConsumer<byte[], byte[]>("earliest");
        consumer.updateBeginningOffsets(Map.of(REJECTIONS, 0L, LOG, 8000L));
        consumer.updateEndOffsets(Map.of(REJECTIONS, (long) rejections.size(), LOG, 9000L));
        consumer.schedulePollTask(() -> {
            if (consumer.assignment().contains(LOG)) {
                consumer.addRecord(
                        new ConsumerRecord<>(LOG.topic(), LOG.partition(), 8841, null, "whole".getBytes(UTF_8)));
                return;
            }
            for (int i = 0; i < rejections.size(); i++) {
                consumer.addRecord(new ConsumerRecord<>(
                        REJECTIONS.topic(),
                        0,
                        i,
                        null,
                        Topics.REJECTIONS.value().serializer().serialize(REJECTIONS.topic(), rejections.get(i))));
            }
        });
        consumers.add(consumer);
        return consumer;
    }

    private void reject(String key, String reason) {
        rejections.add(new Rejection(LOG.topic(), LOG.partition(), 8841, THEN, key, "{}", reason));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        ,,              4 3 2 1 0
        UNKNOWN Metric,, 3 0
        nothing,,        ''
        ,acme,           2 1
        type,acme,       2
        ,other,          ''
        """)
    void shouldFindByReasonAndTenantNewestFirst(String reason, String tenant, String found) {
        reject("ann", "Unknown metric: a.");
        reject("acme/ann", "value is required.");
        reject("acme/bea", "type is required.");
        reject(null, "Unknown metric: b.");
        reject("a%b/c", "a key has no %b");

        var page = reads.page(new Filter(Range.ALL, reason, tenant == null ? null : new TenantId(tenant)), null, 10);

        assertEquals(
                found,
                String.join(
                        " ",
                        page.records().stream()
                                .map(one -> Long.toString(one.offset()))
                                .toList()));
        assertNull(page.next());
        assertTrue(consumers.getFirst().closed());
    }

    @Test
    void shouldFindOneByItsOffset() {
        reject("ann", "a");
        reject("bea", "b");

        Found<Rejection> found = reads.find(1);

        assertEquals(rejections.get(1), found.value());
        assertNull(reads.find(2));
    }

    @Test
    void shouldReadTheWholeRecordFromTheLog() {
        reject("ann", "a");
        Rejection gone = new Rejection(LOG.topic(), LOG.partition(), 17, THEN, "ann", "{}", "a");

        assertArrayEquals("whole".getBytes(UTF_8), reads.valueOf(rejections.getFirst()));
        assertNull(reads.valueOf(gone));
        assertTrue(consumers.stream().allMatch(MockConsumer::closed));
    }

    @Test
    void shouldSayThatKafkaCannotBeRead() {
        var broken = new RejectionReads(() -> {
            MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
            consumer.updateBeginningOffsets(Map.of(REJECTIONS, 0L));
            consumer.setOffsetsException(new KafkaException("no broker"));
            return consumer;
        });

        HttpRefusal refusal =
                assertThrows(HttpRefusal.class, () -> broken.page(new Filter(Range.ALL, null, null), null, 10));

        assertEquals(503, refusal.status());
    }
}
