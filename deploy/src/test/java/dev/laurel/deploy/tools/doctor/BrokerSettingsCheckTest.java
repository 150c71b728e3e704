package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class BrokerSettingsCheckTest {

    private final Deployment deployment = new Deployment();

    private void set(String name, String value) {
        deployment.brokers.replaceAll(broker -> {
            var settings = new HashMap<>(broker.settings());
            settings.put(name, value);
            return new BrokerFacts(broker.id(), broker.address(), broker.level(), settings, broker.clock());
        });
    }

    private static String file(String setting) {
        return "in server.properties of these brokers: " + setting + "; then restart them one by one";
    }

    @Test
    void shouldAcceptGoodSettings() {
        deployment.expectOk(BrokerChecks::settings, "all brokers have the required settings");
    }

    @Test
    void shouldWarnIfCommittedOffsetsExpireEarly() {
        set("offsets.retention.minutes", "10080");

        deployment.expectOnly(BrokerChecks::settings, Status.warn, "brokers 1, 2, 3",
                "offsets.retention.minutes is 10080: after a stop of 7 days the ledger has lost its offsets and processes"
                        + " the whole log again",
                file("offsets.retention.minutes=5256000"));
    }

    @Test
    void shouldFailIfSessionTimeoutIsRefused() {
        set("group.min.session.timeout.ms", "30000");

        deployment.expectOnly(BrokerChecks::settings, Status.fail, "brokers 1, 2, 3",
                "group.min.session.timeout.ms is 30000: members with a timeout of 8000 ms are refused",
                file("group.min.session.timeout.ms=6000"));
    }

    @Test
    void shouldWarnIfTransactionLogHasOneCopy() {
        set("transaction.state.log.replication.factor", "1");

        deployment.expectOnly(BrokerChecks::settings, Status.warn, "brokers 1, 2, 3",
                "transaction.state.log.replication.factor is 1: topics created from now on do not survive the loss of"
                        + " a broker",
                file("transaction.state.log.replication.factor=3"));
    }

    @Test
    void shouldRequireNoCopiesOfSingleBroker() {
        deployment.shrink();
        set("transaction.state.log.replication.factor", "1");
        set("default.replication.factor", "1");

        deployment.expectOk(BrokerChecks::settings, "all brokers have the required settings");
    }

    @Test
    void shouldReturnNothingIfSettingsAreHidden() {
        deployment.brokers
                .replaceAll(broker -> new BrokerFacts(broker.id(), broker.address(), broker.level(), Map.of(), null));

        assertEquals(List.of(), deployment.findingsOf(BrokerChecks::settings));
    }
}
