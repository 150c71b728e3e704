package dev.laurel.deploy.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.GenerationFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.MemberFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.OpenTransactionFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.PartitionFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.StreamsApplication;
import dev.laurel.deploy.tools.doctor.Findings.Finding;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** What each check finds in a deployment. Most cases are in {@code checks.yaml}. */
final class ChecksTest {

    private static final StreamsApplication LEDGER =
            StreamsApplication.of(Generation.FIRST).getFirst();

    /** Checks that judge each of their objects; the others find all well or have problems. */
    private static final Set<String> ONE_BY_ONE = Set.of("groups", "servers");

    private final Deployment deployment = new Deployment();

    private record Case(String name, String check, Given given, List<String> ok, List<Problem> problems) {}

    /** A finding whose {@code fix} is at least its beginning; null: the case does not say it. */
    private record Problem(String warn, String fail, String message, String fix) {

        boolean is(Finding finding) {
            Status status = warn == null ? Status.fail : Status.warn;
            return finding.status() == status
                    && finding.subject().equals(warn == null ? fail : warn)
                    && finding.message().equals(message)
                    && finding.fix() != null
                    && (fix == null || finding.fix().startsWith(fix));
        }
    }

    /** State and members of the group of the ledger, with the partitions that each has. @param lag in records of each partition */
    private record Group(String state, long lag, List<List<Integer>> members) {}

    private record Key(String status, Instant created, Instant lastUsed) {}

    /**
     * Changes of a healthy deployment; null: none.
     *
     * @param brokers in place of those of the same id
     * @param withoutTopics a pattern of names
     * @param partitions numbers of partitions that are healthy
     * @param copiedTopics further topics, and those that they are like
     * @param next state of a second generation: IN_FORCE has a wider log
     * @param adminKey the only one of a server
     */
    private record Given(
            boolean oneBroker,
            List<BrokerFacts> brokers,
            Map<String, String> brokerSettings,
            String withoutTopics,
            Map<String, Map<String, String>> topicSettings,
            Map<String, Integer> partitions,
            Map<String, List<PartitionFacts>> partitionFacts,
            Map<String, String> copiedTopics,
            String withoutGroups,
            Group ledger,
            State next,
            List<OpenTransactionFacts> openTransactions,
            List<Facts.ServerFacts> servers,
            Key adminKey,
            Facts.KeyFacts key,
            Facts.DirectoryFacts directory) {

        void applyTo(Deployment deployment) {
            if (oneBroker) {
                deployment.shrink();
            }
            if (brokers != null) {
                brokers.forEach(broker -> deployment.brokers.set(broker.id() - 1, broker));
            }
            if (brokerSettings != null) {
                deployment.brokers.replaceAll(broker -> {
                    var settings = new HashMap<>(broker.settings());
                    settings.putAll(brokerSettings);
                    return new BrokerFacts(broker.id(), broker.address(), broker.level(), settings, broker.clock());
                });
            }
            if (withoutTopics != null) {
                deployment.topics.keySet().removeIf(name -> name.matches(withoutTopics));
            }
            if (topicSettings != null) {
                topicSettings.forEach(
                        (topic, settings) -> settings.forEach((name, value) -> deployment.set(topic, name, value)));
            }
            if (partitions != null) {
                partitions.forEach((topic, count) -> deployment.partitions(
                        topic,
                        IntStream.range(0, count)
                                .mapToObj(Deployment::partition)
                                .toList()));
            }
            if (partitionFacts != null) {
                partitionFacts.forEach(deployment::partitions);
            }
            if (copiedTopics != null) {
                copiedTopics.forEach((name, like) -> deployment.topics.put(name, deployment.topics.get(like)));
            }
            if (withoutGroups != null) {
                deployment.groups.keySet().removeIf(name -> name.matches(withoutGroups));
            }
            if (ledger != null) {
                deployment.groups.put(LEDGER.id(), group());
            }
            if (next != null) {
                addGeneration(deployment);
            }
            if (openTransactions != null) {
                deployment.openTransactions.addAll(openTransactions);
            }
            if (servers != null) {
                deployment.servers.addAll(servers);
            }
            if (adminKey != null) {
                deployment.servers.add(new Facts.ServerFacts(
                        "http://n1",
                        null,
                        200,
                        200,
                        null,
                        200,
                        null,
                        null,
                        List.of(new AdminKeyBody(
                                UUID.fromString("0af76519-16cd-43dd-8448-eb211c80319c"),
                                "CI",
                                "abcdefgh",
                                "admin",
                                null,
                                adminKey.status(),
                                adminKey.created(),
                                Optional.empty(),
                                adminKey.lastUsed())),
                        0));
            }
            deployment.key = key;
            deployment.directory = directory;
        }

        private GroupFacts group() {
            return Deployment.group(
                    LEDGER,
                    ledger.state(),
                    ledger.lag(),
                    ledger.members().stream()
                            .map(assigned -> Deployment.member(
                                    LEDGER,
                                    assigned.stream().mapToInt(number -> number).toArray()))
                            .toArray(MemberFacts[]::new));
        }

        private void addGeneration(Deployment deployment) {
            switch (next) {
                case BUILDING, FOLLOWED ->
                    deployment.generations = new GenerationFacts(
                            Generation.FIRST,
                            List.of(GenerationRecord.claimed(Generation.of(2), List.of(), null)
                                    .in(next)));
                case PROMOTED ->
                    deployment.generations = new GenerationFacts(
                            Generation.FIRST,
                            List.of(GenerationRecord.claimed(Generation.wider(2), List.of(), "laurel.commands")
                                    .promoted(List.of(4L, 4L))));
                case IN_FORCE -> deployment.grow();
                case OVER -> throw new IllegalArgumentException("nothing is left of it");
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldFindWhatTheCasesSay() throws IOException {
        var mapper = YAMLMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
        try (InputStream in = ChecksTest.class.getResourceAsStream("checks.yaml")) {
            List<Case> cases = mapper.readValue(in, new TypeReference<>() {});
            return cases.stream().map(one -> DynamicTest.dynamicTest(one.check() + ": " + one.name(), () -> run(one)));
        }
    }

    private static void run(Case one) {
        var deployment = new Deployment();
        deployment.at = Instant.parse("2027-06-01T00:00:00Z");
        if (one.given() != null) {
            one.given().applyTo(deployment);
        }
        List<Finding> findings = Diagnosis.of(deployment.facts(), List.of()).findings().stream()
                .filter(finding -> finding.check().equals(one.check()))
                .toList();

        if (one.ok() != null) {
            assertEquals(
                    one.ok().stream()
                            .map(text -> text.replace("ALL", Integer.toString(deployment.topics.size()))
                                    .replace(
                                            "PUBLIC",
                                            Integer.toString(deployment
                                                    .facts()
                                                    .cluster()
                                                    .catalogue()
                                                    .size())))
                            .toList(),
                    findings.stream().map(Finding::message).toList());
            assertTrue(findings.stream().allMatch(finding -> finding.status() == Status.ok && finding.fix() == null));
        } else {
            List<Finding> problems = findings.stream()
                    .filter(finding -> finding.status() != Status.ok)
                    .toList();
            assertTrue(ONE_BY_ONE.contains(one.check()) || problems.size() == findings.size(), findings::toString);
            assertEquals(one.problems().size(), problems.size(), findings::toString);
            for (int i = 0; i < problems.size(); i++) {
                assertTrue(one.problems().get(i).is(problems.get(i)), problems::toString);
            }
        }
    }

    @Test
    void shouldReturnNothingWithoutCluster() {
        var facts = new Facts(Instant.EPOCH, null, List.of(), null, null, new RepairCommands(Deployment.BROKERS, null));

        assertEquals(List.of(), Diagnosis.of(facts, List.of()).findings());
    }

    @Test
    void shouldReportAllTopicsOfEmptyCluster() {
        deployment.topics.clear();

        var findings = deployment.findingsOf(TopicChecks::topics);
        assertEquals(Topics.all().size(), findings.size());
        assertEquals(
                "deploy/laurel topics create --kafka " + Deployment.BROKERS,
                findings.getFirst().fix());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        laurel.commands | retention.ms           | 604800000     | -1            | fail | : the log is the whole input, and deleted records are lost
        laurel.commands | cleanup.policy         | compact       | delete        | fail | : the log is the whole input, and deleted records are lost
        laurel.commands | message.timestamp.type | LogAppendTime | CreateTime    | fail | : the time of a record is the time of its event
        laurel.commands | max.message.bytes      | 1048588       | 4194304       | fail | ''
        laurel.direct   | retention.ms           | 604800000     | -1            | fail | : what is not in the log yet would be lost, or would count at another time
        laurel.direct   | message.timestamp.type | LogAppendTime | CreateTime    | fail | : what is not in the log yet would be lost, or would count at another time
        laurel.access   | cleanup.policy         | delete        | compact       | fail | ''
        laurel.effects  | retention.ms           | 86400000      | 2592000000    | warn | ''
        laurel.outbox   | message.timestamp.type | CreateTime    | LogAppendTime | warn | : retention must begin at arrival, otherwise imported history is deleted at once
        """)
    void shouldReportSettingThatLosesData(
            String topic, String setting, String actual, String wanted, Status status, String why) {
        deployment.set(topic, setting, actual);

        assertEquals(
                List.of(new Finding(
                        "check",
                        status,
                        topic,
                        setting + " is " + actual + ", must be " + wanted + why,
                        "kafka-configs.sh --bootstrap-server " + Deployment.BROKERS + " --alter --entity-type topics"
                                + " --entity-name " + topic + " --add-config " + setting + "=" + wanted)),
                deployment.findingsOf(TopicChecks::settings));
    }

    @ParameterizedTest
    @CsvSource({
        "laurel.effects,retention.ms,-1",
        "laurel.effects,retention.ms,9999999999",
        "laurel.effects,max.message.bytes,8388608"
    })
    void shouldAcceptLargerLimits(String topic, String setting, String actual) {
        deployment.set(topic, setting, actual);

        assertEquals(
                List.of(Topics.all().size() + " topics have the required settings"),
                deployment.findingsOf(TopicChecks::settings).stream()
                        .map(Finding::message)
                        .toList());
    }

    /** Otherwise a stopped copier would go unnoticed, and records of old clients would not be copied. */
    @Test
    void shouldIncludeCopierWhileItIsNeeded() {
        deployment.grow();

        StreamsApplication copier = deployment.facts().cluster().applications().getLast();
        assertEquals(new StreamsApplication("laurel-widen-g2", "copier", "laurel.commands", List.of()), copier);
    }

    @Test
    void shouldCheckStoresOfAllApplications() {
        assertEquals(
                List.of(
                        "counters",
                        "idempotency-keys",
                        "metric-days",
                        "partition-state",
                        "points-ledger",
                        "streak-periods",
                        "timers",
                        "users"),
                LEDGER.stores());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        200 | 200 | 200 | ok   | is ready and accepts the admin key
        200 | 200 | 404 | ok   | is ready and accepts the admin key
        200 | 200 | 405 | ok   | is ready and accepts the admin key
        200 | 200 | 401 | fail | does not accept the admin key
        200 | 200 | 403 | fail | refuses the key: This is so.
        200 | 200 | 0   | warn | is ready; nothing else was checked, because there is no admin key
        200 | 503 | 200 | fail | is not ready: answers 503 to /readyz
        404 | 404 | 404 | fail | answers 404 to /healthz
        """)
    void shouldEvaluateResponses(int health, int ready, int key, Status status, String message) {
        deployment.servers.add(new Facts.ServerFacts(
                "http://n1:8080", null, health, ready, null, key, key == 403 ? "This is so." : null, null, null, 0));

        var finding = deployment.findingsOf(ServerChecks::servers).getFirst();
        assertEquals(status, finding.status());
        assertEquals(message, finding.message());
        assertEquals(status == Status.ok, finding.fix() == null);
    }

    @ParameterizedTest
    @CsvSource({
        "operator.M3SUuLURJbdymb77ghBNHgu4u2pJIIPNjc51ugLY20Gy,false",
        "operator.0f3a9c41d27be8560f1e2d3c4b5a69788796a5b4c3d2e1f0,false",
        "operator.changeme-changeme-changeme-changeme-changeme,true",
        "operator.0123456789abcdef0123456789abcdef0123456789abcdef,true",
        "operator.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb,true"
    })
    void shouldRecognizeGuessableKey(String text, boolean isGuessable) {
        assertEquals(new Facts.KeyFacts("operator", isGuessable), Facts.KeyFacts.of(text));
    }

    @Test
    void shouldAllowForLatencyAndResolutionOfClocks() {
        // The server shows whole seconds: this one had begun 900 ms before, and the response took 400 ms.
        assertEquals(
                0, ClusterFacts.ClockFacts.of(10_000, 1_000, 10_900, 11_300).offMs());
        assertEquals(
                700, ClusterFacts.ClockFacts.of(12_000, 1_000, 10_900, 11_300).offMs());
        assertEquals(
                900, ClusterFacts.ClockFacts.of(9_000, 1_000, 10_900, 11_300).offMs());
    }
}
