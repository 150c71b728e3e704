package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.GenerationFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.OpenTransactionFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.PartitionFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.StreamsApplication;
import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.topic.Topics.DirectTopics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeFeaturesOptions;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/**
 * Collects the facts about a Kafka cluster. Changes nothing except for the topic of {@link BrokerClockProbe}.
 *
 * @param readOnly whether to skip the clocks of brokers, which need a topic
 */
record ClusterInspector(KafkaAccess kafka, boolean readOnly) {

    private static final List<String> KAFKAS_OWN = List.of("__consumer_offsets", "__transaction_state");
    private static final String VERSION = "metadata.version";
    private static final int UNKNOWN = -1;

    /** Takes some seconds, longer if brokers are unavailable. */
    Inspection gather() {
        try (Admin admin = KafkaClients.admin(kafka)) {
            var attempts = new Attempts();
            List<Node> nodes = nodes(admin);
            GenerationFacts generations = attempts.get(
                    "generations",
                    "--operation Read --topic " + Topics.GENERATIONS.name(),
                    GenerationFacts.FIRST,
                    () -> generations(admin));
            Map<String, TopicFacts> topics = attempts.get(
                    "topics", "--operation Describe --topic '*'", Map.of(), () -> topics(admin, generations));
            Map<Integer, Map<String, String>> settings = attempts.get(
                    "broker settings",
                    "--operation DescribeConfigs --cluster",
                    Map.of(),
                    () -> settingsOf(admin, nodes));
            Map<Integer, ClusterFacts.ClockFacts> clocks = readOnly
                    ? Map.of()
                    : attempts.get(
                            "clocks of brokers",
                            "--operation Create --operation Delete --operation Write --topic "
                                    + BrokerClockProbe.PREFIX
                                    + " --resource-pattern-type prefixed, or leave them out: --read-only",
                            Map.of(),
                            () -> new BrokerClockProbe(kafka, admin).measure(nodes));
            Map<String, GroupFacts> groups = attempts.get(
                    "groups",
                    "--operation Describe --group '*'",
                    Map.of(),
                    () -> new GroupInspector(admin).gather(StreamsApplication.of(generations), topics));
            String log = generations.inForce().log();
            List<OpenTransactionFacts> transactions = attempts.get(
                    "transactions",
                    "--operation Read --topic " + log,
                    List.of(),
                    () -> new OpenTransactionInspector(admin).gather(topics.get(log)));
            List<BrokerFacts> brokers = nodes.stream()
                    .map(node -> new BrokerFacts(
                            node.id(),
                            node.host() + ":" + node.port(),
                            levelOf(admin, node),
                            settings.getOrDefault(node.id(), Map.of()),
                            clocks.get(node.id())))
                    .toList();
            return new Inspection(
                    new ClusterFacts(generations, brokers, topics, groups, transactions), attempts.findings);
        } catch (CommandFailed e) {
            return new Inspection(
                    null,
                    List.of(new Finding(
                            "brokers",
                            Finding.Status.fail,
                            kafka.bootstrapServers(),
                            String.valueOf(e.getMessage()),
                            "start the brokers, or name others with --kafka (and --kafka-config, if they"
                                    + " require TLS or SASL)")));
        }
    }

    private static List<Node> nodes(Admin admin) {
        return KafkaClients.get(admin.describeCluster().nodes()).stream()
                .sorted(Comparator.comparingInt(Node::id))
                .toList();
    }

    /** Returns -1 if the broker does not report its level. */
    private static int levelOf(Admin admin, Node node) {
        try {
            var known = KafkaClients.get(admin.describeFeatures(new DescribeFeaturesOptions().nodeId(node.id()))
                            .featureMetadata())
                    .supportedFeatures()
                    .get(VERSION);
            return known == null ? UNKNOWN : known.maxVersion();
        } catch (CommandFailed _) {
            return UNKNOWN;
        }
    }

    private GenerationFacts generations(Admin admin) {
        if (!KafkaClients.topics(admin).contains(Topics.GENERATIONS.name())) {
            return GenerationFacts.FIRST; // A check reports the missing topic.
        }
        return GenerationTable.read(kafka, GenerationFacts::of);
    }

    private static Map<String, TopicFacts> topics(Admin admin, GenerationFacts generations) {
        var wanted = new TreeSet<String>(KAFKAS_OWN);
        ClusterFacts.catalogue(generations.inForce()).stream().map(Topic::name).forEach(wanted::add);
        for (StreamsApplication application : StreamsApplication.of(generations)) {
            wanted.add(application.source());
            wanted.addAll(application.changelogs());
        }
        Set<String> existing = KafkaClients.get(
                admin.listTopics(new ListTopicsOptions().listInternal(true)).names());
        wanted.retainAll(existing);
        existing.stream()
                .filter(topic -> DirectTopics.isOfOneTenant(topic)
                        || StreamsApplication.of(generations).stream()
                                .anyMatch(application -> application.hadStoreOf(topic)))
                .forEach(wanted::add);
        Map<String, Config> configs = KafkaClients.settings(admin, ConfigResource.Type.TOPIC, wanted);
        return topics(admin, wanted, name -> settings(configs.get(name)));
    }

    /** Returns existing topics by name. @param settings of a topic */
    static Map<String, TopicFacts> topics(
            Admin admin, Set<String> wanted, Function<String, Map<String, String>> settings) {
        return KafkaClients.get(admin.describeTopics(wanted).allTopicNames()).values().stream()
                .collect(Collectors.toMap(
                        TopicDescription::name,
                        topic -> new TopicFacts(
                                topic.name(),
                                topic.partitions().stream()
                                        .map(ClusterInspector::partition)
                                        .toList(),
                                settings.apply(topic.name()))));
    }

    private static PartitionFacts partition(TopicPartitionInfo info) {
        int leader = info.leader() == null || info.leader().isEmpty()
                ? UNKNOWN
                : info.leader().id();
        return new PartitionFacts(info.partition(), leader, ids(info.replicas()), ids(info.isr()));
    }

    private static List<Integer> ids(Collection<Node> nodes) {
        return nodes.stream().map(Node::id).toList();
    }

    private static Map<Integer, Map<String, String>> settingsOf(Admin admin, List<Node> nodes) {
        Map<String, Config> configs = KafkaClients.settings(
                admin,
                ConfigResource.Type.BROKER,
                nodes.stream().map(Node::idString).toList());
        return nodes.stream().collect(Collectors.toMap(Node::id, node -> settings(configs.get(node.idString()))));
    }

    /** Returns settings that have a value and are not secret. */
    private static Map<String, String> settings(@Nullable Config config) {
        return config == null
                ? Map.of()
                : config.entries().stream()
                        .filter(entry -> entry.value() != null && !entry.isSensitive())
                        .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
    }

    /**
     * Collected facts, and findings about those that could not be collected.
     *
     * @param facts null: Kafka could not be reached
     */
    record Inspection(@Nullable ClusterFacts facts, List<Finding> findings) {}

    /** Runs queries and reports those that fail; the others remain useful. Used by one thread. */
    static final class Attempts {

        private final List<Finding> findings = new ArrayList<>();

        /**
         * @param what subject of the query, for people
         * @param right arguments of kafka-acls.sh that grant the required right
         * @param otherwise result if the query fails
         */
        <T> T get(String what, String right, T otherwise, Supplier<T> query) {
            try {
                return query.get();
            } catch (CommandFailed e) {
                findings.add(new Finding(
                        "access",
                        Finding.Status.warn,
                        what,
                        "could not be read: " + e.getMessage(),
                        "if a right is missing: kafka-acls.sh --add --allow-principal User:NAME " + right));
                return otherwise;
            }
        }
    }

    /** Finds transactions on the log that stay open for a while. Those of the ruleset writer take milliseconds. */
    private record OpenTransactionInspector(Admin admin) {

        private static final long PAUSE_MS = 2_000;

        /** @param log null: the topic is missing */
        List<OpenTransactionFacts> gather(@Nullable TopicFacts log) {
            if (log == null) {
                return List.of();
            }
            Map<TopicPartition, Long> before = starts(log.partitionsWithLeader());
            if (before.isEmpty()) {
                return List.of();
            }
            pause();
            Map<TopicPartition, Long> after = starts(before.keySet());
            Map<TopicPartition, Long> ends = ends(before.keySet(), IsolationLevel.READ_UNCOMMITTED);
            var open = new ArrayList<OpenTransactionFacts>();
            after.forEach((partition, start) -> {
                if (start.equals(before.get(partition))) {
                    open.add(openTransaction(partition, start, ends.getOrDefault(partition, start)));
                }
            });
            return open;
        }

        private OpenTransactionFacts openTransaction(TopicPartition partition, long start, long end) {
            PartitionProducerState producers =
                    KafkaClients.get(admin.describeProducers(List.of(partition)).partitionResult(partition));
            for (ProducerState producer : producers.activeProducers()) {
                if (producer.currentTransactionStartOffset().orElse(-1) == start) {
                    return new OpenTransactionFacts(
                            partition.partition(),
                            start,
                            end,
                            producer.producerId(),
                            System.currentTimeMillis() - producer.lastTimestamp());
                }
            }
            return new OpenTransactionFacts(partition.partition(), start, end, -1, 0);
        }

        /** Returns the offset of the first open transaction of each partition that has one. */
        private Map<TopicPartition, Long> starts(Collection<TopicPartition> partitions) {
            Map<TopicPartition, Long> starts = ends(partitions, IsolationLevel.READ_COMMITTED);
            Map<TopicPartition, Long> ends = ends(partitions, IsolationLevel.READ_UNCOMMITTED);
            starts.entrySet().removeIf(partition -> ends.getOrDefault(partition.getKey(), 0L) <= partition.getValue());
            return starts;
        }

        private Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions, IsolationLevel isolation) {
            return KafkaClients.offsets(admin, partitions, OffsetSpec.latest(), isolation);
        }

        private static void pause() {
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandFailed("interrupted while inspecting transactions", e);
            }
        }
    }
}
