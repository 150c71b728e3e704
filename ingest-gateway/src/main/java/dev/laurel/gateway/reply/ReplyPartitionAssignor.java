package dev.laurel.gateway.reply;

import dev.laurel.schemas.topic.Topics;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Assigns one partition of {@code laurel.replies} to each gateway, and tells the gateway the number of gateways. A gateway keeps its
 * partition. A new gateway gets the partition that it asks for if that is free, otherwise another free one, otherwise none. Kafka
 * creates the assignor, which therefore finds its {@link GatewayGroup} in the settings of the consumer.
 */
public final class ReplyPartitionAssignor implements ConsumerPartitionAssignor, Configurable {

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
            return ByteBuffer.allocate(Integer.BYTES + 1).putInt(partition).put((byte) (isOwn ? 1 : 0)).flip();
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
            assignments.put(member,
                    new Assignment(place == null
                            ? List.of()
                            : List.of(new TopicPartition(Topics.REPLIES.name(), place)),
                            ByteBuffer.allocate(Integer.BYTES).putInt(claims.size()).flip()));
        }
        return new GroupAssignment(assignments);
    }

    /** Returns the partitions by member; members without one are missing. */
    static Map<String, Integer> places(SortedMap<String, Claim> claims, int partitions) {
        var places = new HashMap<String, Integer>();
        var taken = new BitSet(partitions);
        for (boolean isOwn : new boolean[]{true, false}) {
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
        Objects.requireNonNull(group).assigned(partitions.isEmpty() ? null : partitions.getFirst().partition(),
                gateways.getInt(gateways.position()));
    }
}
