package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class ClocksCheckTest {

    private static final String FIX = "on that machine, or on this one: sudo systemctl enable --now chronyd; chronyc makestep";

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptClocksWithinBounds() {
        deployment.expectOk(BrokerChecks::clocks, "3 clocks agree with this machine's");
    }

    @Test
    void shouldFailIfBrokerIsMinutesBehind() {
        deployment.brokers.set(0,
                new BrokerFacts(1, "b1:9092", 25, Map.of(), new ClusterFacts.ClockFacts(-120_020, -120_000)));

        deployment.expectOnly(BrokerChecks::clocks, Status.fail, "broker 1 at b1:9092",
                "its clock is 120 s or more behind this machine's", FIX);
    }

    @Test
    void shouldWarnIfNodeIsSecondsAhead() {
        deployment.servers
                .add(new Facts.ServerFacts("http://n1:8080", null, 200, 200, new ClusterFacts.ClockFacts(2_500, 3_600),
                        200,
                        null,
                        null, null, 0));

        deployment.expectOnly(BrokerChecks::clocks, Status.warn, "http://n1:8080",
                "its clock is 2 s or more ahead of this machine's", FIX);
    }

    @Test
    void shouldAllowForLatencyAndResolution() {
        // The server shows whole seconds: this one had begun 900 ms before, and the response took 400 ms.
        assertEquals(0, ClusterFacts.ClockFacts.of(10_000, 1_000, 10_900, 11_300).offMs());
        assertEquals(700, ClusterFacts.ClockFacts.of(12_000, 1_000, 10_900, 11_300).offMs());
        assertEquals(900, ClusterFacts.ClockFacts.of(9_000, 1_000, 10_900, 11_300).offMs());
    }
}
