package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.deploy.tools.doctor.facts.ServerFacts;
import dev.laurel.schemas.ruleset.RulesetIssue;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All nodes go by the same version of the ruleset, and today's rules for rulesets find nothing in it. */
public final class RulesetsCheck implements Check {

    private static final String NAME = "rulesets";

    @Override
    public List<Finding> judge(Facts facts) {
        List<ServerFacts> nodes = facts.servers().stream().filter(server -> server.ruleset() != null).toList();
        if (nodes.isEmpty()) {
            return List.of();
        }
        var findings = new ArrayList<Finding>();
        TreeMap<Long, List<String>> versions = nodes.stream().collect(Collectors.groupingBy(
                node -> node.ruleset().version(), TreeMap::new,
                Collectors.mapping(ServerFacts::url, Collectors.toList())));
        if (versions.size() > 1) {
            findings.add(Finding.fail(NAME, "", versions.entrySet().stream()
                    .map(version -> "version " + version.getKey() + " at " + String.join(", ", version.getValue()))
                    .collect(Collectors.joining("; ")),
                    "restart the nodes with the older one: they no longer follow laurel.rulesets"));
        }
        ServerFacts newest = nodes.stream()
                .filter(node -> node.ruleset().version() == versions.lastKey()).findFirst()
                .orElseThrow();
        for (RulesetIssue issue : newest.ruleset().issues()) {
            findings.add(Finding.warn(NAME, issue.path(), issue.message(),
                    "deploy/laurel ruleset export --url " + newest.url()
                            + " -o laurel.yaml, mend it, deploy/laurel ruleset apply laurel.yaml --url "
                            + newest.url()));
        }
        if (findings.isEmpty()) {
            findings.add(newest.ruleset().version() == 0
                    ? Finding.warn(NAME, "", "there is none yet: every event is refused",
                            "deploy/laurel ruleset apply deploy/examples/swimming.yaml --url " + newest.url())
                    : Finding.ok(NAME, "", "version " + newest.ruleset().version() + " at "
                            + (nodes.size() == 1 ? "the node" : "all " + nodes.size() + " nodes")));
        }
        return findings;
    }
}
