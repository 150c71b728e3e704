package dev.laurel.gateway;

import static dev.laurel.platform.kafka.KafkaClients.POLL;

import dev.laurel.gateway.GatewayGroup.ReplyPartitionAssignor.Claim;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.schemas.topic.Topics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of a gateway in the consumer group of all gateways of an instance. The group gives each gateway a partition of
 * {@code laurel.replies} of its own and tells it how many gateways are live: within seconds of a start or an orderly end, and within ten
 * of a death. The member reads no records and commits no offsets; {@link ReplyConsumer} reads.
 *
 * <p>Until the group has answered, while it cannot be reached, and if there are more gateways than partitions, the gateway keeps the
 * partition that it has, which others may read, too. So the group is never needed for an answer. Works on a thread of its own.
 */
final class GatewayGroup implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GatewayGroup.class);
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(5);
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    /** The shortest that brokers allow by default. */
    private static final int SESSION_TIMEOUT_MS = 6_000;

    private static final int HEARTBEAT_MS = 1_000;

    /** The others wait at most so long for a member whose thread is stuck. */
    private static final int MAX_POLL_INTERVAL_MS = 30_000;

    private final ReplyConsumer replies;
    private final Function<GatewayGroup, Consumer<byte[], byte[]>> opening;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile int gateways = 1;
    private volatile @Nullable Consumer<byte[], byte[]> consumer;

    // The rest is used by the thread only.
    private int partition;
    private @Nullable Integer assigned;
    private boolean isSharingLogged;
    private boolean isFailing;

    /**
     * @param clientConfig settings of the consumer, without those of the group
     * @param replies moves to the partition that the group assigns
     */
    GatewayGroup(Map<String, Object> clientConfig, ReplyConsumer replies) {
        this(replies, group -> group.consumer(clientConfig));
    }

    /** @param opening opens a member of the group, which calls {@link #claim} and {@link #assigned} as it polls */
    GatewayGroup(ReplyConsumer replies, Function<GatewayGroup, Consumer<byte[], byte[]>> opening) {
        this.replies = replies;
        this.opening = opening;
        this.partition = replies.partition();
        this.thread = Thread.ofPlatform().name("gateway-group").daemon().unstarted(this::run);
    }

    private Consumer<byte[], byte[]> consumer(Map<String, Object> clientConfig) {
        var config = new HashMap<>(clientConfig);
        config.putAll(Map.of(
                ConsumerConfig.GROUP_ID_CONFIG,
                GatewayConfig.GROUP,
                // The broker decides how long a member of the newer protocol may be silent: 45 s by default.
                ConsumerConfig.GROUP_PROTOCOL_CONFIG,
                "classic",
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                List.of(ReplyPartitionAssignor.class.getName()),
                ReplyPartitionAssignor.GROUP,
                this,
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                SESSION_TIMEOUT_MS,
                ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                HEARTBEAT_MS,
                ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
                MAX_POLL_INTERVAL_MS));
        return KafkaClients.consumer(
                config,
                Map.of(
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "latest",
                        ConsumerConfig.CLIENT_ID_CONFIG,
                        GatewayConfig.GROUP_CLIENT_PREFIX
                                + clientConfig.getOrDefault(ConsumerConfig.CLIENT_ID_CONFIG, GatewayConfig.GROUP)));
    }

    /** Returns at once; the group answers later. */
    GatewayGroup start() {
        thread.start();
        return this;
    }

    /** The number of live gateways, this one included. */
    int gateways() {
        return gateways;
    }

    private void run() {
        try {
            serve(opening.apply(this));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "Left the group of gateways; this one shares partition {} and counts {} gateways",
                    partition,
                    gateways,
                    e);
        }
    }

    /** Works until the gateway stops, and leaves the group at once. */
    private void serve(Consumer<byte[], byte[]> member) throws InterruptedException {
        try {
            consumer = member;
            member.subscribe(List.of(Topics.REPLIES.name()), new Pause(member));
            while (closing.getCount() > 0) {
                poll(member);
            }
        } finally {
            member.close(CloseOptions.timeout(LEAVE_TIMEOUT));
        }
    }

    /** Pauses what is assigned, so that nothing is fetched. */
    private record Pause(Consumer<byte[], byte[]> consumer) implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            consumer.pause(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            // The gateway goes on with its partition until the group assigns another.
        }
    }

    private void poll(Consumer<byte[], byte[]> member) throws InterruptedException {
        try {
            member.poll(POLL);
            follow(member);
            isFailing = false;
        } catch (WakeupException _) {
            // The gateway stops.
        } catch (KafkaException e) {
            if (!isFailing) {
                LOG.warn(
                        "The group of gateways cannot be reached and is tried again; this one goes on with partition "
                                + "{} and counts {} gateways: {}",
                        partition,
                        gateways,
                        e.getMessage());
            }
            isFailing = true;
            closing.await(RETRY_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Has the replies come by the partition that the group has assigned. */
    private void follow(Consumer<byte[], byte[]> member) {
        Integer given = assigned;
        if (given != null && given != partition) {
            var target = new TopicPartition(Topics.REPLIES.name(), given);
            replies.moveTo(
                    given,
                    Objects.requireNonNull(
                            member.endOffsets(List.of(target), QUERY_TIMEOUT).get(target)));
            partition = given;
            LOG.info("Replies come by partition {} of {}", partition, Topics.REPLIES.name());
        }
        if (given == null && gateways > 1 && !isSharingLogged) {
            isSharingLogged = true;
            LOG.warn(
                    "There are more gateways ({}) than partitions of {}: this one shares partition {} and reads the"
                            + " replies to others, too. Give the topic a partition for each gateway, and one more to roll"
                            + " them",
                    gateways,
                    Topics.REPLIES.name(),
                    partition);
        }
    }

    /** What this gateway has, or wishes. Called on the thread of the group. */
    Claim claim() {
        Integer own = assigned;
        return own == null ? new Claim(partition, false) : new Claim(own, true);
    }

    /**
     * Takes what the group has decided. Called on the thread of the group.
     *
     * @param given the own partition; null: none is free
     * @param live the number of gateways
     */
    void assigned(@Nullable Integer given, int live) {
        assigned = given;
        gateways = live;
    }

    /** Leaves the group. */
    @Override
    public void close() {
        closing.countDown();
        Consumer<byte[], byte[]> member = consumer;
        if (member != null) {
            member.wakeup();
        }
        try {
            thread.join(STOP_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Assigns one partition of {@code laurel.replies} to each gateway, and tells the gateway the number of gateways. A gateway keeps its
     * partition. A new gateway gets the partition that it asks for if that is free, otherwise another free one, otherwise none. Kafka
     * creates the assignor, which therefore finds its {@link GatewayGroup} in the settings of the consumer.
     */
    public static final class ReplyPartitionAssignor implements ConsumerPartitionAssignor, Configurable {

        /** The setting of the consumer with the {@link GatewayGroup}. */
        static final String GROUP = "laurel.gateway.group";

        private @Nullable GatewayGroup group;

        /**
         * What a gateway tells the one that assigns.
         *
         * @param partition that it reads now
         * @param isOwn whether the group has given it this partition
         */
        record Claim(int partition, boolean isOwn) {

            private static final Claim NONE = new Claim(Integer.MAX_VALUE, false);

            ByteBuffer bytes() {
                return ByteBuffer.allocate(Integer.BYTES + 1)
                        .putInt(partition)
                        .put((byte) (isOwn ? 1 : 0))
                        .flip();
            }

            static Claim of(Subscription subscription) {
                ByteBuffer bytes = subscription.userData();
                return bytes == null || bytes.remaining() < Integer.BYTES + 1
                        ? NONE
                        : new Claim(bytes.getInt(bytes.position()), bytes.get(bytes.position() + Integer.BYTES) == 1);
            }
        }

        @Override
        public void configure(Map<String, ?> configs) {
            group = (GatewayGroup) configs.get(GROUP);
        }

        @Override
        public String name() {
            return "laurel-reply-partition";
        }

        @Override
        public ByteBuffer subscriptionUserData(Set<String> topics) {
            return Objects.requireNonNull(group).claim().bytes();
        }

        @Override
        public GroupAssignment assign(Cluster cluster, GroupSubscription subscriptions) {
            Integer known = cluster.partitionCountForTopic(Topics.REPLIES.name());
            var claims = new TreeMap<String, Claim>();
            subscriptions.groupSubscription().forEach((member, own) -> claims.put(member, Claim.of(own)));
            Map<String, Integer> places = places(claims, known == null ? 0 : known);
            var assignments = new HashMap<String, Assignment>();
            for (String member : claims.keySet()) {
                Integer place = places.get(member);
                assignments.put(
                        member,
                        new Assignment(
                                place == null ? List.of() : List.of(new TopicPartition(Topics.REPLIES.name(), place)),
                                ByteBuffer.allocate(Integer.BYTES)
                                        .putInt(claims.size())
                                        .flip()));
            }
            return new GroupAssignment(assignments);
        }

        /** Returns the partitions by member; members without one are missing. */
        static Map<String, Integer> places(SortedMap<String, Claim> claims, int partitions) {
            var places = new HashMap<String, Integer>();
            var taken = new BitSet(partitions);
            for (boolean isOwn : new boolean[] {true, false}) {
                claims.forEach((member, claim) -> {
                    if (claim.isOwn() == isOwn && claim.partition() < partitions && !taken.get(claim.partition())) {
                        places.put(member, claim.partition());
                        taken.set(claim.partition());
                    }
                });
            }
            for (String member : claims.keySet()) {
                int free = taken.nextClearBit(0);
                if (free < partitions && places.putIfAbsent(member, free) == null) {
                    taken.set(free);
                }
            }
            return places;
        }

        @Override
        public void onAssignment(Assignment assignment, ConsumerGroupMetadata metadata) {
            List<TopicPartition> partitions = assignment.partitions();
            ByteBuffer gateways = assignment.userData();
            Objects.requireNonNull(group)
                    .assigned(
                            partitions.isEmpty() ? null : partitions.getFirst().partition(),
                            gateways.getInt(gateways.position()));
        }
    }
}
