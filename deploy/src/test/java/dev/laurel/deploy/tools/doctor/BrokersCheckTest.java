package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class BrokersCheckTest {

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptThreeNewBrokers() {
        deployment.expectOk(BrokerChecks::brokers, "3 brokers, Kafka 3.7 or newer");
    }

    @Test
    void shouldFailForBrokerOlderThan37() {
        deployment.brokers.set(1, new BrokerFacts(2, "b2:9092", 14, Map.of(), null));

        deployment.expectOnly(BrokerChecks::brokers, Status.fail, "broker 2 at b2:9092",
                "is older than Kafka 3.7 (it supports metadata.version up to 14)",
                "upgrade it to Kafka 3.7 or newer, then raise metadata.version with kafka-features.sh");
    }

    @Test
    void shouldAcceptBrokerOfUnknownVersion() {
        deployment.brokers.set(1, new BrokerFacts(2, "b2:9092", -1, Map.of(), null));

        deployment.expectOk(BrokerChecks::brokers, "3 brokers, Kafka 3.7 or newer");
    }

    @Test
    void shouldWarnOfSingleBroker() {
        deployment.shrink();

        deployment.expectOnly(BrokerChecks::brokers, Status.warn, "",
                "one broker: if one is lost, writes stop; if its disk is lost, the log is lost",
                "run three brokers with three copies of each topic: once they run, deploy/laurel doctor --kafka"
                        + " b1:9092,b2:9092 shows the commands");
    }

    @Test
    void shouldReturnNothingWithoutCluster() {
        var facts = new Facts(Instant.EPOCH, null, List.of(), null, null, new RepairCommands(Deployment.BROKERS, null));

        assertEquals(List.of(), Diagnosis.of(facts, List.of()).findings());
    }
}
