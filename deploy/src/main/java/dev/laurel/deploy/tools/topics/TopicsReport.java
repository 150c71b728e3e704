package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.cli.TextTable;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topic.Partitioning;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.topic.Topics.DirectTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * Properties of the topics of a cluster.
 *
 * @param table one row each in catalogue order; topics of tenants' own producers and wider logs come last
 * @param hasWiderLogs whether there is a wider log
 */
record TopicsReport(String table, boolean hasWiderLogs) {

    private static final String WIDER = Topics.COMMANDS.name() + "-g";

    static TopicsReport of(Admin admin) {
        Set<String> existing = KafkaClients.topics(admin);
        List<Topic<?, ?>> shown = shown(existing);
        List<String> found =
                shown.stream().map(Topic::name).filter(existing::contains).toList();
        Map<String, TopicDescription> topics =
                KafkaClients.get(admin.describeTopics(found).allTopicNames());
        var configs = KafkaClients.settings(admin, ConfigResource.Type.TOPIC, found);
        var table =
                TextTable.under("topic", " partitions", " replication", " in sync", " retention", "cleanup", "differs");
        shown.forEach(topic -> table.row(row(topic, topics.get(topic.name()), configs.get(topic.name()))));
        return new TopicsReport(table.text(), found.stream().anyMatch(name -> name.startsWith(WIDER)));
    }

    /** Returns the topics of the catalogue, then those of tenants' own producers by name, and the wider logs by number. */
    private static List<Topic<?, ?>> shown(Set<String> names) {
        Pattern name = Pattern.compile(Pattern.quote(WIDER) + "\\d{1,9}");
        var shown = new ArrayList<Topic<?, ?>>(Topics.all());
        names.stream()
                .filter(DirectTopics::isOfOneTenant)
                .sorted()
                .map(Topics.DIRECT::named)
                .forEach(shown::add);
        names.stream()
                .filter(name.asMatchPredicate())
                .sorted(Comparator.comparingInt(Generation::numberOf))
                .map(Topics.COMMANDS::named)
                .forEach(shown::add);
        return shown;
    }

    private static List<String> row(Topic<?, ?> topic, @Nullable TopicDescription found, @Nullable Config config) {
        if (found == null || config == null) {
            return List.of(topic.name(), "-", "-", "-", "-", "-", "is missing");
        }
        int partitions = found.partitions().size();
        var differences = new ArrayList<String>();
        if (topic.partitioning() == Partitioning.ONE && partitions != 1) {
            differences.add("must have 1 partition");
        }
        topic.config().forEach((name, wanted) -> {
            String actual = config.get(name).value();
            if (!wanted.equals(actual) && !Topics.isChosen(topic, name)) {
                differences.add(name + " is " + actual + ", not " + wanted);
            }
        });
        String cleanup = config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
        return List.of(
                topic.name(),
                Integer.toString(partitions),
                Integer.toString(found.partitions().getFirst().replicas().size()),
                config.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value(),
                cleanup.equals("compact")
                        ? "-"
                        : retention(config.get(TopicConfig.RETENTION_MS_CONFIG).value()),
                cleanup,
                differences.isEmpty() ? "-" : String.join("; ", differences));
    }

    private static String retention(String ms) {
        long millis = Long.parseLong(ms);
        if (millis < 0) {
            return "forever";
        }
        Duration kept = Duration.ofMillis(millis);
        return kept.toDays() > 0 ? kept.toDays() + " d" : kept.toHours() + " h";
    }
}
