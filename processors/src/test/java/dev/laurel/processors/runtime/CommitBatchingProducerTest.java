package dev.laurel.processors.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.kafka.AdaptivePollWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommitBatchingProducerTest {

    private static final String CHANGELOG = "laurel-ledger-users-changelog";
    private static final String EFFECTS = "laurel.effects";

    private final MockProducer<byte[], byte[]> target =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final CommitBatchingProducer producer = new CommitBatchingProducer(target, null);
    private final List<String> acknowledged = new ArrayList<>();

    private void send(String topic, int partition, int key, byte[] value) {
        producer.send(
                new ProducerRecord<>(topic, partition, new byte[] {(byte) key}, value),
                (_, failure) -> acknowledged.add(failure == null ? topic + " " + key : failure.getMessage()));
    }

    private void send(String topic, int key, int value) {
        send(topic, 0, key, new byte[] {(byte) value});
    }

    /** What the target has, in order: topic, partition, key, first byte of the value. */
    private List<String> sent() {
        return target.uncommittedRecords().stream()
                .map(record -> record.topic() + " " + record.partition() + " " + record.key()[0] + "="
                        + (record.value() == null ? "-" : record.value()[0]))
                .toList();
    }

    @BeforeEach
    void begin() {
        producer.initTransactions();
        producer.beginTransaction();
    }

    /** The leaderboards write to the same topics: an effect must come before what it causes there. */
    @Test
    void shouldSendWhatIsNotOfAChangelogWhenTheThreadPolls() {
        send(CHANGELOG, 1, 1);
        send(EFFECTS, 2, 2);
        send(EFFECTS, 2, 3);
        assertEquals(List.of(), sent());
        AdaptivePollWait.ofThisThread().polls();
        assertEquals(List.of(EFFECTS + " 0 2=2", EFFECTS + " 0 2=3"), sent());
        send(EFFECTS, 3, 4);
        AdaptivePollWait.ofThisThread().polls();
        AdaptivePollWait.ofThisThread().polls();
        assertEquals(List.of(EFFECTS + " 0 2=2", EFFECTS + " 0 2=3", EFFECTS + " 0 3=4"), sent());
    }

    @Test
    void shouldSendOutputsBeforeChangelogsAtACommit() {
        send(CHANGELOG, 1, 1);
        send(EFFECTS, 2, 2);
        producer.flush();
        assertEquals(List.of(EFFECTS + " 0 2=2", CHANGELOG + " 0 1=1"), sent());
        AdaptivePollWait.ofThisThread().polls();
        assertEquals(2, sent().size());
    }

    @Test
    void shouldNotKeepMoreOutputsThanItsLimit() {
        for (int i = 0; i < 5; i++) {
            send(EFFECTS, 0, 1, new byte[30 * 1024]);
        }
        assertEquals(5, sent().size());
    }

    @Test
    void shouldSendTheLastValueOfEachKeyOfAChangelog() {
        send(CHANGELOG, 1, 10);
        send(CHANGELOG, 2, 20);
        send(CHANGELOG, 1, 11);
        send(CHANGELOG, 1, 1, new byte[] {99});
        send(CHANGELOG, 0, 2, null);
        producer.flush();
        assertEquals(List.of(CHANGELOG + " 0 1=11", CHANGELOG + " 0 2=-", CHANGELOG + " 1 1=99"), sent());
        assertEquals(3, acknowledged.size());
    }

    @Test
    void shouldSendEachRecordOnce() {
        send(CHANGELOG, 1, 10);
        producer.flush();
        producer.flush();
        send(CHANGELOG, 1, 11);
        producer.commitTransaction();
        assertEquals(2, target.history().size());
        assertEquals(List.of(CHANGELOG + " 1", CHANGELOG + " 1"), acknowledged);
    }

    @Test
    void shouldSendBeforeOffsetsAndCommit() {
        send(CHANGELOG, 1, 10);
        producer.sendOffsetsToTransaction(
                Map.of(new TopicPartition("laurel.commands", 0), new OffsetAndMetadata(7)),
                new MockConsumer<>("earliest").groupMetadata());
        assertEquals(1, sent().size());
        send(CHANGELOG, 1, 11);
        producer.commitTransaction();
        assertEquals(2, target.history().size());
    }

    @Test
    void shouldNotKeepMoreThanItsLimit() {
        for (int key = 0; key < 4; key++) {
            send(CHANGELOG, 0, key, new byte[30 * 1024]);
        }
        send(CHANGELOG, 0, 3, new byte[30 * 1024]);
        assertEquals(List.of(), sent(), "a replaced value does not count");
        send(CHANGELOG, 0, 9, new byte[10 * 1024]);
        assertEquals(5, sent().size());
    }

    @Test
    void shouldDropRecordsOfAnAbortedTransaction() {
        send(CHANGELOG, 1, 10);
        send(EFFECTS, 2, 2);
        producer.abortTransaction();
        producer.beginTransaction();
        AdaptivePollWait.ofThisThread().polls();
        producer.commitTransaction();
        assertEquals(List.of(), target.history());
        assertEquals(List.of(), acknowledged);
    }

    private void commit(long offset) {
        producer.sendOffsetsToTransaction(
                Map.of(new TopicPartition("laurel.commands", 0), new OffsetAndMetadata(offset)),
                new MockConsumer<>("earliest").groupMetadata());
        producer.commitTransaction();
        producer.beginTransaction();
    }

    private int commits() {
        return target.consumerGroupOffsetsHistory().size();
    }

    @Test
    void shouldLeaveOutWhatIsCommittedAlready() {
        commit(7);
        commit(7);
        assertEquals(1, commits());
        commit(8);
        assertEquals(2, commits());
        send(CHANGELOG, 1, 10);
        commit(8);
        assertEquals(3, commits());
        commit(8);
        assertEquals(3, commits());
        send(EFFECTS, 1, 10);
        commit(8);
        assertEquals(4, commits());
    }

    @Test
    void shouldCommitAgainWhatWasAborted() {
        commit(7);
        producer.sendOffsetsToTransaction(
                Map.of(new TopicPartition("laurel.commands", 0), new OffsetAndMetadata(8)),
                new MockConsumer<>("earliest").groupMetadata());
        producer.abortTransaction();
        producer.beginTransaction();
        commit(8);
        assertEquals(2, commits());
    }

    /** Brokers forget a producer that they do not hear of. */
    @Test
    void shouldCommitNowAndThenWithoutAnyChange() {
        for (int i = 0; i < 2_500; i++) {
            commit(7);
        }
        assertEquals(3, commits());
    }

    @Test
    void shouldDropWhatIsLeftWhenItCloses() {
        send(CHANGELOG, 1, 10);
        producer.close(Duration.ZERO);
        assertTrue(target.closed());
        assertEquals(List.of(), target.history());
    }

    /** If the callback reports a fence, Kafka Streams gives the task up. If the flush threw, the process would end. */
    @Test
    void shouldReportAFenceByTheCallback() {
        var failures = new ArrayList<Exception>();
        for (String topic : List.of(CHANGELOG, EFFECTS)) {
            producer.send(
                    new ProducerRecord<>(topic, 0, new byte[] {1}, new byte[] {1}),
                    (_, failure) -> failures.add(failure));
        }
        target.fenceProducer();
        AdaptivePollWait.ofThisThread().polls();
        producer.flush();
        assertEquals(2, failures.size());
        failures.forEach(failure -> assertInstanceOf(ProducerFencedException.class, failure));
    }
}
