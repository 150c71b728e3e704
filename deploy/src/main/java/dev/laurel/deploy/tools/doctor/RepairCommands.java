package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Shell commands that solve problems, of Kafka's {@code bin} folder and of Laurel.
 *
 * @param bootstrapServers addresses of the cluster
 * @param clientConfig file with client properties
 */
record RepairCommands(String bootstrapServers, @Nullable String clientConfig) {

    private static final int COPIES = 3;

    private String kafka(String tool, String arguments) {
        return tool + ".sh --bootstrap-server " + bootstrapServers
                + (clientConfig == null ? "" : " --command-config " + clientConfig) + " " + arguments;
    }

    /** Returns a command of {@code deploy/laurel}. */
    String laurel(String arguments) {
        return "deploy/laurel " + arguments + " --kafka " + bootstrapServers
                + (clientConfig == null ? "" : " --kafka-config " + clientConfig);
    }

    String set(String topic, String name, String value) {
        return kafka(
                "kafka-configs",
                "--alter --entity-type topics --entity-name " + topic + " --add-config " + name + "=" + value);
    }

    String widen(String topic, int partitions) {
        return kafka("kafka-topics", "--alter --topic " + topic + " --partitions " + partitions);
    }

    String delete(String topic) {
        return kafka("kafka-topics", "--delete --topic " + topic);
    }

    String abort(String topic, int partition, long startOffset) {
        return kafka(
                "kafka-transactions",
                "abort --topic " + topic + " --partition " + partition + " --start-offset " + startOffset);
    }

    /** Returns a command that gives each partition three copies: the present ones and those on the next brokers. */
    String replicate(TopicFacts topic, List<Integer> brokers) {
        String partitions = topic.partitions().stream()
                .map(partition -> {
                    var replicas = new ArrayList<>(partition.replicas());
                    for (int i = 0; i < brokers.size() && replicas.size() < COPIES; i++) {
                        int next = brokers.get((partition.number() + i) % brokers.size());
                        if (!replicas.contains(next)) {
                            replicas.add(next);
                        }
                    }
                    return "{\"topic\":\"" + topic.name() + "\",\"partition\":" + partition.number() + ",\"replicas\":"
                            + replicas.toString().replace(" ", "") + "}";
                })
                .collect(Collectors.joining(","));
        return kafka(
                "kafka-reassign-partitions",
                "--execute --reassignment-json-file <(echo '{\"version\":1,\"partitions\":[" + partitions + "]}')");
    }
}
