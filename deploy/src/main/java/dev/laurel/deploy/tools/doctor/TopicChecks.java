package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.Finding.Status;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** Checks of topics: existence, partitions, settings and timestamps. */
final class TopicChecks {

    private TopicChecks() {}

    /** Checks that every topic of the catalogue exists, and that topics of users have equal numbers of partitions. */
    public static final class TopicsCheck implements Diagnosis.Check {

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
                Finding finding = found == null
                        ? missing(topic, measure, facts)
                        : partitions(topic, found, measure, facts);
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

        /**
         * Returns the topic with the expected number of partitions. Outgoing topics keep the partitions of the first
         * log; a wider log has more.
         */
        private static TopicFacts measure(TopicFacts log, Facts facts) {
            return facts.cluster().generations().inForce().logNumber() == 1
                    ? log
                    : facts.cluster().topics().get(Topics.OUTBOX.name());
        }

        private static Finding missing(Topic<?, ?> topic, TopicFacts like, Facts facts) {
            String sizes = like == null ? "" : " --partitions " + like.partitions().size();
            return Finding.fail(NAME, topic.name(), "is missing", facts.tools().laurel("topics create" + sizes));
        }

        /** Returns null if there is no problem. */
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
                case BOARDS, GATEWAYS -> null; // any number is allowed
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

    /**
     * Checks that topics keep their records long enough and accept the required timestamps. Reports only settings
     * that lose data; larger limits are fine.
     */
    public static final class TopicSettingsCheck implements Diagnosis.Check {

        private static final String NAME = "topic-settings";
        private static final String FOREVER = "-1";

        /** Topics without this setting in the catalogue have the policy delete. */
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
                        // checked above for all topics
                    }
                    case TopicConfig.RETENTION_MS_CONFIG, TopicConfig.RETENTION_BYTES_CONFIG -> {
                        if (actual != null && isLess(actual, wanted)) {
                            findings.add(
                                    finding(wanted.equals(FOREVER) ? Status.fail : Status.warn, topic, name, actual,
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

        /** Returns whether the topic is a log, whatever its name. */
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

    /**
     * Checks the timestamps that the log accepts: any in the past, because history is imported, and none in the far
     * future.
     */
    public static final class LogTimesCheck implements Diagnosis.Check {

        private static final String NAME = "log-times";
        private static final String BEFORE = TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG;
        private static final String AFTER = TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG;

        /** Clocks differ by less than this. */
        private static final long AFTER_LEAST_MS = Duration.ofMinutes(1).toMillis();
        private static final long AFTER_MOST_MS = Duration.ofDays(1).toMillis();
        private static final long AFTER_USUAL_MS = Duration.ofHours(1).toMillis();

        /** Imported history is younger than a century. */
        private static final long BEFORE_LEAST_MS = Duration.ofDays(36_500).toMillis();

        @Override
        public List<Finding> judge(Facts facts) {
            TopicFacts log = facts.cluster() == null ? null : facts.cluster().topics().get(facts.cluster().log());
            if (log == null) {
                return List.of();
            }
            var findings = new ArrayList<Finding>();
            String before = log.settings().get(BEFORE);
            if (before != null && Long.parseLong(before) < BEFORE_LEAST_MS) {
                findings.add(Finding.warn(NAME, log.name(),
                        BEFORE + " is " + before + ": history older than that cannot be imported",
                        facts.tools().set(log.name(), Map.of(BEFORE, Long.toString(Long.MAX_VALUE)))));
            }
            String after = log.settings().get(AFTER);
            if (after != null && Long.parseLong(after) < AFTER_LEAST_MS) {
                findings.add(Finding.fail(NAME, log.name(),
                        AFTER + " is " + after + ": events of a gateway whose clock is a little ahead are refused",
                        usual(log, facts)));
            } else if (after != null && Long.parseLong(after) > AFTER_MOST_MS) {
                findings.add(Finding.warn(NAME, log.name(),
                        AFTER + " is " + after + ": a producer with a wrong clock can move a user's time far ahead"
                                + " (leave it so for --test-clock)",
                        usual(log, facts)));
            }
            if (findings.isEmpty() && (before != null || after != null)) {
                findings.add(Finding.ok(NAME, "", "the log takes any past and no far future"));
            }
            return findings;
        }

        private static String usual(TopicFacts log, Facts facts) {
            return facts.tools().set(log.name(), Map.of(AFTER, Long.toString(AFTER_USUAL_MS)));
        }
    }
}
