package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.Finding.Status;
import dev.laurel.schemas.topic.Generation;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class GroupsCheckTest {

    private static final ClusterFacts.StreamsApplication LEDGER = ClusterFacts.StreamsApplication.of(Generation.FIRST)
            .getFirst();

    private final Deployment deployment = new Deployment();

    private List<Finding> ledger(GroupFacts group) {
        deployment.groups.put(LEDGER.id(), group);
        return deployment.judgedBy(new ApplicationChecks.GroupsCheck()).stream()
                .filter(finding -> finding.subject().equals(LEDGER.id())).toList();
    }

    private void expect(GroupFacts group, Status status, String message) {
        List<Finding> findings = ledger(group);
        assertEquals(1, findings.size(), findings::toString);
        assertEquals(status, findings.getFirst().status());
        assertEquals(message, findings.getFirst().message());
    }

    @Test
    void shouldAcceptMembersThatReadEverything() {
        String message = "2 members, 10 records behind";
        deployment.expectOk(new ApplicationChecks.GroupsCheck(), message, message, message);
    }

    @Test
    void shouldWarnOfAnApplicationThatHasNeverRun() {
        deployment.groups.remove(LEDGER.id());

        Finding finding = deployment.judgedBy(new ApplicationChecks.GroupsCheck()).getFirst();
        assertEquals(Finding.warn("groups", "laurel-ledger", "has never run",
                "deploy/laurel node --kafka " + Deployment.BROKERS), finding);
    }

    @Test
    void shouldFailWhereNobodyIsLeft() {
        expect(Deployment.group(LEDGER, "Empty", 5), Status.fail, "nobody runs it");
    }

    @Test
    void shouldWarnWhilePartitionsAreGivenOut() {
        expect(Deployment.group(LEDGER, "PreparingRebalance", 5, Deployment.member(LEDGER)), Status.warn,
                "is in state PreparingRebalance: partitions are being given out");
    }

    @Test
    void shouldFailWherePartitionIsReadByNobody() {
        expect(Deployment.group(LEDGER, "Stable", 5, Deployment.member(LEDGER, 0)), Status.fail,
                "nobody reads laurel.commands-1");
    }

    @Test
    void shouldWarnOfThreadsWithoutPartition() {
        expect(Deployment.group(LEDGER, "Stable", 5, Deployment.member(LEDGER, 0, 1), Deployment.member(LEDGER)),
                Status.warn, "1 of 2 stream threads have no partition, at /10.0.0.1");
    }

    @Test
    void shouldWarnOfAGreatLagByPartition() {
        expect(Deployment.group(LEDGER, "Stable", 20_000, Deployment.member(LEDGER, 0, 1)), Status.warn,
                "laurel.commands-0 is 20000 records behind, laurel.commands-1 is 20000 records behind");
    }
}
