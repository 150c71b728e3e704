package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.HeldFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** No transaction holds up the log: the ledger reads what is committed, so an open one stops everything behind it. */
public final class TransactionsCheck implements Check {

    private static final String NAME = "transactions";

    /** Laurel's own are open for milliseconds; Kafka itself ends those of a client that is gone after this, or a little more. */
    private static final long HANGING_MS = Duration.ofMinutes(1).toMillis();

    @Override
    public List<Finding> judge(Facts facts) {
        if (facts.cluster() == null || !facts.cluster().topics().containsKey(facts.cluster().log())) {
            return List.of();
        }
        String log = facts.cluster().log();
        var findings = new ArrayList<Finding>();
        for (HeldFacts held : facts.cluster().held()) {
            String subject = log + "-" + held.partition();
            String message = "a transaction at offset " + held.stableEnd() + " keeps " + (held.end() - held.stableEnd())
                    + " records from being read"
                    + (held.producerId() < 0
                            ? ""
                            : "; its producer " + held.producerId() + " last wrote " + held.idleMs() / 1000 + " s ago");
            String abort = facts.tools().abort(log, held.partition(), held.stableEnd());
            findings.add(held.producerId() >= 0 && held.idleMs() > HANGING_MS
                    ? Finding.fail(NAME, subject, message, abort)
                    : Finding.warn(NAME, subject, message, "look again in a minute; if it is still there: " + abort));
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(NAME, "", "none holds up the log"));
        }
        return findings;
    }
}
