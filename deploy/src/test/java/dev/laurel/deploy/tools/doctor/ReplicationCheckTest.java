package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.PartitionFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class ReplicationCheckTest {

    private static final String LOG = "laurel.commands";
    private static final String ALTER = "kafka-configs.sh --bootstrap-server " + Deployment.BROKERS
            + " --alter --entity-type topics --entity-name laurel.commands --add-config ";

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptThreeCopies() {
        deployment.expectOk(ReplicaChecks::replication,
                deployment.topics.size() + " topics have three copies and acknowledge a record when two have it");
    }

    @Test
    void shouldShowHowToAddCopies() {
        deployment.partitions(LOG, new PartitionFacts(0, 1, List.of(1), List.of(1)),
                new PartitionFacts(1, 3, List.of(3), List.of(3)));

        deployment.expectOnly(ReplicaChecks::replication, Status.fail, LOG,
                "has 1 copy, and there are 3 brokers",
                "kafka-reassign-partitions.sh --bootstrap-server " + Deployment.BROKERS
                        + " --execute --reassignment-json-file <(echo '{\"version\":1,\"partitions\":["
                        + "{\"topic\":\"laurel.commands\",\"partition\":0,\"replicas\":[1,2,3]},"
                        + "{\"topic\":\"laurel.commands\",\"partition\":1,\"replicas\":[3,2,1]}]}')");
    }

    @Test
    void shouldFailIfOneBrokerAcknowledges() {
        deployment.set(LOG, "min.insync.replicas", "1");

        deployment.expectOnly(ReplicaChecks::replication, Status.fail, LOG,
                "min.insync.replicas is 1: a record is acknowledged when one broker has it, and lost with it",
                ALTER + "min.insync.replicas=2");
    }

    @Test
    void shouldWarnIfAllBrokersMustAcknowledge() {
        deployment.set(LOG, "min.insync.replicas", "3");

        deployment.expectOnly(ReplicaChecks::replication, Status.warn, LOG,
                "min.insync.replicas is 3 of 3 copies: writes stop when one broker is down",
                ALTER + "min.insync.replicas=2");
    }

    @Test
    void shouldFailIfUncleanElectionIsEnabled() {
        deployment.set(LOG, "unclean.leader.election.enable", "true");

        deployment.expectOnly(ReplicaChecks::replication, Status.fail, LOG,
                "unclean.leader.election.enable is true: acknowledged records may be lost with a broker",
                ALTER + "unclean.leader.election.enable=false");
    }

    @Test
    void shouldReturnNothingForSingleBroker() {
        deployment.shrink();

        assertEquals(List.of(), deployment.findingsOf(ReplicaChecks::replication));
    }
}
