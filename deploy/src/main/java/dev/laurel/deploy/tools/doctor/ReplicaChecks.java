package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.PartitionFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.TopicConfig;

/** Checks of the copies of partitions. */
final class ReplicaChecks {

    private ReplicaChecks() {}

    /**
     * Checks that a cluster of three or more brokers keeps three copies of every topic of Laurel and of Kafka's
     * internal topics, and acknowledges records with at least two.
     */
    public static final class ReplicationCheck implements Diagnosis.Check {

        private static final String NAME = "replication";
        private static final String IN_SYNC = TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
        private static final String UNCLEAN = TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG;
        private static final int COPIES = 3;
        private static final int ACKNOWLEDGED = 2;

        @Override
        public List<Finding> judge(Facts facts) {
            ClusterFacts cluster = facts.cluster();
            if (cluster == null || cluster.topics().isEmpty()) {
                return List.of();
            }
            var findings = new ArrayList<Finding>();
            List<Integer> brokers = cluster.brokers().stream().map(BrokerFacts::id).sorted().toList();
            cluster.topics().values().stream().sorted(Comparator.comparing(TopicFacts::name)).forEach(topic -> {
                if (cluster.isReplicated()) {
                    copies(topic, brokers, facts, findings);
                }
                if ("true".equals(topic.settings().get(UNCLEAN))) {
                    findings.add(Finding.fail(NAME, topic.name(),
                            UNCLEAN + " is true: what was acknowledged may be lost with a broker",
                            facts.tools().set(topic.name(), Map.of(UNCLEAN, "false"))));
                }
            });
            if (findings.isEmpty() && cluster.isReplicated()) {
                findings.add(
                        Finding.ok(NAME, "", cluster.topics().size() + " topics have three copies, two of them at every"
                                + " acknowledgement"));
            }
            return findings;
        }

        private static void copies(TopicFacts topic, List<Integer> brokers, Facts facts, List<Finding> findings) {
            int replication = topic.replication();
            if (replication < COPIES) {
                findings.add(Finding.fail(NAME, topic.name(),
                        "has " + replication + (replication == 1 ? " copy" : " copies") + ", and there are "
                                + brokers.size() + " brokers",
                        facts.tools().replicate(topic, brokers)));
            }
            String inSync = topic.settings().get(IN_SYNC);
            if (inSync == null) {
                return;
            }
            int least = Integer.parseInt(inSync);
            String two = facts.tools().set(topic.name(), Map.of(IN_SYNC, Integer.toString(ACKNOWLEDGED)));
            if (least < ACKNOWLEDGED) {
                findings.add(Finding.fail(NAME, topic.name(),
                        IN_SYNC + " is " + least + ": what only one broker has is acknowledged, and lost with it",
                        two));
            } else if (replication >= COPIES && least >= replication) {
                findings.add(Finding.warn(NAME, topic.name(),
                        IN_SYNC + " is " + least + " of " + replication + " copies: no broker can be away", two));
            }
        }
    }

    /** Checks that every partition has a leader and that all copies follow. One finding per topic. */
    public static final class ReplicasCheck implements Diagnosis.Check {

        private static final String NAME = "replicas";
        private static final int NOBODY = -1;

        @Override
        public List<Finding> judge(Facts facts) {
            if (facts.cluster() == null || facts.cluster().topics().isEmpty()) {
                return List.of();
            }
            var findings = new ArrayList<Finding>();
            facts.cluster().topics().values().stream().sorted(Comparator.comparing(TopicFacts::name)).forEach(topic -> {
                List<PartitionFacts> offline = topic.partitions().stream()
                        .filter(partition -> partition.leader() == NOBODY).toList();
                if (!offline.isEmpty()) {
                    findings.add(Finding.fail(NAME, topic.name(),
                            "partitions " + numbers(offline) + " have no leader: nothing can be read or written there",
                            "start the brokers " + absent(offline)));
                }
                List<PartitionFacts> behind = topic.partitions().stream().filter(
                        partition -> partition.leader() != NOBODY
                                && partition.inSync().size() < partition.replicas().size())
                        .toList();
                if (!behind.isEmpty()) {
                    findings.add(Finding.warn(NAME, topic.name(),
                            "partitions " + numbers(behind) + " have copies that are behind",
                            "start the brokers " + absent(behind) + ", or see in their logs why they do not follow"));
                }
            });
            if (findings.isEmpty()) {
                findings.add(Finding.ok(NAME, "", "every partition has its leader and all its copies"));
            }
            return findings;
        }

        private static String numbers(List<PartitionFacts> partitions) {
            return partitions.stream().map(partition -> Integer.toString(partition.number()))
                    .collect(Collectors.joining(", "));
        }

        /** Returns the brokers whose copies are missing. */
        private static String absent(List<PartitionFacts> partitions) {
            var absent = new TreeSet<Integer>();
            for (PartitionFacts partition : partitions) {
                partition.replicas().stream()
                        .filter(broker -> partition.leader() == NOBODY || !partition.inSync().contains(broker))
                        .forEach(absent::add);
            }
            return absent.stream().map(Object::toString).collect(Collectors.joining(", "));
        }
    }
}
