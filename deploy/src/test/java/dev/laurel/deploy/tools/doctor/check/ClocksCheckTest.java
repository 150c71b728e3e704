package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Finding.Status;
import dev.laurel.deploy.tools.doctor.facts.ClockFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.facts.ServerFacts;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class ClocksCheckTest {

    private static final String FIX = "on that machine, or on this one: sudo systemctl enable --now chronyd; chronyc makestep";

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptClocksThatMayBeRight() {
        deployment.expectOk(new ClocksCheck(), "3 clocks agree with this machine's");
    }

    @Test
    void shouldFailForABrokerThatIsMinutesBehind() {
        deployment.brokers.set(0, new BrokerFacts(1, "b1:9092", 25, Map.of(), new ClockFacts(-120_020, -120_000)));

        deployment.expectOnly(new ClocksCheck(), Status.fail, "broker 1 at b1:9092",
                "its clock is 120 s or more behind this machine's", FIX);
    }

    @Test
    void shouldWarnOfANodeThatIsSecondsAhead() {
        deployment.servers
                .add(new ServerFacts("http://n1:8080", null, 200, 200, new ClockFacts(2_500, 3_600), 200, null, null));

        deployment.expectOnly(new ClocksCheck(), Status.warn, "http://n1:8080",
                "its clock is 2 s or more ahead of this machine's", FIX);
    }

    @Test
    void shouldNotTakeTheWayOrAPartOfASecondForASkew() {
        // It showed a second that had begun 900 ms ago, and the answer took 400 ms.
        assertEquals(0, ClockFacts.of(10_000, 1_000, 10_900, 11_300).offMs());
        assertEquals(700, ClockFacts.of(12_000, 1_000, 10_900, 11_300).offMs());
        assertEquals(900, ClockFacts.of(9_000, 1_000, 10_900, 11_300).offMs());
    }
}
