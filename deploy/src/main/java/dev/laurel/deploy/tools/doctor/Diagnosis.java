package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Finding.Status;
import dev.laurel.deploy.tools.doctor.check.BrokerSettingsCheck;
import dev.laurel.deploy.tools.doctor.check.BrokersCheck;
import dev.laurel.deploy.tools.doctor.check.ChangelogsCheck;
import dev.laurel.deploy.tools.doctor.check.ClocksCheck;
import dev.laurel.deploy.tools.doctor.check.DirectoryCheck;
import dev.laurel.deploy.tools.doctor.check.GenerationsCheck;
import dev.laurel.deploy.tools.doctor.check.GroupsCheck;
import dev.laurel.deploy.tools.doctor.check.KeysCheck;
import dev.laurel.deploy.tools.doctor.check.LogTimesCheck;
import dev.laurel.deploy.tools.doctor.check.ReplicasCheck;
import dev.laurel.deploy.tools.doctor.check.ReplicationCheck;
import dev.laurel.deploy.tools.doctor.check.RulesetsCheck;
import dev.laurel.deploy.tools.doctor.check.ServersCheck;
import dev.laurel.deploy.tools.doctor.check.TopicSettingsCheck;
import dev.laurel.deploy.tools.doctor.check.TopicsCheck;
import dev.laurel.deploy.tools.doctor.check.TransactionsCheck;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.schemas.serde.Json;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What all checks say together. */
public record Diagnosis(List<Finding> findings) {

    /** The form for machines: {@code {"status": …, "findings": [{"check", "status", "subject", "message", "fix"}]}}. */
    private record Document(Status status, List<Finding> findings) {}

    public Diagnosis {
        findings = List.copyOf(findings);
    }

    /**
     * @param unasked what could not be found out
     * @param clock for the age of things
     */
    public static Diagnosis of(Facts facts, List<Finding> unasked, InstantSource clock) {
        List<Check> checks = List.of(new BrokersCheck(), new BrokerSettingsCheck(), new TopicsCheck(),
                new TopicSettingsCheck(), new LogTimesCheck(), new ReplicationCheck(), new ReplicasCheck(),
                new ChangelogsCheck(), new GenerationsCheck(), new GroupsCheck(), new TransactionsCheck(),
                new ServersCheck(),
                new RulesetsCheck(), new KeysCheck(clock), new ClocksCheck(), new DirectoryCheck());
        var findings = new ArrayList<>(unasked);
        checks.forEach(check -> findings.addAll(check.judge(facts)));
        return new Diagnosis(findings);
    }

    /** The worst that was found. */
    public Status status() {
        return findings.stream().map(Finding::status).max(Comparator.naturalOrder()).orElse(Status.ok);
    }

    /** A line for each finding, and one for all of them. */
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
}
