package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.PartitionFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Every partition has a leader, and all its copies follow. One finding a topic, however many partitions it is about. */
public final class ReplicasCheck implements Check {

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

    /** Brokers whose copies are missing. */
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
