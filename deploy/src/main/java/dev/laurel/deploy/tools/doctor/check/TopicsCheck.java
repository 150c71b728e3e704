package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
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
        TopicFacts measure = measure(log, facts);
        for (Topic<?, ?> topic : facts.cluster().catalogue()) {
            TopicFacts found = facts.cluster().topics().get(topic.name());
            Finding finding = found == null ? missing(topic, measure, facts) : partitions(topic, found, measure, facts);
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

    /** What goes out keeps the partitions that the first log had: a wider one has more. */
    private static TopicFacts measure(TopicFacts log, Facts facts) {
        return facts.cluster().generations().inForce().logNumber() == 1
                ? log
                : facts.cluster().topics().get(Topics.OUTBOX.name());
    }

    private static Finding missing(Topic<?, ?> topic, TopicFacts like, Facts facts) {
        String sizes = like == null ? "" : " --partitions " + like.partitions().size();
        return Finding.fail(NAME, topic.name(), "is missing", facts.tools().laurel("topics create" + sizes));
    }

    /** Null if they are as they should be. */
    private static Finding partitions(Topic<?, ?> topic, TopicFacts found, TopicFacts like, Facts facts) {
        int partitions = found.partitions().size();
        return switch (topic.partitioning()) {
            case ONE -> partitions == 1
                    ? null
                    : Finding.fail(NAME, topic.name(),
                            "has " + partitions + " partitions, must have 1: its order matters",
                            "stop Laurel, copy what is in it into a topic with one partition, and give that this name");
            case USERS -> like == null || partitions == like.partitions().size()
                    || topic.name().equals(facts.cluster().log())
                            ? null
                            : unequal(topic, partitions, like, facts);
            case BOARDS, GATEWAYS -> null; // any number will do
        };
    }

    private static Finding unequal(Topic<?, ?> topic, int partitions, TopicFacts like, Facts facts) {
        int users = like.partitions().size();
        String message = "has " + partitions + " partitions, must have as many as " + like.name() + ", " + users;
        return Finding.fail(NAME, topic.name(), message, partitions < users
                ? facts.tools().widen(topic.name(), users)
                : "partitions cannot be taken away: stop Laurel, let its readers finish, delete the topic, and make it"
                        + " anew with " + facts.tools().laurel("topics create --partitions " + users));
    }
}
