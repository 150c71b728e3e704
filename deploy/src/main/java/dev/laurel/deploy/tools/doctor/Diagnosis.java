package dev.laurel.deploy.tools.doctor;

import static java.util.Map.entry;

import dev.laurel.deploy.cli.Terminal;
import dev.laurel.deploy.tools.doctor.Findings.Finding;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.schemas.serde.Json;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The findings of all checks. */
record Diagnosis(List<Finding> findings) {

    /**
     * Evaluates the collected facts, without any input or output. Adds one finding {@code ok}, or one per problem, or none if there are no
     * facts to evaluate.
     */
    interface Check {
        void evaluate(Facts facts, Findings findings);
    }

    /** By name; scripts depend on the names. In the order of the output. */
    private static final List<Map.Entry<String, Check>> CHECKS = List.of(
            ofCluster("brokers", BrokerChecks::brokers),
            ofCluster("broker-settings", BrokerChecks::settings),
            ofCluster("topics", TopicChecks::topics),
            ofCluster("topic-settings", TopicChecks::settings),
            ofCluster("log-times", TopicChecks::logTimes),
            ofCluster("replication", ReplicaChecks::replication),
            ofCluster("replicas", ReplicaChecks::replicas),
            ofCluster("changelogs", ApplicationChecks::changelogs),
            ofCluster("generations", ApplicationChecks::generations),
            ofCluster("groups", ApplicationChecks::groups),
            ofCluster("transactions", ApplicationChecks::transactions),
            entry("servers", ServerChecks::servers),
            entry("rulesets", ServerChecks::rulesets),
            entry("keys", ServerChecks::keys),
            entry("clocks", BrokerChecks::clocks),
            entry("directory", ServerChecks::directory));

    private static Map.Entry<String, Check> ofCluster(String name, BiConsumer<ClusterFacts, Findings> check) {
        return entry(name, (facts, findings) -> {
            if (facts.cluster() != null) {
                check.accept(facts.cluster(), findings);
            }
        });
    }

    /** The JSON form: {@code {"status": …, "findings": [{"check", "status", "subject", "message", "fix"}]}}. */
    private record Document(Status status, List<Finding> findings) {}

    /** @param notCollected findings about facts that could not be collected */
    static Diagnosis of(Facts facts, List<Finding> notCollected) {
        var all = new ArrayList<>(notCollected);
        CHECKS.forEach(check -> {
            var findings = new Findings(check.getKey(), facts.repair());
            check.getValue().evaluate(facts, findings);
            all.addAll(findings.all());
        });
        return new Diagnosis(all);
    }

    /**
     * Examines Kafka, and evaluates it together with what was collected about processes.
     *
     * @param readOnly whether to skip the clocks of brokers, for which a topic is created and deleted
     * @param kafkaConfig file with client properties, for commands that are shown; null: none
     * @param key null: no key is known
     * @param directory data directory on this machine; null: none
     */
    static Diagnosis examine(
            KafkaAccess kafka,
            boolean readOnly,
            @Nullable String kafkaConfig,
            List<Facts.ServerFacts> servers,
            Facts.@Nullable KeyFacts key,
            @Nullable Path directory) {
        ClusterInspector.Inspection cluster = new ClusterInspector(kafka, readOnly).gather();
        var facts = new Facts(
                Instant.now(),
                cluster.facts(),
                servers,
                key,
                directory == null ? null : Facts.DirectoryFacts.of(directory),
                new RepairCommands(kafka.bootstrapServers(), kafkaConfig));
        return of(facts, cluster.findings());
    }

    /** Returns the worst status. */
    Status status() {
        return findings.stream()
                .map(Finding::status)
                .max(Comparator.naturalOrder())
                .orElse(Status.ok);
    }

    /** Returns a line per finding and a summary. */
    String lines() {
        var text = new StringBuilder();
        for (Finding finding : findings) {
            String subject = finding.subject().isEmpty() ? "" : finding.subject() + ": ";
            String fix = finding.fix() == null ? "" : "  → " + finding.fix();
            text.append(String.format("%-4s  %-15s  ", finding.status(), finding.check()))
                    .append(Terminal.visible(subject + finding.message() + fix))
                    .append('\n');
        }
        return text.append("fail: ")
                .append(count(Status.fail))
                .append(", warn: ")
                .append(count(Status.warn))
                .append(", ok: ")
                .append(count(Status.ok))
                .append('\n')
                .toString();
    }

    private long count(Status status) {
        return findings.stream().filter(finding -> finding.status() == status).count();
    }

    String json() {
        return Json.text(new Document(status(), findings));
    }
}
