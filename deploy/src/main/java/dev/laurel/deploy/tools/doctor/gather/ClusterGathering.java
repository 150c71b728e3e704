package dev.laurel.deploy.tools.doctor.gather;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.TableLook;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.Application;
import dev.laurel.deploy.tools.doctor.facts.ClockFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.HeldFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.PartitionFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.facts.GenerationFacts;
import dev.laurel.deploy.tools.topics.KafkaAdmin;
import dev.laurel.schemas.topic.KafkaAccess;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeFeaturesOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;

/** Asks a cluster for all that is judged of it. Changes nothing, but for the topic of {@link ClockProbe}. */
public final class ClusterGathering {

    private static final List<String> KAFKAS_OWN = List.of("__consumer_offsets", "__transaction_state");
    private static final String VERSION = "metadata.version";
    private static final int UNKNOWN = -1;

    private final KafkaAccess kafka;
    private final boolean readOnly;

    /** @param readOnly brokers are not asked for the time: that takes a topic */
    public ClusterGathering(KafkaAccess kafka, boolean readOnly) {
        this.kafka = kafka;
        this.readOnly = readOnly;
    }

    /** Takes some seconds, and longer where brokers are away. */
    public Gathered<ClusterFacts> gather() {
        try (Admin admin = KafkaAdmin.connect(kafka)) {
            var attempts = new Attempts();
            List<Node> nodes = nodes(admin);
            GenerationFacts generations = attempts.get("generations",
                    "--operation Read --topic " + Topics.GENERATIONS.name(), GenerationFacts.FIRST,
                    () -> generations(admin));
            Map<String, TopicFacts> topics = attempts.get("topics", "--operation Describe --topic '*'", Map.of(),
                    () -> topics(admin, generations));
            Map<Integer, Map<String, String>> settings = attempts.get("broker settings",
                    "--operation DescribeConfigs --cluster", Map.of(), () -> settingsOf(admin, nodes));
            Map<Integer, ClockFacts> clocks = readOnly
                    ? Map.of()
                    : attempts.get("clocks of brokers",
                            "--operation Create --operation Delete --operation Write --topic "
                                    + ClockProbe.PREFIX
                                    + " --resource-pattern-type prefixed, or leave them out: --read-only",
                            Map.of(), () -> new ClockProbe(kafka, admin).ask(nodes));
            Map<String, GroupFacts> groups = attempts.get("groups", "--operation Describe --group '*'", Map.of(),
                    () -> new GroupGathering(admin).gather(Application.of(generations), topics));
            String log = generations.inForce().log();
            List<HeldFacts> held = attempts.get("transactions", "--operation Read --topic " + log, List.of(),
                    () -> new HeldGathering(admin).gather(topics.get(log)));
            List<BrokerFacts> brokers = nodes.stream().map(node -> new BrokerFacts(node.id(),
                    node.host() + ":" + node.port(), levelOf(admin, node),
                    settings.getOrDefault(node.id(), Map.of()), clocks.get(node.id()))).toList();
            return new Gathered<>(new ClusterFacts(generations, brokers, topics, groups, held), attempts.findings());
        } catch (CommandFailed e) {
            return new Gathered<>(null, List.of(Finding.fail("brokers", kafka.bootstrapServers(), e.getMessage(),
                    "start the brokers, or name others with --kafka (and --kafka-config, if they ask for TLS or SASL)")));
        }
    }

    private static List<Node> nodes(Admin admin) {
        return KafkaAdmin.get(admin.describeCluster().nodes()).stream().sorted(Comparator.comparingInt(Node::id))
                .toList();
    }

    /** A broker that does not say is not older for that. */
    private static int levelOf(Admin admin, Node node) {
        try {
            var known = KafkaAdmin.get(
                    admin.describeFeatures(new DescribeFeaturesOptions().nodeId(node.id())).featureMetadata())
                    .supportedFeatures().get(VERSION);
            return known == null ? UNKNOWN : known.maxVersion();
        } catch (CommandFailed _) {
            return UNKNOWN;
        }
    }

    private GenerationFacts generations(Admin admin) {
        if (!KafkaAdmin.get(admin.listTopics().names()).contains(Topics.GENERATIONS.name())) {
            return GenerationFacts.FIRST; // its absence is told of the topics
        }
        return TableLook.atGenerations(kafka, GenerationFacts::of);
    }

    private static Map<String, TopicFacts> topics(Admin admin, GenerationFacts generations) {
        var wanted = new TreeSet<String>(KAFKAS_OWN);
        ClusterFacts.catalogue(generations.inForce()).stream().map(Topic::name).forEach(wanted::add);
        for (Application application : Application.of(generations)) {
            wanted.add(application.source());
            wanted.addAll(application.changelogs());
        }
        var options = new ListTopicsOptions().listInternal(true);
        wanted.retainAll(KafkaAdmin.get(admin.listTopics(options).names()));
        Map<String, TopicDescription> described = KafkaAdmin.get(admin.describeTopics(wanted).allTopicNames());
        Map<ConfigResource, Config> configs = KafkaAdmin.get(admin.describeConfigs(
                wanted.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList()).all());
        var topics = new HashMap<String, TopicFacts>();
        described.forEach((name, topic) -> topics.put(name, new TopicFacts(name,
                topic.partitions().stream().map(ClusterGathering::partition).toList(),
                settings(configs.get(new ConfigResource(ConfigResource.Type.TOPIC, name))))));
        return topics;
    }

    private static PartitionFacts partition(TopicPartitionInfo info) {
        int leader = info.leader() == null || info.leader().isEmpty() ? UNKNOWN : info.leader().id();
        return new PartitionFacts(info.partition(), leader, ids(info.replicas()), ids(info.isr()));
    }

    private static List<Integer> ids(Collection<Node> nodes) {
        return nodes.stream().map(Node::id).toList();
    }

    private static Map<Integer, Map<String, String>> settingsOf(Admin admin, List<Node> nodes) {
        var resources = nodes.stream()
                .map(node -> new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(node.id()))).toList();
        return KafkaAdmin.get(admin.describeConfigs(resources).all()).entrySet().stream().collect(Collectors
                .toMap(entry -> Integer.parseInt(entry.getKey().name()), entry -> settings(entry.getValue())));
    }

    /** Without those that are secret or have no value. */
    private static Map<String, String> settings(Config config) {
        return config == null
                ? Map.of()
                : config.entries().stream().filter(entry -> entry.value() != null && !entry.isSensitive())
                        .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
    }
}
