package dev.laurel.platform.kafka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.kafka.LocalRecords.Isolation;
import dev.laurel.platform.kafka.LocalRecords.Tail;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LocalRecordsTest {

    private static final TopicPartition PARTITION = new TopicPartition("commands", 3);
    private static final byte[] KEY = {1};
    private static final long AT_MS = 1_700_000_000_000L;
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(51);

    private final LocalRecords tails = new LocalRecords();
    private final List<Boolean> told = new ArrayList<>();
    private final Tail tail = tails.follow(PARTITION, Isolation.COMMITTED, told::add);

    private void stored(long offset, int bytes, Isolation isolation) {
        var record = new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), AT_MS, KEY, new byte[bytes]);
        record.headers().add("request", new byte[] {(byte) offset});
        tails.add(record, new RecordMetadata(PARTITION, offset, 0, AT_MS, KEY.length, bytes), isolation);
    }

    private void stored(long... offsets) {
        for (long offset : offsets) {
            stored(offset, 10, Isolation.COMMITTED);
        }
    }

    private List<Long> take(long offset) {
        return tail.take(offset).stream().map(ConsumerRecord::offset).toList();
    }

    @Test
    void shouldGiveRecordsAtTheOffsetAndRightAfterIt() {
        stored(7, 8, 9, 12);
        assertEquals(List.of(8L, 9L), take(8));
        assertEquals(List.of(), take(10), "others have written 10 and 11");
        assertEquals(List.of(12L), take(12));
        assertTrue(tail.isEmpty());
    }

    @Test
    void shouldGiveWhatAFetchWouldGive() {
        stored(7);
        ConsumerRecord<byte[], byte[]> taken = tail.take(7).getFirst();
        assertEquals(PARTITION, new TopicPartition(taken.topic(), taken.partition()));
        assertEquals(AT_MS, taken.timestamp());
        assertArrayEquals(KEY, taken.key());
        assertEquals(10, taken.value().length);
        assertArrayEquals(new byte[] {7}, taken.headers().lastHeader("request").value());
    }

    @Test
    void shouldNotGiveRecordsBehindTheReader() {
        stored(7, 8);
        assertEquals(List.of(), take(9));
        assertTrue(tail.isEmpty());
    }

    @Test
    void shouldSurviveAcknowledgementsOutOfOrder() {
        stored(8, 7, 9);
        assertEquals(List.of(), take(7), "fetched");
        assertEquals(List.of(8L), take(8));
        assertEquals(List.of(9L), take(9));
    }

    @Test
    void shouldWakeOnlyTheReaderOfTheRecord() {
        stored(7);
        assertEquals(List.of(), told, "nobody waits");
        assertTrue(tail.expect(7));
        assertFalse(tail.expect(8));
        stored(9);
        assertEquals(List.of(false), told, "another record comes first");
        assertFalse(tail.expect(10));
        stored(10);
        assertEquals(List.of(false, true), told);
    }

    @Test
    void shouldHideRecordsOfTransactionsFromReadersOfCommittedOnes() {
        Tail early = tails.follow(PARTITION, Isolation.UNCOMMITTED, _ -> {});
        stored(7, 10, Isolation.UNCOMMITTED);
        assertEquals(List.of(), take(7));
        assertEquals(1, early.take(7).size());
    }

    @Test
    void shouldForgetTheOldestRecords() {
        for (long offset = 0; offset < 3_000; offset++) {
            stored(offset);
        }
        assertEquals(List.of(), take(999));
        assertEquals(2_000, take(1_000).size());

        int megabyte = 1024 * 1024;
        for (long offset = 3_000; offset < 3_006; offset++) {
            stored(offset, megabyte, Isolation.COMMITTED);
        }
        assertEquals(List.of(), take(3_002));
        assertEquals(List.of(3_003L, 3_004L, 3_005L), take(3_003));
    }

    @Test
    void shouldKeepNothingForAReaderThatHasEnded() {
        tail.close();
        stored(7);
        assertTrue(tail.isEmpty());
    }

    private static List<ConsumerRecord<byte[], byte[]>> fetched(long... offsets) {
        return LongStream.of(offsets)
                .mapToObj(offset -> new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, KEY, KEY))
                .toList();
    }

    @Test
    void shouldTellARecordOfOthersFromOneThatIsAcknowledgedLater() {
        stored(7);
        long nowNs = 0;
        assertFalse(tail.isAnyForeign(fetched(7, 8), nowNs), "8 may be acknowledged yet");
        stored(8);
        nowNs += LATE_NS;
        assertFalse(tail.isAnyForeign(fetched(), nowNs), "it was");
        assertFalse(tail.isAnyForeign(fetched(9), nowNs));
        nowNs += LATE_NS;
        assertTrue(tail.isAnyForeign(fetched(), nowNs), "9 was not");
        assertFalse(tail.isAnyForeign(fetched(), nowNs), "known already");
    }

    @Test
    void shouldNotGiveARecordThatWasFetchedBeforeItWasAcknowledged() {
        assertFalse(tail.isAnyForeign(fetched(7), 0));
        stored(7, 8);
        assertEquals(List.of(8L), take(8));
    }
}
