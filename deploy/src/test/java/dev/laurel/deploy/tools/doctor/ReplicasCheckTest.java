package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.PartitionFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReplicasCheckTest {

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptReplicasInSync() {
        deployment.expectOk(ReplicaChecks::replicas, "every partition has its leader and all its copies");
    }

    @Test
    void shouldNameBrokerThatIsBehind() {
        deployment.partitions("laurel.scores", new PartitionFacts(0, 1, List.of(1, 2, 3), List.of(1, 2)),
                Deployment.partition(1));

        deployment.expectOnly(ReplicaChecks::replicas, Status.warn, "laurel.scores",
                "partitions 0 have copies that are behind",
                "start the brokers 3, or see in their logs why they do not follow");
    }

    @Test
    void shouldFailForPartitionsWithoutALeader() {
        deployment.partitions("laurel.scores", new PartitionFacts(0, -1, List.of(2, 3), List.of(2)),
                new PartitionFacts(1, -1, List.of(3), List.of()));

        deployment.expectOnly(ReplicaChecks::replicas, Status.fail, "laurel.scores",
                "partitions 0, 1 have no leader: they can be neither read nor written", "start the brokers 2, 3");
    }
}
