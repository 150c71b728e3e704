package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.GenerationFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.LagFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.MemberFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.OpenTransactionFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.PartitionFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.StreamsApplication;
import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/** Facts of a deployment without problems, with three brokers and two partitions of users, for tests to modify. */
@SuppressWarnings("overloads") // the parameters of a check that is named tell of which kind it is
final class Deployment {

    static final String BROKERS = "b1:9092,b2:9092";
    static final int USERS = 2;

    final List<BrokerFacts> brokers = new ArrayList<>();
    final Map<String, TopicFacts> topics = new HashMap<>();
    final Map<String, GroupFacts> groups = new HashMap<>();
    final List<OpenTransactionFacts> openTransactions = new ArrayList<>();
    final List<Facts.ServerFacts> servers = new ArrayList<>();
    GenerationFacts generations = GenerationFacts.FIRST;
    Instant at = Instant.EPOCH;
    Facts.KeyFacts key;
    Facts.DirectoryFacts directory;

    Deployment() {
        for (int id = 1; id <= 3; id++) {
            brokers.add(new BrokerFacts(
                    id,
                    "b" + id + ":9092",
                    25,
                    Map.of(
                            "offsets.retention.minutes",
                            "5256000",
                            "group.min.session.timeout.ms",
                            "6000",
                            "transaction.state.log.replication.factor",
                            "3",
                            "transaction.state.log.min.isr",
                            "2",
                            "offsets.topic.replication.factor",
                            "3",
                            "default.replication.factor",
                            "3"),
                    new ClusterFacts.ClockFacts(-2, 3)));
        }
        for (Topic<?, ?> topic : Topics.all()) {
            var settings = new HashMap<>(topic.config());
            settings.putIfAbsent("cleanup.policy", "delete");
            put(topic.name(), topic.partitioning() == Topic.Partitioning.ONE ? 1 : USERS, settings);
        }
        set(Topics.COMMANDS.name(), "message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
        set(Topics.COMMANDS.name(), "message.timestamp.after.max.ms", "3600000");
        for (StreamsApplication application : StreamsApplication.of(GenerationFacts.FIRST)) {
            application
                    .changelogs()
                    .forEach(changelog -> put(
                            changelog,
                            USERS,
                            Map.of(
                                    "cleanup.policy",
                                    "compact",
                                    "max.message.bytes",
                                    Integer.toString(Topics.MAX_RECORD_BYTES))));
            groups.put(
                    application.id(), group(application, "Stable", 5, member(application, 0), member(application, 1)));
        }
    }

    private void put(String topic, int partitions, Map<String, String> settings) {
        topics.put(
                topic,
                new TopicFacts(
                        topic,
                        IntStream.range(0, partitions)
                                .mapToObj(Deployment::partition)
                                .toList(),
                        settings));
        set(topic, "min.insync.replicas", "2");
    }

    static PartitionFacts partition(int number) {
        return new PartitionFacts(number, 1, List.of(1, 2, 3), List.of(1, 2, 3));
    }

    static MemberFacts member(StreamsApplication application, int... partitions) {
        return new MemberFacts(
                "node-1",
                "/10.0.0.1",
                IntStream.of(partitions)
                        .mapToObj(number -> application.source() + "-" + number)
                        .toList());
    }

    static GroupFacts group(StreamsApplication application, String state, long lag, MemberFacts... members) {
        return new GroupFacts(
                application.id(),
                state,
                List.of(members),
                IntStream.range(0, USERS)
                        .mapToObj(number -> new LagFacts(application.source(), number, 100, 100 + lag))
                        .toList());
    }

    void set(String topic, String name, String value) {
        TopicFacts before = topics.get(topic);
        var settings = new HashMap<>(before.settings());
        settings.put(name, value);
        topics.put(topic, new TopicFacts(topic, before.partitions(), settings));
    }

    void partitions(String topic, List<PartitionFacts> partitions) {
        topics.put(topic, new TopicFacts(topic, partitions, topics.get(topic).settings()));
    }

    /** Removes all brokers but the first, which has the only copy. */
    void shrink() {
        brokers.subList(1, 3).clear();
        topics.replaceAll((name, topic) -> new TopicFacts(
                name,
                topic.partitions().stream()
                        .map(partition -> new PartitionFacts(partition.number(), 1, List.of(1), List.of(1)))
                        .toList(),
                topic.settings()));
        topics.keySet().forEach(topic -> set(topic, "min.insync.replicas", "1"));
    }

    /** Widens the log from two partitions to four, while clients may still write to the former log. */
    void grow() {
        var wide = GenerationRecord.claimed(Generation.wider(2), List.of(), Topics.COMMANDS.name())
                .promoted(List.of(4L, 4L))
                .inForce(List.of(2L, 2L, 2L, 2L));
        generations = new GenerationFacts(wide.generation(), List.of(wide));
    }

    Facts facts() {
        return new Facts(
                at,
                new ClusterFacts(generations, brokers, topics, groups, openTransactions),
                servers,
                key,
                directory,
                new RepairCommands(BROKERS, null));
    }

    List<Finding> findingsOf(Diagnosis.Check check) {
        Facts facts = facts();
        var findings = new Findings("check", facts.repair());
        check.evaluate(facts, findings);
        return findings.all();
    }

    List<Finding> findingsOf(BiConsumer<ClusterFacts, Findings> check) {
        return findingsOf((Facts facts, Findings findings) -> check.accept(facts.cluster(), findings));
    }
}
