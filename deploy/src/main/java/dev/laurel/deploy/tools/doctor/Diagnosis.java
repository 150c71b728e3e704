package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.cli.Terminal;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.deploy.tools.doctor.Findings.Finding;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.schemas.serde.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The findings of all checks. */
record Diagnosis(List<Finding> findings) {

    /**
     * Evaluates the collected facts; a pure function. Returns one finding {@code ok}, or one finding per problem, or
     * none if there are no facts to evaluate.
     */
    interface Check {
        List<Finding> evaluate(Facts facts);
    }

    /** A check of the cluster alone, like {@link Check}. */
    interface ClusterCheck {
        List<Finding> evaluate(ClusterFacts cluster, RepairCommands repair);
    }

    private static final List<ClusterCheck> CLUSTER_CHECKS = List.of(BrokerChecks::brokers, BrokerChecks::settings,
            TopicChecks::topics, TopicChecks::settings, TopicChecks::logTimes, ReplicaChecks::replication,
            ReplicaChecks::replicas, ApplicationChecks::changelogs, ApplicationChecks::generations,
            ApplicationChecks::groups, ApplicationChecks::transactions);

    /** The JSON form: {@code {"status": …, "findings": [{"check", "status", "subject", "message", "fix"}]}}. */
    private record Document(Status status, List<Finding> findings) {}

    Diagnosis {
        findings = List.copyOf(findings);
    }

    /**
     * @param notCollected findings about facts that could not be collected
     * @param clock clock for ages
     */
    static Diagnosis of(Facts facts, List<Finding> notCollected, InstantSource clock) {
        var findings = new ArrayList<>(notCollected);
        ClusterFacts cluster = facts.cluster();
        if (cluster != null) {
            CLUSTER_CHECKS.forEach(check -> findings.addAll(check.evaluate(cluster, facts.repair())));
        }
        List<Check> checks = List.of(ServerChecks::servers, ServerChecks::rulesets,
                given -> ServerChecks.keys(given, clock.instant()), BrokerChecks::clocks, ServerChecks::directory);
        checks.forEach(check -> findings.addAll(check.evaluate(facts)));
        return new Diagnosis(findings);
    }

    /**
     * Examines Kafka, and evaluates it together with what was collected about processes.
     *
     * @param readOnly whether to skip the clocks of brokers, for which a topic is created and deleted
     * @param kafkaConfig file with client properties, for commands that are shown; null: none
     * @param key null: no key is known
     * @param directory data directory on this machine; null: none
     */
    static Diagnosis examine(KafkaAccess kafka, boolean readOnly, @Nullable String kafkaConfig,
            List<Facts.ServerFacts> servers, Facts.@Nullable KeyFacts key, @Nullable Path directory) {
        ClusterInspector.Inspection cluster = new ClusterInspector(kafka, readOnly).gather();
        var facts = new Facts(cluster.facts(), servers, key,
                directory == null ? null : DirectoryInspector.gather(directory),
                new RepairCommands(kafka.bootstrapServers(), kafkaConfig));
        return of(facts, cluster.findings(), InstantSource.system());
    }

    /** Returns the worst status. */
    Status status() {
        return findings.stream().map(Finding::status).max(Comparator.naturalOrder()).orElse(Status.ok);
    }

    /** Returns a line per finding and a summary. */
    String lines() {
        var text = new StringBuilder();
        for (Finding finding : findings) {
            String subject = finding.subject().isEmpty() ? "" : finding.subject() + ": ";
            String fix = finding.fix() == null ? "" : "  → " + finding.fix();
            text.append(String.format("%-4s  %-15s  ", finding.status(), finding.check()))
                    .append(Terminal.visible(subject + finding.message() + fix)).append('\n');
        }
        return text.append("fail: ").append(count(Status.fail)).append(", warn: ").append(count(Status.warn))
                .append(", ok: ").append(count(Status.ok)).append('\n').toString();
    }

    private long count(Status status) {
        return findings.stream().filter(finding -> finding.status() == status).count();
    }

    String json() {
        return new String(Json.write(new Document(status(), findings)), StandardCharsets.UTF_8);
    }
}
