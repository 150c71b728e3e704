package dev.laurel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.GatewayGroup.ReplyPartitionAssignor;
import dev.laurel.gateway.GatewayGroup.ReplyPartitionAssignor.Claim;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GatewayGroupTest {

    private static final TopicPartition FIRST = partition(3);

    private final MockConsumer<byte[], byte[]> reading = new MockConsumer<>("latest");
    private final MockConsumer<byte[], byte[]> member = new MockConsumer<>("latest");
    private final ReplyConsumer replies =
            new ReplyConsumer(reading, FIRST.partition(), Duration.ofMinutes(1), new Waiters(), Tracing.NONE, _ -> {});
    private final GatewayGroup group = new GatewayGroup(replies, _ -> member);

    @BeforeEach
    void start() {
        reading.updateEndOffsets(Map.of(FIRST, 10L));
        member.updateEndOffsets(Map.of(partition(5), 50L, FIRST, 30L));
        replies.start(Duration.ofSeconds(5));
        group.start();
    }

    @AfterEach
    void stop() {
        group.close();
        replies.close();
    }

    @Test
    void shouldStartAloneWithItsPartition() {
        assertEquals(1, group.gateways());
        assertEquals(new Claim(3, false), group.claim());
        assertEquals(3, replies.partition());
    }

    @Test
    void shouldMoveToThePartitionThatItIsGivenAndFetchNothingInTheGroup() throws InterruptedException {
        decide(5, 2);

        ReplyConsumerTest.await(() -> replies.partition() == 5);
        assertEquals(50, reading.position(partition(5)));
        assertEquals(new Claim(5, true), group.claim());
        assertEquals(2, group.gateways());
        assertEquals(member.assignment(), member.paused());
    }

    @Test
    void shouldKeepItsPartitionIfNoneIsFree() throws InterruptedException {
        decide(null, 9);

        ReplyConsumerTest.await(() -> group.gateways() == 9);
        assertEquals(new Claim(3, false), group.claim());
        assertEquals(3, replies.partition());
    }

    @Test
    void shouldGoOnWithoutTheGroup() throws InterruptedException {
        decide(3, 2);
        ReplyConsumerTest.await(() -> group.gateways() == 2);
        member.schedulePollTask(() -> member.setPollException(new KafkaException("no right")));

        assertEquals(2, group.gateways());
        assertEquals(3, replies.partition());
    }

    @Test
    void shouldLeaveWhenClosed() {
        group.close();

        assertTrue(member.closed());
    }

    /** What the assignor of the leader decides. */
    private void decide(Integer given, int gateways) {
        member.schedulePollTask(() -> {
            group.assigned(given, gateways);
            member.updateBeginningOffsets(Map.of(partition(3), 0L, partition(5), 0L));
            member.rebalance(given == null ? List.of() : List.of(partition(given)));
        });
    }

    @Test
    void shouldGiveEachGatewayAPartition() {
        // Two wish the same one, and another has it.
        assertEquals(
                Map.of("a", 0, "b", 1, "c", 2),
                places(4, new Claim(2, false), new Claim(2, false), new Claim(2, true)));
        assertEquals(Map.of("a", 3, "b", 1), places(4, new Claim(3, false), new Claim(1, false)));
    }

    @Test
    void shouldKeepThePartitionsOfThoseWhoHaveOne() {
        var claims = new TreeMap<String, Claim>();
        for (int i = 0; i < 20; i++) {
            claims.put(i % 2 + "-" + i, new Claim(i % 7, false));
            Map<String, Integer> places = ReplyPartitionAssignor.places(claims, 16);

            assertEquals(Math.min(i + 1, 16), new HashSet<>(places.values()).size());
            for (var claim : claims.entrySet()) {
                Integer place = places.get(claim.getKey());
                assertTrue(!claim.getValue().isOwn() || claim.getValue().partition() == place);
                claim.setValue(place == null ? claim.getValue() : new Claim(place, true));
            }
        }
    }

    @Test
    void shouldGiveOnlyThePartitionsThatExist() {
        assertEquals(Map.of("b", 0), places(1, new Claim(0, false), new Claim(0, true), new Claim(7, true)));
        assertEquals(Map.of(), places(0, new Claim(0, true)));
    }

    private static Map<String, Integer> places(int partitions, Claim... claims) {
        var all = new TreeMap<String, Claim>();
        for (Claim claim : claims) {
            all.put(Character.toString('a' + all.size()), claim);
        }
        return ReplyPartitionAssignor.places(all, partitions);
    }

    @Test
    void shouldTellEachGatewayItsPartitionAndTheNumber() {
        var assignor = new ReplyPartitionAssignor();
        assignor.configure(Map.of(ReplyPartitionAssignor.GROUP, group));
        var topics = List.of(Topics.REPLIES.name());
        var subscriptions = new HashMap<String, Subscription>();
        subscriptions.put("own", new Subscription(topics, assignor.subscriptionUserData(new HashSet<>(topics))));
        subscriptions.put("other", new Subscription(topics, new Claim(3, true).bytes()));
        subscriptions.put("strange", new Subscription(topics));
        Cluster cluster = new Cluster(
                "test",
                List.of(),
                IntStream.range(0, 4)
                        .mapToObj(id -> new PartitionInfo(Topics.REPLIES.name(), id, null, null, null))
                        .toList(),
                Set.of(),
                Set.of());

        Map<String, Assignment> assigned =
                assignor.assign(cluster, new GroupSubscription(subscriptions)).groupAssignment();

        assertEquals(List.of(partition(3)), assigned.get("other").partitions());
        assertEquals(List.of(partition(0)), assigned.get("own").partitions());
        assertEquals(List.of(partition(1)), assigned.get("strange").partitions());
        assignor.onAssignment(assigned.get("own"), null);
        assertEquals(3, group.gateways());
        assertEquals(new Claim(0, true), group.claim());
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition(Topics.REPLIES.name(), number);
    }
}
