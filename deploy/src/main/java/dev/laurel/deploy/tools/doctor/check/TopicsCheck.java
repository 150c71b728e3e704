package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.List;

/** Every topic of the catalogue is there, with as many partitions as belong together. */
public final class TopicsCheck implements Check {

    private static final String NAME = "topics";

    @Override
    public List<Finding> judge(Facts facts) {
        if (facts.cluster() == null) {
            return List.of();
        }
        var findings = new ArrayList<Finding>();
        TopicFacts log = facts.cluster().topics().get(facts.cluster().log());
        for (Topic<?, ?> topic : facts.cluster().catalogue()) {
            TopicFacts found = facts.cluster().topics().get(topic.name());
            Finding finding = found == null ? missing(topic, log, facts) : partitions(topic, found, log, facts);
            if (finding != null) {
                findings.add(finding);
            }
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(NAME, "", facts.cluster().catalogue().size() + " topics are there, users in "
                    + log.partitions().size() + " partitions"));
        }
        return findings;
    }

    private static Finding missing(Topic<?, ?> topic, TopicFacts log, Facts facts) {
        String sizes = log == null ? "" : " --partitions " + log.partitions().size();
        return Finding.fail(NAME, topic.name(), "is missing", facts.tools().laurel("topics create" + sizes));
    }

    /** Null if they are as they should be. */
    private static Finding partitions(Topic<?, ?> topic, TopicFacts found, TopicFacts log, Facts facts) {
        int partitions = found.partitions().size();
        return switch (topic.partitioning()) {
            case ONE -> partitions == 1
                    ? null
                    : Finding.fail(NAME, topic.name(),
                            "has " + partitions + " partitions, must have 1: its order matters",
                            "stop Laurel, copy what is in it into a topic with one partition, and give that this name");
            case USERS -> log == null || partitions == log.partitions().size()
                    ? null
                    : unequal(topic, partitions, log.partitions().size(), facts);
            case BOARDS, GATEWAYS -> null; // any number will do
        };
    }

    private static Finding unequal(Topic<?, ?> topic, int partitions, int users, Facts facts) {
        String message = "has " + partitions + " partitions, must have as many as " + facts.cluster().log() + ", "
                + users;
        return Finding.fail(NAME, topic.name(), message, partitions < users
                ? facts.tools().widen(topic.name(), users)
                : "partitions cannot be taken away: stop Laurel, let its readers finish, delete the topic, and make it"
                        + " anew with " + facts.tools().laurel("topics create --partitions " + users));
    }
}
