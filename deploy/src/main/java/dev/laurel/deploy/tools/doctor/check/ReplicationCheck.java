package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/**
 * A cluster that can keep three copies keeps three, of every topic of Laurel and of Kafka's own two, and acknowledges nothing of
 * which there are not two.
 */
public final class ReplicationCheck implements Check {

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
                    IN_SYNC + " is " + least + ": what only one broker has is acknowledged, and lost with it", two));
        } else if (replication >= COPIES && least >= replication) {
            findings.add(Finding.warn(NAME, topic.name(),
                    IN_SYNC + " is " + least + " of " + replication + " copies: no broker can be away", two));
        }
    }
}
