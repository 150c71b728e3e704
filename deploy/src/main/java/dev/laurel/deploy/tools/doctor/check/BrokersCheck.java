package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import java.util.ArrayList;
import java.util.List;

/** Brokers are there, new enough (Kafka 3.7), and as many as it takes to lose one. */
public final class BrokersCheck implements Check {

    private static final String NAME = "brokers";

    /** The levels of {@code metadata.version} with which releases of Kafka came out. */
    private static final int LEVEL_OF_3_7 = 19;
    private static final int UNKNOWN = -1;

    @Override
    public List<Finding> judge(Facts facts) {
        if (facts.cluster() == null) {
            return List.of();
        }
        List<BrokerFacts> brokers = facts.cluster().brokers();
        var findings = new ArrayList<Finding>();
        for (BrokerFacts broker : brokers) {
            if (broker.level() != UNKNOWN && broker.level() < LEVEL_OF_3_7) {
                findings.add(Finding.fail(NAME, place(broker),
                        "is older than Kafka 3.7 (it knows metadata.version up to " + broker.level() + ")",
                        "upgrade it to Kafka 3.7 or newer, then raise metadata.version with kafka-features.sh"));
            }
        }
        if (brokers.size() < 3) {
            findings.add(Finding.warn(NAME, "",
                    (brokers.size() == 1 ? "one broker" : brokers.size() + " brokers")
                            + ": when one is lost, writes stop, and with its disk the log is gone",
                    "run three, and give each topic three copies: " + facts.tools().laurel("doctor")
                            + " says how once they run"));
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(NAME, "", brokers.size() + " brokers, Kafka 3.7 or newer"));
        }
        return findings;
    }

    private static String place(BrokerFacts broker) {
        return "broker " + broker.id() + " at " + broker.address();
    }
}
