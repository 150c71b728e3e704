package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.HeldFacts;
import dev.laurel.deploy.tools.doctor.Finding.Status;
import org.junit.jupiter.api.Test;

final class TransactionsCheckTest {

    private static final String ABORT = "kafka-transactions.sh --bootstrap-server " + Deployment.BROKERS
            + " abort --topic laurel.commands --partition 1 --start-offset 40";

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptALogThatNothingHolds() {
        deployment.expectOk(new ApplicationChecks.TransactionsCheck(), "none holds up the log");
    }

    @Test
    void shouldSayHowToAbortATransactionThatHangs() {
        deployment.held.add(new HeldFacts(1, 40, 100, 7, 90_000));

        deployment.expectOnly(new ApplicationChecks.TransactionsCheck(), Status.fail, "laurel.commands-1",
                "a transaction at offset 40 keeps 60 records from being read; its producer 7 last wrote 90 s ago",
                ABORT);
    }

    @Test
    void shouldWaitWithATransactionThatMayEnd() {
        deployment.held.add(new HeldFacts(1, 40, 100, 7, 3_000));

        deployment.expectOnly(new ApplicationChecks.TransactionsCheck(), Status.warn, "laurel.commands-1",
                "a transaction at offset 40 keeps 60 records from being read; its producer 7 last wrote 3 s ago",
                "look again in a minute; if it is still there: " + ABORT);
    }
}
