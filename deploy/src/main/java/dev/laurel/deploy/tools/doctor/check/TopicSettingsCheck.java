package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.Finding.Status;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Topics keep what they must keep, for as long, and take the times that they are to take. More than asked for is fine: only what
 * loses something is told.
 */
public final class TopicSettingsCheck implements Check {

    private static final String NAME = "topic-settings";
    private static final String FOREVER = "-1";

    /** What a topic has that says nothing else. */
    private static final String POLICY = TopicConfig.CLEANUP_POLICY_CONFIG;

    @Override
    public List<Finding> judge(Facts facts) {
        if (facts.cluster() == null) {
            return List.of();
        }
        var findings = new ArrayList<Finding>();
        int judged = 0;
        for (Topic<?, ?> topic : facts.cluster().catalogue()) {
            TopicFacts found = facts.cluster().topics().get(topic.name());
            if (found != null) {
                judged++;
                judge(topic, found, facts, findings);
            }
        }
        if (findings.isEmpty() && judged > 0) {
            findings.add(Finding.ok(NAME, "", judged + " topics keep what they must"));
        }
        return findings;
    }

    private static void judge(Topic<?, ?> topic, TopicFacts found, Facts facts, List<Finding> findings) {
        String policy = topic.config().getOrDefault(POLICY, TopicConfig.CLEANUP_POLICY_DELETE);
        differing(topic, found, POLICY, policy, Status.fail, facts, findings);
        topic.config().forEach((name, wanted) -> {
            String actual = found.settings().get(name);
            switch (name) {
                case TopicConfig.CLEANUP_POLICY_CONFIG -> {
                    // judged, for those that do not say it, too
                }
                case TopicConfig.RETENTION_MS_CONFIG, TopicConfig.RETENTION_BYTES_CONFIG -> {
                    if (actual != null && isLess(actual, wanted)) {
                        findings.add(finding(wanted.equals(FOREVER) ? Status.fail : Status.warn, topic, name, actual,
                                wanted, facts));
                    }
                }
                case TopicConfig.MAX_MESSAGE_BYTES_CONFIG -> {
                    if (actual != null && Long.parseLong(actual) < Long.parseLong(wanted)) {
                        findings.add(finding(Status.fail, topic, name, actual, wanted, facts));
                    }
                }
                default -> differing(topic, found, name, wanted,
                        isLog(topic) ? Status.fail : Status.warn, facts, findings);
            }
        });
    }

    private static void differing(Topic<?, ?> topic, TopicFacts found, String name, String wanted, Status status,
            Facts facts, List<Finding> findings) {
        String actual = found.settings().get(name);
        if (actual != null && !actual.equals(wanted)) {
            findings.add(finding(status, topic, name, actual, wanted, facts));
        }
    }

    /** Under whatever name. */
    private static boolean isLog(Topic<?, ?> topic) {
        return topic.config().equals(Topics.COMMANDS.config());
    }

    private static boolean isLess(String actual, String wanted) {
        return !actual.equals(FOREVER)
                && (wanted.equals(FOREVER) || Long.parseLong(actual) < Long.parseLong(wanted));
    }

    private static Finding finding(Status status, Topic<?, ?> topic, String name, String actual, String wanted,
            Facts facts) {
        return new Finding(NAME, status, topic.name(),
                name + " is " + actual + ", must be " + wanted + why(topic, name),
                facts.tools().set(topic.name(), Map.of(name, wanted)));
    }

    private static String why(Topic<?, ?> topic, String name) {
        boolean isLog = isLog(topic);
        return switch (name) {
            case TopicConfig.RETENTION_MS_CONFIG, TopicConfig.RETENTION_BYTES_CONFIG,
                    TopicConfig.CLEANUP_POLICY_CONFIG ->
                isLog ? ": the log is the whole input, what leaves it is lost" : "";
            case TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG -> isLog
                    ? ": the time of a record is the time of its event"
                    : ": retention counts from arrival, or imported history is gone at once";
            default -> "";
        };
    }
}
