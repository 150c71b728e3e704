package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.Application;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** State can be restored: an application that has run has the changelog of each store, as wide as its source, and compacted. */
public final class ChangelogsCheck implements Check {

    private static final String NAME = "changelogs";
    private static final String POLICY = TopicConfig.CLEANUP_POLICY_CONFIG;
    private static final String MAX_BYTES = TopicConfig.MAX_MESSAGE_BYTES_CONFIG;

    @Override
    public List<Finding> judge(Facts facts) {
        if (facts.cluster() == null) {
            return List.of();
        }
        var findings = new ArrayList<Finding>();
        int judged = 0;
        for (Application application : facts.cluster().applications()) {
            TopicFacts source = facts.cluster().topics().get(application.source());
            if (!facts.cluster().groups().containsKey(application.id()) || source == null) {
                continue; // it has never run: that is told of its group
            }
            for (String changelog : application.changelogs()) {
                judged++;
                judge(changelog, source, facts, findings);
            }
        }
        if (findings.isEmpty() && judged > 0) {
            findings.add(Finding.ok(NAME, "", judged + " stores can be restored from their changelogs"));
        }
        return findings;
    }

    private static void judge(String changelog, TopicFacts source, Facts facts, List<Finding> findings) {
        ClusterFacts cluster = facts.cluster();
        TopicFacts found = cluster.topics().get(changelog);
        String rebuild = "build the state anew from the log: " + facts.tools().laurel("replay --promote");
        if (found == null) {
            findings.add(Finding.fail(NAME, changelog, "is missing: the store cannot be restored elsewhere", rebuild));
            return;
        }
        if (found.partitions().size() != source.partitions().size()) {
            findings.add(Finding.fail(NAME, changelog, "has " + found.partitions().size() + " partitions, "
                    + source.name() + " has " + source.partitions().size(), rebuild));
        }
        String policy = found.settings().get(POLICY);
        if (policy != null && !policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            findings.add(Finding.fail(NAME, changelog, POLICY + " is " + policy + ", must be compact: "
                    + (policy.contains(TopicConfig.CLEANUP_POLICY_DELETE)
                            ? "state is lost when it gets old"
                            : "it grows with every change"),
                    facts.tools().set(changelog, Map.of(POLICY, TopicConfig.CLEANUP_POLICY_COMPACT))));
        }
        String maxBytes = found.settings().get(MAX_BYTES);
        if (maxBytes != null && Long.parseLong(maxBytes) < Topics.MAX_RECORD_BYTES) {
            findings.add(Finding.fail(NAME, changelog, MAX_BYTES + " is " + maxBytes + ", must be "
                    + Topics.MAX_RECORD_BYTES + ": a large user would stop the task",
                    facts.tools().set(changelog, Map.of(MAX_BYTES, Integer.toString(Topics.MAX_RECORD_BYTES)))));
        }
    }
}
