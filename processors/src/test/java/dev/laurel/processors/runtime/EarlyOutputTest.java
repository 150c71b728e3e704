package dev.laurel.processors.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The producer of an application whose output does not wait for its transactions. */
class EarlyOutputTest {

    private static final ProducerRecord<byte[], byte[]> STORED = record("laurel-boards-entries-changelog");
    private static final ProducerRecord<byte[], byte[]> TOLD = record("laurel.replies");

    private final MockProducer<byte[], byte[]> stores = mock();
    private final MockProducer<byte[], byte[]> others = mock();
    private final CommitBatchingProducer producer = new CommitBatchingProducer(stores, others);

    private static MockProducer<byte[], byte[]> mock() {
        return new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static ProducerRecord<byte[], byte[]> record(String topic) {
        return new ProducerRecord<>(topic, 0, new byte[] {1}, new byte[] {2});
    }

    @BeforeEach
    void begin() {
        producer.initTransactions();
        producer.beginTransaction();
    }

    @Test
    void shouldSendOutputOutsideTheTransaction() {
        producer.send(STORED, (_, _) -> {});
        producer.send(TOLD, (_, _) -> {});
        producer.flush();
        assertEquals(List.of(TOLD), others.history());
        assertEquals(List.of(STORED), stores.uncommittedRecords());
        assertFalse(others.transactionInitialized());

        producer.commitTransaction();
        assertEquals(List.of(STORED), stores.history());
        assertEquals(List.of(TOLD), others.history());
    }

    @Test
    void shouldFlushOutputBeforeACommit() {
        var answered = new ArrayList<String>();
        producer.send(TOLD, (metadata, _) -> answered.add(metadata.topic()));
        producer.commitTransaction();
        assertEquals(List.of(TOLD.topic()), answered);
    }

    @Test
    void shouldKeepOutputSentBeforeAnAbort() {
        producer.send(STORED, (_, _) -> {});
        producer.send(TOLD, (_, _) -> {});
        producer.abortTransaction();
        assertEquals(List.of(TOLD), others.history());
        assertEquals(List.of(), stores.history());
    }

    @Test
    void shouldNotCommitWhenFenced() {
        producer.send(STORED, (_, _) -> {});
        stores.fenceProducer();
        assertThrows(ProducerFencedException.class, producer::commitTransaction);
        assertEquals(List.of(), stores.history());
    }

    /** Kafka Streams fails if two metrics have the same name. */
    @Test
    void shouldShowTheMetricsOfTheChangelogProducer() {
        var name = new MetricName("bufferpool-wait-time-ns-total", "producer-metrics", "", Map.of());
        stores.setMockMetrics(name, metric(name));
        others.setMockMetrics(
                new MetricName(name.name(), name.group(), "", Map.of("client-id", "eager")), metric(name));
        assertEquals(Set.of(name), producer.metrics().keySet());
    }

    private static Metric metric(MetricName name) {
        return new KafkaMetric(new Object(), name, (Gauge<Integer>) (_, _) -> 1, new MetricConfig(), Time.SYSTEM);
    }

    @Test
    void shouldCloseBoth() {
        producer.close(Duration.ofSeconds(1));
        assertTrue(stores.closed() && others.closed());
    }

    @Test
    void shouldCloseTheChangelogProducerIfTheOtherFails() {
        others.closeException = new IllegalStateException("as if");
        assertThrows(IllegalStateException.class, producer::close);
        assertTrue(stores.closed());
    }
}
