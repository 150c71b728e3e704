package dev.laurel.platform.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.platform.kafka.Follower.Position.Place;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests where a follower continues, at its start and while it reads. */
class FollowerTest {

    private static final Uuid TOPIC = Uuid.randomUuid();
    private static final long NOW = 1_000_000_000_000L;
    private static final TopicPartition ZERO = new TopicPartition("log", 0);
    private static final TopicPartition ONE = new TopicPartition("log", 1);
    private static final Position READ = at(90, 40);

    private static Position at(long zero, long one) {
        return new Position(1, NOW, Map.of(ZERO, new Place(TOPIC, zero), ONE, new Place(TOPIC, one)));
    }

    private static @Nullable String problem(Position beginning, long zero, long one, long nowMs) {
        return READ.problem(beginning, Map.of(ZERO, zero, ONE, one), nowMs);
    }

    @Test
    void shouldContinueWithinTheTimeThatDeletionsStay() {
        long soon = NOW + Follower.MAX_GAP.toMillis();

        assertNull(problem(at(0, 0), 90, 40, soon));
        assertNull(problem(at(90, 40), 100, 40, soon));
    }

    @Test
    void shouldBeginAnewIfDeletionsMayBeMissing() {
        long late = NOW + Follower.MAX_GAP.plus(Duration.ofMillis(1)).toMillis();
        String problem = "there may no longer be all deletions since 2001-09-09T01:46:40Z";

        assertEquals(problem, problem(at(0, 0), 91, 40, late));
        assertEquals(problem, problem(at(0, 0), 90, 41, late));
        assertEquals(
                problem,
                problem(at(0, 0), 91, 40, NOW - Duration.ofDays(1).toMillis()),
                "the clock was wrong then or is now");
        assertNull(problem(at(0, 0), 90, 40, late), "nothing was written since");
    }

    @Test
    void shouldBeginAnewOnAnotherTopic() {
        assertEquals(
                "log-1 is of another topic of this name",
                problem(
                        new Position(1, NOW, Map.of(ZERO, new Place(TOPIC, 0), ONE, new Place(Uuid.randomUuid(), 0))),
                        90,
                        40,
                        NOW));
        assertEquals("log-0 ends at offset 89, before offset 90", problem(at(0, 0), 89, 40, NOW));
        assertEquals("log-0 begins at offset 91, after offset 90", problem(at(91, 0), 95, 40, NOW));
        assertEquals(
                "it is of other topics or partitions",
                problem(new Position(1, NOW, Map.of(ZERO, new Place(TOPIC, 0))), 90, 40, NOW));
        assertEquals(
                "it has the format of another version", problem(new Position(2, NOW, at(0, 0).places()), 90, 40, NOW));
    }

    @Test
    void shouldBeKeptInEntries() {
        var kept = new HashMap<ByteBuffer, byte[]>();
        assertNull(Position.read("log", key -> kept.get(ByteBuffer.wrap(key))));
        for (Position next : List.of(at(90, 40), at(90, 41))) {
            Position known = Position.read("log", key -> kept.get(ByteBuffer.wrap(key)));
            next.entries(known == null ? Position.NOTHING : known)
                    .forEach((key, value) -> kept.put(ByteBuffer.wrap(key), value));
            assertEquals(next, Position.read("log", key -> kept.get(ByteBuffer.wrap(key))));
        }
        assertEquals(2, at(90, 42).entries(at(90, 41)).size(), "what differs, and the time");
    }

    /** Describes the topic of a test, whose ends are those of the consumer. Connects to nothing. */
    private static final class TopicAdmin extends ForwardingAdmin {

        private final MockConsumer<byte[], byte[]> consumer;

        TopicAdmin(MockConsumer<byte[], byte[]> consumer) {
            super(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1"));
            this.consumer = consumer;
        }

        @Override
        public DescribeTopicsResult describeTopics(TopicCollection topics, DescribeTopicsOptions options) {
            var leader = new Node(0, "127.0.0.1", 1);
            var description = new TopicDescription(
                    "log",
                    false,
                    List.of(new TopicPartitionInfo(0, leader, List.of(leader), List.of(leader))),
                    Set.of(),
                    TOPIC);
            return new DescribeTopicsResult(null, Map.of("log", KafkaFuture.completedFuture(description))) {};
        }

        @Override
        public ListOffsetsResult listOffsets(Map<TopicPartition, OffsetSpec> specs, ListOffsetsOptions options) {
            long offset = specs.get(ZERO) instanceof OffsetSpec.EarliestSpec
                    ? consumer.beginningOffsets(Set.of(ZERO)).get(ZERO)
                    : consumer.endOffsets(Set.of(ZERO)).get(ZERO);
            return new ListOffsetsResult(Map.of(
                    ZERO, KafkaFuture.completedFuture(new ListOffsetsResultInfo(offset, NOW, Optional.empty()))));
        }
    }

    /** A topic with the records 0 to 2, read by a follower whose sink has read to {@code next}. */
    private static final class Reader implements Follower.Sink {

        private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
        private final List<String> events = new ArrayList<>();
        private final Follower follower;
        private final @Nullable Position kept;
        private long nowMs = NOW;

        Reader(@Nullable Position kept) {
            this.kept = kept;
            consumer.updateBeginningOffsets(Map.of(ZERO, 0L));
            consumer.updateEndOffsets(Map.of(ZERO, 3L));
            follower = new Follower(
                    "log",
                    new Follower.Reading(List.of("log"), 1, false, Duration.ZERO, 500, Duration.ofDays(1), Map.of()),
                    consumer,
                    new TopicAdmin(consumer),
                    () -> Instant.ofEpochMilli(nowMs),
                    this,
                    _ -> {});
        }

        /** At the next poll, so much later than at the one before, these records come. */
        void poll(Duration later, long... offsets) {
            consumer.schedulePollTask(() -> {
                nowMs += later.toMillis();
                for (long offset : offsets) {
                    consumer.addRecord(new ConsumerRecord<>("log", 0, offset, new byte[0], new byte[0]));
                }
            });
        }

        List<String> run() {
            consumer.schedulePollTask(() -> follower.stop());
            follower.run();
            return events;
        }

        @Override
        public @Nullable Position position() {
            return kept;
        }

        @Override
        public void begin(@Nullable String problem) {
            events.add("begin: " + problem);
        }

        @Override
        public void put(ConsumerRecord<byte[], byte[]> record) {
            events.add("put " + record.offset());
        }

        @Override
        public void write(Position position) {
            // Not of interest here.
        }
    }

    @Test
    void shouldBeginAnewIfRecordsComeAfterAGapWhileItReads() {
        var reader = new Reader(null);
        reader.poll(Duration.ZERO, 0, 1, 2);
        reader.poll(Duration.ofHours(1));
        reader.poll(Follower.MAX_GAP, 3);
        reader.poll(Duration.ZERO, 0, 1, 2, 3);

        assertEquals(
                List.of(
                        "begin: nothing has been read",
                        "put 0",
                        "put 1",
                        "put 2",
                        "begin: there may no longer be all deletions since 2001-09-09T01:46:40Z",
                        "put 0",
                        "put 1",
                        "put 2",
                        "put 3"),
                reader.run());
    }

    @Test
    void shouldReadOnIfNothingComesInAGap() {
        var reader = new Reader(null);
        reader.poll(Duration.ZERO, 0, 1, 2);
        reader.poll(Follower.MAX_GAP.multipliedBy(2));

        assertEquals(List.of("begin: nothing has been read", "put 0", "put 1", "put 2"), reader.run());
    }

    @Test
    void shouldHaveTheOtherHalfOfTheTimeToCatchUp() {
        Position before = new Position(1, NOW - Duration.ofHours(11).toMillis(), Map.of(ZERO, new Place(TOPIC, 1)));
        var reader = new Reader(before);
        reader.poll(Duration.ofHours(11), 1);

        assertEquals(List.of("begin: null", "put 1"), reader.run());

        var late = new Reader(before);
        late.poll(Duration.ofHours(13), 1);
        late.poll(Duration.ZERO, 0);

        assertEquals(
                List.of(
                        "begin: null",
                        "begin: there may no longer be all deletions since 2001-09-08T14:46:40Z",
                        "put 0"),
                late.run());
    }
}
