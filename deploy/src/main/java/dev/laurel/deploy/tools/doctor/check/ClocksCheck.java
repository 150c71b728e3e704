package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.ClockFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.deploy.tools.doctor.facts.ServerFacts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Clocks agree with this machine's: a gateway's makes the time of an event, a node's that of timers, a broker's decides what is
 * too far in the future.
 */
public final class ClocksCheck implements Check {

    private static final String NAME = "clocks";
    private static final long WARN_MS = 1_000;
    private static final long FAIL_MS = Duration.ofSeconds(30).toMillis();

    @Override
    public List<Finding> judge(Facts facts) {
        var findings = new ArrayList<Finding>();
        int asked = 0;
        if (facts.cluster() != null) {
            for (BrokerFacts broker : facts.cluster().brokers()) {
                asked += judge("broker " + broker.id() + " at " + broker.address(), broker.clock(), findings);
            }
        }
        for (ServerFacts server : facts.servers()) {
            asked += judge(server.url(), server.clock(), findings);
        }
        if (findings.isEmpty() && asked > 0) {
            findings.add(Finding.ok(NAME, "", asked + (asked == 1 ? " clock agrees" : " clocks agree")
                    + " with this machine's"));
        }
        return findings;
    }

    /** @return how many clocks that were */
    private static int judge(String subject, ClockFacts clock, List<Finding> findings) {
        if (clock == null) {
            return 0;
        }
        long offMs = clock.offMs();
        if (offMs > WARN_MS) {
            String message = "its clock is " + offMs / 1000 + " s or more " + (clock.isAhead() ? "ahead of" : "behind")
                    + " this machine's";
            String fix = "on that machine, or on this one: sudo systemctl enable --now chronyd; chronyc makestep";
            findings.add(offMs > FAIL_MS
                    ? Finding.fail(NAME, subject, message, fix)
                    : Finding.warn(NAME, subject, message, fix));
        }
        return 1;
    }
}
