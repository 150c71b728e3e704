package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.OpenTransactionFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import org.junit.jupiter.api.Test;

final class TransactionsCheckTest {

    private static final String ABORT = "kafka-transactions.sh --bootstrap-server " + Deployment.BROKERS
            + " abort --topic laurel.commands --partition 1 --start-offset 40";

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptLogWithoutOpenTransaction() {
        deployment.expectOk(ApplicationChecks::transactions, "none blocks the log");
    }

    @Test
    void shouldShowHowToAbortHangingTransaction() {
        deployment.openTransactions.add(new OpenTransactionFacts(1, 40, 100, 7, 90_000));

        deployment.expectOnly(ApplicationChecks::transactions, Status.fail, "laurel.commands-1",
                "a transaction at offset 40 blocks 60 records; its producer 7 last wrote 90 s ago",
                ABORT);
    }

    @Test
    void shouldOnlyWarnOfRecentTransaction() {
        deployment.openTransactions.add(new OpenTransactionFacts(1, 40, 100, 7, 3_000));

        deployment.expectOnly(ApplicationChecks::transactions, Status.warn, "laurel.commands-1",
                "a transaction at offset 40 blocks 60 records; its producer 7 last wrote 3 s ago",
                "check again in a minute; if it is still open: " + ABORT);
    }
}
