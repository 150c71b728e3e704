package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.PartitionFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.TopicConfig;

/** Checks of the copies of partitions. */
final class ReplicaChecks {

    private static final String IN_SYNC = TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
    private static final String UNCLEAN = TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG;
    private static final int COPIES = 3;
    private static final int ACKNOWLEDGED = 2;
    private static final int NO_LEADER = -1;

    private ReplicaChecks() {}

    private static Stream<TopicFacts> byName(ClusterFacts cluster) {
        return cluster.topics().values().stream().sorted(Comparator.comparing(TopicFacts::name));
    }

    /**
     * Checks that a cluster of three or more brokers keeps three copies of every topic of Laurel and of Kafka's
     * internal topics, and acknowledges records with at least two.
     */
    static void replication(ClusterFacts cluster, Findings findings) {
        List<Integer> brokers =
                cluster.brokers().stream().map(BrokerFacts::id).sorted().toList();
        byName(cluster).forEach(topic -> {
            if (cluster.isReplicated()) {
                checkCopies(topic, brokers, findings);
            }
            if ("true".equals(topic.settings().get(UNCLEAN))) {
                findings.setting(
                        Status.fail, topic, UNCLEAN, ": acknowledged records may be lost with a broker", "false");
            }
        });
        if (!cluster.topics().isEmpty() && cluster.isReplicated()) {
            findings.okIfNone(
                    "",
                    cluster.topics().size() + " topics have three copies and acknowledge a record when two have it");
        }
    }

    private static void checkCopies(TopicFacts topic, List<Integer> brokers, Findings findings) {
        int replication = topic.replication();
        if (replication < COPIES) {
            findings.fail(
                    topic.name(),
                    "has " + replication + (replication == 1 ? " copy" : " copies") + ", and there are "
                            + brokers.size() + " brokers",
                    findings.repair().replicate(topic, brokers));
        }
        String inSync = topic.settings().get(IN_SYNC);
        if (inSync == null) {
            return;
        }
        int least = Integer.parseInt(inSync);
        String two = Integer.toString(ACKNOWLEDGED);
        if (least < ACKNOWLEDGED) {
            findings.setting(
                    Status.fail,
                    topic,
                    IN_SYNC,
                    ": a record is acknowledged when one broker has it, and lost with it",
                    two);
        } else if (replication >= COPIES && least >= replication) {
            findings.setting(
                    Status.warn,
                    topic,
                    IN_SYNC,
                    " of " + replication + " copies: writes stop when one broker is down",
                    two);
        }
    }

    /** Checks that every partition has a leader and that all copies follow. One finding per topic. */
    static void replicas(ClusterFacts cluster, Findings findings) {
        if (cluster.topics().isEmpty()) {
            return;
        }
        byName(cluster).forEach(topic -> {
            List<PartitionFacts> offline = topic.partitions().stream()
                    .filter(partition -> partition.leader() == NO_LEADER)
                    .toList();
            if (!offline.isEmpty()) {
                findings.fail(
                        topic.name(),
                        "partitions " + numbers(offline) + " have no leader: they can be neither read nor written",
                        "start the brokers " + missingBrokers(offline));
            }
            List<PartitionFacts> behind = topic.partitions().stream()
                    .filter(partition -> partition.leader() != NO_LEADER
                            && partition.inSync().size() < partition.replicas().size())
                    .toList();
            if (!behind.isEmpty()) {
                findings.warn(
                        topic.name(),
                        "partitions " + numbers(behind) + " have copies that are behind",
                        "start the brokers " + missingBrokers(behind)
                                + ", or see in their logs why they do not follow");
            }
        });
        findings.okIfNone("", "every partition has its leader and all its copies");
    }

    private static String numbers(List<PartitionFacts> partitions) {
        return partitions.stream()
                .map(partition -> Integer.toString(partition.number()))
                .collect(Collectors.joining(", "));
    }

    /** Returns the brokers whose copies are missing. */
    private static String missingBrokers(List<PartitionFacts> partitions) {
        var missing = new TreeSet<Integer>();
        for (PartitionFacts partition : partitions) {
            partition.replicas().stream()
                    .filter(broker -> partition.leader() == NO_LEADER
                            || !partition.inSync().contains(broker))
                    .forEach(missing::add);
        }
        return missing.stream().map(Object::toString).collect(Collectors.joining(", "));
    }
}
