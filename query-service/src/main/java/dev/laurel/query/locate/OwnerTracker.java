package dev.laurel.query.locate;

import dev.laurel.query.locate.NotReadyException.StorePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the owners of the partitions of an application. Kafka Streams keeps them in memory and updates them on the thread that
 * takes part in a rebalance, without a notification. A thread of this class therefore polls several times a second and swaps an
 * immutable map. Requests only read that map. Thread-safe.
 */
public final class OwnerTracker implements AutoCloseable {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final Supplier<Collection<StreamsMetadata>> clients;
    private final String topic;
    private final IntSupplier partitions;
    private final Thread poller;
    private volatile OwnerMap owners = OwnerMap.UNKNOWN;

    /**
     * The processes that have a partition.
     *
     * @param active host:port of the process that runs it; null if none is known
     * @param standbys host:port of the processes that have copies of its stores, in an order that is the same on all nodes
     */
    public record Owner(@Nullable String active, List<String> standbys) {

        static final Owner NONE = new Owner(null, List.of());
    }

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
            clients.stream()
                    .filter(client -> client.port() >= 0)
                    .sorted(Comparator.comparing(OwnerMap::addressOf))
                    .forEach(client -> {
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
            return owners.stream()
                    .allMatch(
                            owner -> owner.active() == null && owner.standbys().isEmpty());
        }
    }

    /**
     * The present owners of the partitions of users and of leaderboards. Thread-safe.
     *
     * @param self host:port under which other nodes reach this one
     */
    public record PartitionOwners(String self, OwnerTracker users, OwnerTracker boards) implements AutoCloseable {

        public Owner of(StorePartition partition) {
            return switch (partition.stores()) {
                case USERS -> users.of(partition.partition());
                case BOARDS -> boards.of(partition.partition());
            };
        }

        @Override
        public void close() {
            users.close();
            boards.close();
        }
    }

    /**
     * @param clients the members of the application; empty while it does not run. Must not block
     * @param topic the beginning of the name of the topic that the application reads
     * @param partitions the number of partitions of that topic, which may grow
     */
    public OwnerTracker(Supplier<Collection<StreamsMetadata>> clients, String topic, IntSupplier partitions) {
        this.clients = clients;
        this.topic = topic;
        this.partitions = partitions;
        this.poller = Thread.ofVirtual().name("laurel-owners").unstarted(this::pollForever);
    }

    public OwnerTracker start() {
        poll();
        poller.start();
        return this;
    }

    void poll() {
        OwnerMap seen = OwnerMap.of(clients.get(), topic, partitions.getAsInt());
        // During a rebalance Streams may report no members: the previous owners are the best guess.
        if (!seen.isEmpty() && !seen.equals(owners)) {
            owners = seen;
        }
    }

    private void pollForever() {
        try {
            while (true) {
                Thread.sleep(POLL_INTERVAL);
                poll();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** The owner of a partition, without addresses if none is known. */
    public Owner of(int partition) {
        return owners.of(partition);
    }

    OwnerMap owners() {
        return owners;
    }

    @Override
    public void close() {
        poller.interrupt();
    }
}
