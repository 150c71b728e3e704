package dev.laurel.query.locate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsMetadata;

/**
 * Who has which partitions of an application, as the last rebalance has left it. Immutable.
 *
 * @param owners by partition
 */
public record OwnerMap(List<Owner> owners) {

    /** Before anything is known. */
    public static final OwnerMap UNKNOWN = new OwnerMap(List.of());

    /**
     * @param active host:port of who runs the partition; null if nobody is known to
     * @param standbys host:port of those who have copies of its stores, in an order that is the same on all nodes
     */
    public record Owner(String active, List<String> standbys) {

        static final Owner NOBODY = new Owner(null, List.of());
    }

    /**
     * @param clients all members of the application; those that do not say where they are reached are left out
     * @param topic that the application reads, what its name begins with: it goes on with the generation. Kafka Streams names
     *        tasks, active and standby, by partitions of it
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

    /** Never null. */
    public Owner of(int partition) {
        return partition < owners.size() ? owners.get(partition) : Owner.NOBODY;
    }

    /** Whether nobody is known for any partition. */
    boolean isEmpty() {
        return owners.stream().allMatch(owner -> owner.active() == null && owner.standbys().isEmpty());
    }
}
