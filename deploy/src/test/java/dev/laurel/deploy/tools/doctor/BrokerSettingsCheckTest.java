package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.Finding.Status;
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
        deployment.expectOk(new BrokerChecks.BrokerSettingsCheck(), "nothing in the way of any broker");
    }

    @Test
    void shouldWarnWherePlacesInTheLogAreForgotten() {
        set("offsets.retention.minutes", "10080");

        deployment.expectOnly(new BrokerChecks.BrokerSettingsCheck(), Status.warn, "brokers 1, 2, 3",
                "offsets.retention.minutes is 10080: after a stop of 7 days the ledger has forgotten its place, and counts"
                        + " the whole log again",
                file("offsets.retention.minutes=5256000"));
    }

    @Test
    void shouldFailWhereMembersAreRefused() {
        set("group.min.session.timeout.ms", "30000");

        deployment.expectOnly(new BrokerChecks.BrokerSettingsCheck(), Status.fail, "brokers 1, 2, 3",
                "group.min.session.timeout.ms is 30000: members with a timeout of 8000 ms are refused",
                file("group.min.session.timeout.ms=6000"));
    }

    @Test
    void shouldWarnWhereTransactionsHaveOneCopy() {
        set("transaction.state.log.replication.factor", "1");

        deployment.expectOnly(new BrokerChecks.BrokerSettingsCheck(), Status.warn, "brokers 1, 2, 3",
                "transaction.state.log.replication.factor is 1: topics that are made from now on do not survive the loss of"
                        + " a broker",
                file("transaction.state.log.replication.factor=3"));
    }

    @Test
    void shouldAskASingleBrokerForNoCopies() {
        deployment.shrink();
        set("transaction.state.log.replication.factor", "1");
        set("default.replication.factor", "1");

        deployment.expectOk(new BrokerChecks.BrokerSettingsCheck(), "nothing in the way of any broker");
    }

    @Test
    void shouldSayNothingOfBrokersThatShowNoSettings() {
        deployment.brokers
                .replaceAll(broker -> new BrokerFacts(broker.id(), broker.address(), broker.level(), Map.of(), null));

        assertEquals(List.of(), deployment.judgedBy(new BrokerChecks.BrokerSettingsCheck()));
    }
}
