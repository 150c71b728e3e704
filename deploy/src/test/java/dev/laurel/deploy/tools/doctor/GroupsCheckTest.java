package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.StreamsApplication;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.deploy.tools.doctor.Findings.Finding;
import dev.laurel.schemas.topic.Generation;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class GroupsCheckTest {

    private static final StreamsApplication LEDGER = StreamsApplication.of(Generation.FIRST)
            .getFirst();

    private final Deployment deployment = new Deployment();

    private List<Finding> ledger(GroupFacts group) {
        deployment.groups.put(LEDGER.id(), group);
        return deployment.findingsOf(ApplicationChecks::groups).stream()
                .filter(finding -> finding.subject().equals(LEDGER.id())).toList();
    }

    private void expect(GroupFacts group, Status status, String message) {
        List<Finding> findings = ledger(group);
        assertEquals(1, findings.size(), findings::toString);
        assertEquals(status, findings.getFirst().status());
        assertEquals(message, findings.getFirst().message());
    }

    @Test
    void shouldAcceptGroupThatReadsAllPartitions() {
        String message = "2 members, 10 records behind";
        deployment.expectOk(ApplicationChecks::groups, message, message, message, message);
    }

    @Test
    void shouldWarnIfApplicationHasNeverRun() {
        deployment.groups.remove(LEDGER.id());

        Finding finding = Diagnosis.of(deployment.facts(), List.of()).findings().stream()
                .filter(one -> one.check().equals("groups")).findFirst().orElseThrow();
        assertEquals(new Finding("groups", Status.warn, "laurel-ledger", "has never run",
                "deploy/laurel node --kafka " + Deployment.BROKERS), finding);
    }

    @Test
    void shouldFailIfGroupIsEmpty() {
        expect(Deployment.group(LEDGER, "Empty", 5), Status.fail, "no process runs it");
    }

    @Test
    void shouldWarnDuringRebalance() {
        expect(Deployment.group(LEDGER, "PreparingRebalance", 5, Deployment.member(LEDGER)), Status.warn,
                "is in state PreparingRebalance: partitions are being assigned");
    }

    @Test
    void shouldFailIfPartitionIsNotRead() {
        expect(Deployment.group(LEDGER, "Stable", 5, Deployment.member(LEDGER, 0)), Status.fail,
                "no member reads laurel.commands-1");
    }

    @Test
    void shouldWarnOfIdleThreads() {
        expect(Deployment.group(LEDGER, "Stable", 5, Deployment.member(LEDGER, 0, 1), Deployment.member(LEDGER)),
                Status.warn, "1 of 2 stream threads have no partition, at /10.0.0.1");
    }

    @Test
    void shouldWarnOfLargeLagByPartition() {
        expect(Deployment.group(LEDGER, "Stable", 20_000, Deployment.member(LEDGER, 0, 1)), Status.warn,
                "laurel.commands-0 is 20000 records behind, laurel.commands-1 is 20000 records behind");
    }
}
