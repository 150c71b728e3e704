package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Finding.Status;
import dev.laurel.schemas.serde.Json;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The findings of all checks. */
record Diagnosis(List<Finding> findings) {

    /** The JSON form: {@code {"status": …, "findings": [{"check", "status", "subject", "message", "fix"}]}}. */
    private record Document(Status status, List<Finding> findings) {}

    public Diagnosis {
        findings = List.copyOf(findings);
    }

    /**
     * @param unasked findings about facts that could not be collected
     * @param clock clock for ages
     */
    public static Diagnosis of(Facts facts, List<Finding> unasked, InstantSource clock) {
        List<Check> checks = List.of(new BrokerChecks.BrokersCheck(), new BrokerChecks.BrokerSettingsCheck(),
                new TopicChecks.TopicsCheck(),
                new TopicChecks.TopicSettingsCheck(), new TopicChecks.LogTimesCheck(),
                new ReplicaChecks.ReplicationCheck(), new ReplicaChecks.ReplicasCheck(),
                new ApplicationChecks.ChangelogsCheck(), new ApplicationChecks.GenerationsCheck(),
                new ApplicationChecks.GroupsCheck(), new ApplicationChecks.TransactionsCheck(),
                new ServerChecks.ServersCheck(),
                new ServerChecks.RulesetsCheck(), new ServerChecks.KeysCheck(clock), new BrokerChecks.ClocksCheck(),
                new ServerChecks.DirectoryCheck());
        var findings = new ArrayList<>(unasked);
        checks.forEach(check -> findings.addAll(check.judge(facts)));
        return new Diagnosis(findings);
    }

    /** Returns the worst status. */
    public Status status() {
        return findings.stream().map(Finding::status).max(Comparator.naturalOrder()).orElse(Status.ok);
    }

    /** Returns a line per finding and a summary. */
    public String lines() {
        var text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(String.format("%-4s  %-15s  ", finding.status(), finding.check()));
            if (!finding.subject().isEmpty()) {
                text.append(finding.subject()).append(": ");
            }
            text.append(finding.message());
            if (finding.fix() != null) {
                text.append("  → ").append(finding.fix());
            }
            text.append('\n');
        }
        return text.append(count(Status.fail)).append(" failed, ").append(count(Status.warn)).append(" to look at, ")
                .append(count(Status.ok)).append(" in order\n").toString();
    }

    private long count(Status status) {
        return findings.stream().filter(finding -> finding.status() == status).count();
    }

    public String json() {
        return new String(Json.write(new Document(status(), findings)), StandardCharsets.UTF_8);
    }

    /**
     * Evaluates the collected facts; a pure function. Returns one finding {@code ok}, or one finding per problem, or
     * none if there are no facts to evaluate.
     */
    public interface Check {

        List<Finding> judge(Facts facts);
    }
}
