package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Facts.ServerFacts.RulesetFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.schemas.kind.IssueList.Issue;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RulesetsCheckTest {

    private final Deployment deployment = new Deployment();

    private void node(String url, long version, Issue... issues) {
        deployment.servers.add(new Facts.ServerFacts(url, null, 200, 200, null, 200, null,
                new RulesetFacts(version, List.of(issues)), null, 0));
    }

    @Test
    void shouldAcceptSameVersionAtAllNodes() {
        node("http://n1", 4);
        node("http://n2", 4);
        deployment.servers.add(new Facts.ServerFacts("http://gateway", null, 200, 200, null, 404, null, null, null, 0));

        deployment.expectOk(ServerChecks::rulesets, "version 4 at all 2 nodes");
    }

    @Test
    void shouldFailIfNodeHasOlderVersion() {
        node("http://n1", 4);
        node("http://n2", 3);
        node("http://n3", 4);

        deployment.expectOnly(ServerChecks::rulesets, Status.fail, "",
                "version 3 at http://n2; version 4 at http://n1, http://n3",
                "restart the nodes with the older one: they no longer follow laurel.rulesets");
    }

    @Test
    void shouldWarnOfIssuesInNewestVersion() {
        node("http://n1", 4, new Issue("/metrics/laps/name", "must not be empty"));

        deployment.expectOnly(ServerChecks::rulesets, Status.warn, "/metrics/laps/name", "must not be empty",
                "deploy/laurel ruleset export --url http://n1 -o laurel.yaml, correct it, "
                        + "deploy/laurel ruleset apply laurel.yaml --url http://n1");
    }

    @Test
    void shouldWarnIfThereIsNoRuleset() {
        node("http://n1", 0);

        deployment.expectOnly(ServerChecks::rulesets, Status.warn, "",
                "there is none yet: every event is refused",
                "deploy/laurel ruleset apply deploy/examples/swimming.yaml --url http://n1");
    }
}
