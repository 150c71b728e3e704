package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.Finding.Status;
import dev.laurel.deploy.tools.doctor.facts.Application;
import dev.laurel.deploy.tools.doctor.facts.ClockFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.HeldFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.LagFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.MemberFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.PartitionFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.facts.DirectoryFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.deploy.tools.doctor.facts.GenerationFacts;
import dev.laurel.deploy.tools.doctor.facts.KafkaTools;
import dev.laurel.deploy.tools.doctor.facts.KeyFacts;
import dev.laurel.deploy.tools.doctor.facts.ServerFacts;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Facts of a deployment in which everything is in order, until a test changes something: three brokers, two partitions of users. */
final class Deployment {

    static final String BROKERS = "b1:9092,b2:9092";
    static final int USERS = 2;

    final List<BrokerFacts> brokers = new ArrayList<>();
    final Map<String, TopicFacts> topics = new HashMap<>();
    final Map<String, GroupFacts> groups = new HashMap<>();
    final List<HeldFacts> held = new ArrayList<>();
    final List<ServerFacts> servers = new ArrayList<>();
    GenerationFacts generations = GenerationFacts.FIRST;
    KeyFacts key;
    DirectoryFacts directory;

    Deployment() {
        for (int id = 1; id <= 3; id++) {
            brokers.add(new BrokerFacts(id, "b" + id + ":9092", 25,
                    Map.of("offsets.retention.minutes", "5256000", "group.min.session.timeout.ms", "6000",
                            "transaction.state.log.replication.factor", "3", "transaction.state.log.min.isr", "2",
                            "offsets.topic.replication.factor", "3", "default.replication.factor", "3"),
                    new ClockFacts(-2, 3)));
        }
        for (Topic<?, ?> topic : Topics.all()) {
            var settings = new HashMap<>(topic.config());
            settings.putIfAbsent("cleanup.policy", "delete");
            put(topic.name(), topic.partitioning() == Topic.Partitioning.ONE ? 1 : USERS, settings);
        }
        set(Topics.COMMANDS.name(), "message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
        set(Topics.COMMANDS.name(), "message.timestamp.after.max.ms", "3600000");
        for (Application application : Application.of(Generation.FIRST)) {
            application.changelogs().forEach(changelog -> put(changelog, USERS,
                    Map.of("cleanup.policy", "compact", "max.message.bytes",
                            Integer.toString(Topics.MAX_RECORD_BYTES))));
            groups.put(application.id(),
                    group(application, "Stable", 5, member(application, 0), member(application, 1)));
        }
    }

    private void put(String topic, int partitions, Map<String, String> settings) {
        topics.put(topic, new TopicFacts(topic,
                IntStream.range(0, partitions).mapToObj(Deployment::partition).toList(), settings));
        set(topic, "min.insync.replicas", "2");
    }

    static PartitionFacts partition(int number) {
        return new PartitionFacts(number, 1, List.of(1, 2, 3), List.of(1, 2, 3));
    }

    static MemberFacts member(Application application, int... partitions) {
        return new MemberFacts("member", "/10.0.0.1",
                IntStream.of(partitions).mapToObj(number -> application.source() + "-" + number).toList());
    }

    static GroupFacts group(Application application, String state, long lag, MemberFacts... members) {
        return new GroupFacts(application.id(), state, List.of(members), IntStream.range(0, USERS)
                .mapToObj(number -> new LagFacts(application.source(), number, 100, 100 + lag)).toList());
    }

    void set(String topic, String name, String value) {
        TopicFacts before = topics.get(topic);
        var settings = new HashMap<>(before.settings());
        settings.put(name, value);
        topics.put(topic, new TopicFacts(topic, before.partitions(), settings));
    }

    void partitions(String topic, PartitionFacts... partitions) {
        topics.put(topic, new TopicFacts(topic, List.of(partitions), topics.get(topic).settings()));
    }

    /** Only the first broker is left, with the only copy. */
    void shrink() {
        brokers.subList(1, 3).clear();
        topics.replaceAll((name, topic) -> new TopicFacts(name,
                topic.partitions().stream()
                        .map(partition -> new PartitionFacts(partition.number(), 1, List.of(1), List.of(1))).toList(),
                topic.settings()));
        topics.keySet().forEach(topic -> set(topic, "min.insync.replicas", "1"));
    }

    /** A log of two partitions has grown to four, and clients may still write to the former one. */
    void grow() {
        var wide = GenerationRecord.claimed(Generation.wider(2), List.of(), Topics.COMMANDS.name())
                .promoted(List.of(4L, 4L)).inForce(List.of(2L, 2L, 2L, 2L));
        generations = new GenerationFacts(wide.generation(), List.of(wide));
    }

    Facts facts() {
        return new Facts(new ClusterFacts(generations, brokers, topics, groups, held), servers, key, directory,
                new KafkaTools(BROKERS, null));
    }

    /** What a check says of it. */
    List<Finding> judgedBy(Check check) {
        return check.judge(facts());
    }

    /** It says only that this is in order. */
    void expectOk(Check check, String... messages) {
        List<Finding> findings = judgedBy(check);
        assertEquals(List.of(messages), findings.stream().map(Finding::message).toList());
        findings.forEach(finding -> {
            assertEquals(Status.ok, finding.status());
            assertNull(finding.fix());
        });
    }

    /** It says only this. */
    void expectOnly(Check check, Status status, String subject, String message, String fix) {
        List<Finding> findings = judgedBy(check);
        assertEquals(1, findings.size(),
                () -> findings.stream().map(Finding::toString).collect(Collectors.joining("\n")));
        Finding only = findings.getFirst();
        assertEquals(new Finding(only.check(), status, subject, message, fix), only);
    }
}
