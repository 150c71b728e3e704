package dev.laurel.gateway;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.Waiters.Waiter;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ReplyConsumerTest {

    private static final TopicPartition PARTITION = new TopicPartition(Topics.REPLIES.name(), 3);
    private static final TopicPartition OTHER = new TopicPartition(Topics.REPLIES.name(), 5);
    private static final Duration READ_FORMER = Duration.ofMillis(1_500);
    private static final long END = 100;

    private final MockConsumer<byte[], byte[]> kafka = new MockConsumer<>("latest");
    private final Waiters waiters = new Waiters();
    private final CompletableFuture<Throwable> fault = new CompletableFuture<>();

    @AutoClose
    private final ReplyConsumer replies =
            new ReplyConsumer(kafka, PARTITION.partition(), READ_FORMER, waiters, Tracing.NONE, fault::complete);

    private long nextOffset = END;

    @BeforeEach
    void start() {
        kafka.updateEndOffsets(Map.of(PARTITION, END));
        replies.start(Duration.ofSeconds(5));
    }

    @Test
    void shouldPassReplyToItsWaiter() throws Exception {
        UUID id = new UUID(1, 2);
        var waiter = waiters.register(id, waiter()).result();

        reply(id, 201, "{\"a\":1}".getBytes());

        var replied = (RequestResult.Replied) waiter.get(10, TimeUnit.SECONDS);
        assertEquals(201, replied.status());
        assertArrayEquals("{\"a\":1}".getBytes(), replied.body());
    }

    @Test
    void shouldPassPartsOfAReplyToItsWaiter() throws Exception {
        UUID id = new UUID(1, 6);
        var waiter = waiters.register(id, waiter()).result();

        part(id, "b", new byte[] {2});
        part(id, "c", null);
        var headers = new RecordHeaders();
        ReplyHeaders.writeAnswer(headers, id, 201);
        ReplyHeaders.writeAwaits(headers, List.of("a", "b", "c"));
        add(headers, new byte[] {9});
        part(new UUID(9, 9), "a", new byte[] {8});
        part(id, "a", new byte[] {1});

        var replied = (RequestResult.Replied) waiter.get(10, TimeUnit.SECONDS);
        assertEquals(List.of("a", "b", "c"), List.copyOf(replied.parts().there().keySet()));
        assertArrayEquals(new byte[] {1}, replied.parts().there().get("a"));
        assertArrayEquals(new byte[] {2}, replied.parts().there().get("b"));
        assertArrayEquals(new byte[0], replied.parts().there().get("c"));
        assertEquals(0, replies.unreadable());
    }

    private void part(UUID id, String name, byte[] body) {
        var headers = new RecordHeaders();
        ReplyHeaders.writePart(headers, id, name);
        add(headers, body);
    }

    @Test
    void shouldIgnoreRepliesToOthersAndRepeatedOnes() throws Exception {
        UUID id = new UUID(1, 3);
        var waiter = waiters.register(id, waiter()).result();

        reply(new UUID(9, 9), 200, new byte[0]);
        reply(id, 200, new byte[] {1});
        reply(id, 200, new byte[] {1});
        UUID last = new UUID(1, 4);
        var lastWaiter = waiters.register(last, waiter()).result();
        reply(last, 200, new byte[] {2});

        assertArrayEquals(new byte[] {1}, ((RequestResult.Replied) waiter.get(10, TimeUnit.SECONDS)).body());
        assertArrayEquals(new byte[] {2}, ((RequestResult.Replied) lastWaiter.get(10, TimeUnit.SECONDS)).body());
        assertEquals(0, replies.unreadable());
    }

    @Test
    void shouldCountAndSkipRecordsThatAreNotReplies() throws Exception {
        UUID id = new UUID(1, 5);
        var waiter = waiters.register(id, waiter()).result();

        add(new RecordHeaders(), new byte[] {0});
        reply(id, 7, new byte[0]);
        reply(id, 200, null);
        reply(id, 200, new byte[] {1});

        assertArrayEquals(new byte[] {1}, ((RequestResult.Replied) waiter.get(10, TimeUnit.SECONDS)).body());
        assertEquals(3, replies.unreadable());
    }

    @Test
    void shouldReadFormerPartitionUntilNoRequestThatNamedItCanWait() throws Exception {
        UUID early = new UUID(1, 7);
        var earlyWaiter = waiters.register(early, waiter()).result();
        long movedNs = System.nanoTime();

        replies.moveTo(OTHER.partition(), 40);
        await(() -> replies.partition() == OTHER.partition());

        assertEquals(Set.of(PARTITION, OTHER), kafka.assignment());
        UUID late = new UUID(1, 8);
        var lateWaiter = waiters.register(late, waiter()).result();
        add(OTHER, 40, answer(late, 200), new byte[] {4});
        reply(early, 200, new byte[] {5});
        assertArrayEquals(new byte[] {4}, ((RequestResult.Replied) lateWaiter.get(10, TimeUnit.SECONDS)).body());
        assertArrayEquals(new byte[] {5}, ((RequestResult.Replied) earlyWaiter.get(10, TimeUnit.SECONDS)).body());
        await(() -> kafka.assignment().equals(Set.of(OTHER)));
        assertTrue(System.nanoTime() - movedNs >= READ_FORMER.toNanos());
    }

    @Test
    void shouldGoOnWhereItIsAfterAMoveBack() throws Exception {
        replies.moveTo(OTHER.partition(), 40);
        await(() -> replies.partition() == OTHER.partition());
        UUID id = new UUID(1, 9);
        var waiter = waiters.register(id, waiter()).result();

        replies.moveTo(PARTITION.partition(), END + 50);
        await(() -> replies.partition() == PARTITION.partition());
        reply(id, 200, new byte[] {6});

        assertArrayEquals(new byte[] {6}, ((RequestResult.Replied) waiter.get(10, TimeUnit.SECONDS)).body());
    }

    @Test
    void shouldReportAFaultIfItCannotReadOn() throws Exception {
        var broken = new KafkaException("broken");
        kafka.setPollException(broken);

        assertSame(broken, fault.get(10, TimeUnit.SECONDS));
        assertTrue(kafka.closed());
    }

    @Test
    void shouldStopQuietlyWhenClosed() {
        replies.close();

        assertTrue(kafka.closed());
        assertFalse(fault.isDone());
    }

    private void reply(UUID id, int status, byte[] body) {
        add(answer(id, status), body);
    }

    private static RecordHeaders answer(UUID id, int status) {
        var headers = new RecordHeaders();
        ReplyHeaders.writeAnswer(headers, id, status);
        return headers;
    }

    private void add(RecordHeaders headers, byte[] body) {
        add(PARTITION, nextOffset++, headers, body);
    }

    private void add(TopicPartition to, long offset, RecordHeaders headers, byte[] body) {
        kafka.addRecord(new ConsumerRecord<>(
                to.topic(),
                to.partition(),
                offset,
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                null,
                body,
                headers,
                Optional.empty()));
    }

    private static Waiter waiter() {
        return new Waiter(() -> true, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
    }

    static void await(Callable<Boolean> condition) {
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(condition);
    }
}
