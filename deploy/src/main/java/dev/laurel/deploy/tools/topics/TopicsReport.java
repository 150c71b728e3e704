package dev.laurel.deploy.tools.topics;

import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.Topic.Partitioning;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics.DirectTopics;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/** Properties of the topics of a cluster, one row each in catalogue order; topics of tenants' own producers and wider logs come last. */
record TopicsReport(List<Row> rows) {

    private static final String WIDER = Topics.COMMANDS.name() + "-g";

    /** @param cells without the name and the differences @param differences from the catalogue; may be empty */
    record Row(String name, List<String> cells, List<String> differences) {}

    static TopicsReport of(Admin admin) {
        List<Topic<?, ?>> further = further(admin);
        var topics = new HashMap<>(TopicCreation.describe(admin));
        topics.putAll(KafkaClients
                .get(admin.describeTopics(further.stream().map(Topic::name).toList()).allTopicNames()));
        List<ConfigResource> resources = topics.keySet().stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
        var configs = new HashMap<String, Config>();
        KafkaClients.get(admin.describeConfigs(resources).all())
                .forEach((resource, config) -> configs.put(resource.name(), config));
        return new TopicsReport(Stream.concat(Topics.all().stream(), further.stream())
                .map(topic -> row(topic, topics.get(topic.name()), configs.get(topic.name()))).toList());
    }

    /** Returns the topics of tenants' own producers by name, and the wider logs by number. */
    private static List<Topic<?, ?>> further(Admin admin) {
        Pattern name = Pattern.compile(Pattern.quote(WIDER) + "\\d{1,9}");
        Set<String> names = KafkaClients.get(admin.listTopics().names());
        return Stream.<Topic<?, ?>>concat(
                names.stream().filter(DirectTopics::isOfOneTenant).sorted().map(Topics.DIRECT::named),
                names.stream().filter(name.asMatchPredicate()).sorted(Comparator.comparingInt(Generation::numberOf))
                        .map(Topics.COMMANDS::named))
                .toList();
    }

    private static Row row(Topic<?, ?> topic, @Nullable TopicDescription found, @Nullable Config config) {
        if (found == null || config == null) {
            return new Row(topic.name(), Collections.nCopies(5, "-"), List.of("is missing"));
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
        return new Row(topic.name(), List.of(Integer.toString(partitions),
                Integer.toString(found.partitions().getFirst().replicas().size()),
                config.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value(),
                cleanup.equals("compact") ? "-" : retention(config.get(TopicConfig.RETENTION_MS_CONFIG).value()),
                cleanup),
                differences);
    }

    private static String retention(String ms) {
        long millis = Long.parseLong(ms);
        if (millis < 0) {
            return "forever";
        }
        Duration kept = Duration.ofMillis(millis);
        return kept.toDays() > 0 ? kept.toDays() + " d" : kept.toHours() + " h";
    }

    /** Returns whether there is a wider log. */
    boolean hasWiderLogs() {
        return rows.stream().anyMatch(row -> row.name().startsWith(WIDER));
    }

    /** Returns the table for the terminal. */
    String table() {
        var text = new StringBuilder();
        append(text, "topic", List.of("partitions", "replication", "in sync", "retention", "cleanup"), "differs");
        for (Row row : rows) {
            append(text, row.name(), row.cells(),
                    row.differences().isEmpty() ? "-" : String.join("; ", row.differences()));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String name, List<String> cells, String differences) {
        text.append(String.format("%-24s %10s %11s %7s %9s  %-8s %s%n",
                Stream.of(List.of(name), cells, List.of(differences)).flatMap(List::stream).toArray()));
    }
}
