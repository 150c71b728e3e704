package dev.laurel.deploy.tools.doctor.facts;

import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.util.List;
import java.util.Map;

/**
 * Kafka, as it was seen.
 *
 * @param topics by name: those of Laurel, of its applications, and Kafka's own two
 * @param groups by name, of Laurel's applications; without those that Kafka does not know
 * @param held partitions of the log whose committed part did not move while it was watched
 */
public record ClusterFacts(GenerationFacts generations, List<BrokerFacts> brokers, Map<String, TopicFacts> topics,
        Map<String, GroupFacts> groups, List<HeldFacts> held) {

    /** With fewer than this many brokers, there is no third copy to ask for. */
    private static final int REPLICATED = 3;

    public ClusterFacts {
        brokers = List.copyOf(brokers);
        topics = Map.copyOf(topics);
        groups = Map.copyOf(groups);
        held = List.copyOf(held);
    }

    /** The topic that is the log. */
    public String log() {
        return generations.inForce().log();
    }

    public List<Application> applications() {
        return Application.of(generations);
    }

    /** The catalogue, by the names of the generation that is in force. */
    public List<Topic<?, ?>> catalogue() {
        return catalogue(generations.inForce());
    }

    public static List<Topic<?, ?>> catalogue(Generation generation) {
        Map<String, String> names = Map.of(Topics.COMMANDS.name(), generation.log(), Topics.SCORES.name(),
                generation.scores(), Topics.BOARD_FLOORS.name(), generation.floors());
        return Topics.all().stream()
                .<Topic<?, ?>>map(
                        topic -> names.containsKey(topic.name()) ? topic.named(names.get(topic.name())) : topic)
                .toList();
    }

    public boolean isReplicated() {
        return brokers.size() >= REPLICATED;
    }

    /**
     * @param level of {@code metadata.version} that it knows; -1 if it does not say
     * @param settings by name; without those that it does not have or does not show
     * @param clock null if it was not asked
     */
    public record BrokerFacts(int id, String address, int level, Map<String, String> settings, ClockFacts clock) {

        public BrokerFacts {
            settings = Map.copyOf(settings);
        }
    }

    /** @param settings those in force, wherever they were set */
    public record TopicFacts(String name, List<PartitionFacts> partitions, Map<String, String> settings) {

        public TopicFacts {
            partitions = List.copyOf(partitions);
            settings = Map.copyOf(settings);
        }

        /** The least number of copies of any partition. */
        public int replication() {
            return partitions.stream().mapToInt(partition -> partition.replicas().size()).min().orElse(0);
        }
    }

    /** @param leader -1 if there is none */
    public record PartitionFacts(int number, int leader, List<Integer> replicas, List<Integer> inSync) {

        public PartitionFacts {
            replicas = List.copyOf(replicas);
            inSync = List.copyOf(inSync);
        }
    }

    /**
     * @param state as Kafka names it
     * @param lags of the partitions of the topics that it reads
     */
    public record GroupFacts(String name, String state, List<MemberFacts> members, List<LagFacts> lags) {

        public GroupFacts {
            members = List.copyOf(members);
            lags = List.copyOf(lags);
        }
    }

    /** @param partitions {@code topic-number} of those that it reads */
    public record MemberFacts(String id, String host, List<String> partitions) {

        public MemberFacts {
            partitions = List.copyOf(partitions);
        }
    }

    /** @param committed -1 if nothing is */
    public record LagFacts(String topic, int partition, long committed, long end) {

        public long records() {
            return Math.max(0, end - Math.max(0, committed));
        }
    }

    /**
     * @param stableEnd where its first open transaction begins
     * @param end of the partition
     * @param producerId of that transaction; -1 if it could not be found
     * @param idleMs since that producer last wrote
     */
    public record HeldFacts(int partition, long stableEnd, long end, long producerId, long idleMs) {}
}
