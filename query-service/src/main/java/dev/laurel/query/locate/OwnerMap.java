package dev.laurel.query.locate;

import dev.laurel.query.locate.OwnerTracker.Owner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsMetadata;

/**
 * The owners of the partitions of an application, as of the last rebalance. Immutable.
 *
 * @param owners by partition
 */
public record OwnerMap(List<Owner> owners) {

    /** The map before the first rebalance. */
    static final OwnerMap UNKNOWN = new OwnerMap(List.of());

    /**
     * @param clients all members of the application; members without an address are left out
     * @param topic the beginning of the name of the topic that the application reads; the generation follows it. Kafka Streams
     *        reports tasks, active and standby, as partitions of it
     */
    public static OwnerMap of(Collection<StreamsMetadata> clients, String topic, int partitions) {
        var active = new String[partitions];
        List<List<String>> standbys = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            standbys.add(new ArrayList<>());
        }
        clients.stream().filter(client -> client.port() >= 0)
                .sorted(Comparator.comparing(OwnerMap::addressOf)).forEach(client -> {
                    for (TopicPartition own : client.topicPartitions()) {
                        if (own.topic().startsWith(topic) && own.partition() < partitions) {
                            active[own.partition()] = addressOf(client);
                        }
                    }
                    for (TopicPartition copy : client.standbyTopicPartitions()) {
                        if (copy.topic().startsWith(topic) && copy.partition() < partitions) {
                            standbys.get(copy.partition()).add(addressOf(client));
                        }
                    }
                });
        var owners = new ArrayList<Owner>(partitions);
        for (int partition = 0; partition < partitions; partition++) {
            owners.add(new Owner(active[partition], List.copyOf(standbys.get(partition))));
        }
        return new OwnerMap(List.copyOf(owners));
    }

    private static String addressOf(StreamsMetadata client) {
        return client.host() + ":" + client.port();
    }

    /** The owner of a partition; {@link Owner#NONE} if none is known. */
    public Owner of(int partition) {
        return partition < owners.size() ? owners.get(partition) : Owner.NONE;
    }

    /** Whether no partition has a known owner or copy. */
    boolean isEmpty() {
        return owners.stream().allMatch(owner -> owner.active() == null && owner.standbys().isEmpty());
    }
}
