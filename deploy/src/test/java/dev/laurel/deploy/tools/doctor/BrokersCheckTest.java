package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.Finding.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class BrokersCheckTest {

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptThreeNewBrokers() {
        deployment.expectOk(new BrokerChecks.BrokersCheck(), "3 brokers, Kafka 3.7 or newer");
    }

    @Test
    void shouldFailForBrokerOlderThan37() {
        deployment.brokers.set(1, new BrokerFacts(2, "b2:9092", 14, Map.of(), null));

        deployment.expectOnly(new BrokerChecks.BrokersCheck(), Status.fail, "broker 2 at b2:9092",
                "is older than Kafka 3.7 (it knows metadata.version up to 14)",
                "upgrade it to Kafka 3.7 or newer, then raise metadata.version with kafka-features.sh");
    }

    @Test
    void shouldNotTakeASilentBrokerForAnOldOne() {
        deployment.brokers.set(1, new BrokerFacts(2, "b2:9092", -1, Map.of(), null));

        deployment.expectOk(new BrokerChecks.BrokersCheck(), "3 brokers, Kafka 3.7 or newer");
    }

    @Test
    void shouldWarnOfASingleBroker() {
        deployment.shrink();

        deployment.expectOnly(new BrokerChecks.BrokersCheck(), Status.warn, "",
                "one broker: when one is lost, writes stop, and with its disk the log is gone",
                "run three, and give each topic three copies: deploy/laurel doctor --kafka b1:9092,b2:9092 says how once"
                        + " they run");
    }

    @Test
    void shouldSayNothingWithoutACluster() {
        assertEquals(List.of(), new BrokerChecks.BrokersCheck().judge(new Facts(null, List.of(), null, null, null)));
    }
}
