package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.topic.Topics.DirectTopics;
import java.time.Duration;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/** Checks of topics: existence, partitions, settings and timestamps. */
final class TopicChecks {

    private static final String FOREVER = "-1";
    private static final String POLICY = TopicConfig.CLEANUP_POLICY_CONFIG;
    private static final String BEFORE = TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG;
    private static final String AFTER = TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG;

    /** Clocks differ by less than this. */
    private static final long AFTER_MIN_MS = Duration.ofMinutes(1).toMillis();

    private static final long AFTER_MAX_MS = Duration.ofDays(1).toMillis();
    private static final long AFTER_USUAL_MS = Duration.ofHours(1).toMillis();

    /** Imported history is younger than a century. */
    private static final long BEFORE_MIN_MS = Duration.ofDays(36_500).toMillis();

    private TopicChecks() {}

    /**
     * Checks that every topic of the catalogue exists, and that topics of users have equal numbers of partitions. Those of direct
     * producers may have any number.
     */
    static void topics(ClusterFacts cluster, Findings findings) {
        TopicFacts log = cluster.topics().get(cluster.log());
        // Outgoing topics keep the partitions of the first log; a wider log has more.
        TopicFacts reference = cluster.generations().inForce().logNumber() == 1
                ? log
                : cluster.topics().get(Topics.OUTBOX.name());
        for (Topic<?, ?> topic : cluster.catalogue()) {
            TopicFacts found = cluster.topics().get(topic.name());
            if (found == null) {
                String partitions = reference == null
                        ? ""
                        : " --partitions " + reference.partitions().size();
                findings.fail(topic.name(), "is missing", findings.repair().laurel("topics create" + partitions));
            } else if (!topic.name().equals(cluster.log()) && !DirectTopics.isOne(topic.name())) {
                checkPartitions(topic, found.partitions().size(), reference, findings);
            }
        }
        if (log != null) {
            findings.okIfNone(
                    "",
                    cluster.catalogue().size() + " topics exist, users are in "
                            + log.partitions().size() + " partitions");
        }
    }

    /** @param reference topic with the expected number of partitions; null if it is missing */
    private static void checkPartitions(
            Topic<?, ?> topic, int partitions, @Nullable TopicFacts reference, Findings findings) {
        switch (topic.partitioning()) {
            case ONE -> {
                if (partitions != 1) {
                    findings.fail(
                            topic.name(),
                            "has " + partitions + " partitions, must have 1: its order matters",
                            "stop Laurel, and copy its records to a new topic of this name with one partition");
                }
            }
            case USERS -> {
                if (reference != null && partitions != reference.partitions().size()) {
                    int wanted = reference.partitions().size();
                    findings.fail(
                            topic.name(),
                            "has " + partitions + " partitions, must have as many as " + reference.name() + ", "
                                    + wanted,
                            partitions < wanted
                                    ? findings.repair().widen(topic.name(), wanted)
                                    : "partitions cannot be removed: stop Laurel, let the readers of the topic finish,"
                                            + " delete it, and create it again with "
                                            + findings.repair().laurel("topics create --partitions " + wanted));
                }
            }
            case BOARDS, GATEWAYS -> {
                // any number is allowed
            }
        }
    }

    /**
     * Checks that topics keep their records long enough and accept the required timestamps. Reports only settings
     * that lose data; larger limits are fine.
     */
    static void settings(ClusterFacts cluster, Findings findings) {
        int checked = 0;
        for (Topic<?, ?> topic : cluster.catalogue()) {
            TopicFacts found = cluster.topics().get(topic.name());
            if (found != null) {
                checked++;
                // Topics without this setting in the catalogue have the policy delete.
                checkSetting(
                        topic,
                        found,
                        POLICY,
                        topic.config().getOrDefault(POLICY, TopicConfig.CLEANUP_POLICY_DELETE),
                        findings);
                topic.config().forEach((name, wanted) -> {
                    if (!name.equals(POLICY)) {
                        checkSetting(topic, found, name, wanted, findings);
                    }
                });
            }
        }
        if (checked > 0) {
            findings.okIfNone("", checked + " topics have the required settings");
        }
    }

    private static void checkSetting(
            Topic<?, ?> topic, TopicFacts found, String name, String wanted, Findings findings) {
        String actual = found.settings().get(name);
        if (actual == null || Topics.isChosen(topic, name)) {
            return;
        }
        boolean isSufficient = switch (name) {
            case TopicConfig.RETENTION_MS_CONFIG,
                    TopicConfig.RETENTION_BYTES_CONFIG,
                    TopicConfig.DELETE_RETENTION_MS_CONFIG -> !isLess(actual, wanted);
            case TopicConfig.MAX_MESSAGE_BYTES_CONFIG -> Long.parseLong(actual) >= Long.parseLong(wanted);
            default -> actual.equals(wanted);
        };
        if (!isSufficient) {
            findings.setting(
                    statusOf(topic, name, wanted), found, name, ", must be " + wanted + reason(topic, name), wanted);
        }
    }

    private static Status statusOf(Topic<?, ?> topic, String name, String wanted) {
        if (DirectTopics.isOne(topic.name())) {
            return Status.fail;
        }
        boolean isFailure = switch (name) {
            case TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.MAX_MESSAGE_BYTES_CONFIG -> true;
            case TopicConfig.RETENTION_MS_CONFIG, TopicConfig.RETENTION_BYTES_CONFIG -> wanted.equals(FOREVER);
            default -> isLog(topic);
        };
        return isFailure ? Status.fail : Status.warn;
    }

    /** Returns whether the topic is a log, whatever its name. */
    private static boolean isLog(Topic<?, ?> topic) {
        return topic.config().equals(Topics.COMMANDS.config()) && !DirectTopics.isOne(topic.name());
    }

    private static boolean isLess(String actual, String wanted) {
        return !actual.equals(FOREVER) && (wanted.equals(FOREVER) || Long.parseLong(actual) < Long.parseLong(wanted));
    }

    private static String reason(Topic<?, ?> topic, String name) {
        if (DirectTopics.isOne(topic.name())) {
            return ": what is not in the log yet would be lost, or would count at another time";
        }
        boolean isLog = isLog(topic);
        if (topic.name().equals(Topics.RULESET_ARCHIVE.name()) && !name.equals(TopicConfig.MAX_MESSAGE_BYTES_CONFIG)) {
            return ": earlier rules judge the commands of their time, and deleted ones are lost";
        }
        return switch (name) {
            case TopicConfig.RETENTION_MS_CONFIG,
                    TopicConfig.RETENTION_BYTES_CONFIG,
                    TopicConfig.CLEANUP_POLICY_CONFIG ->
                isLog ? ": the log is the whole input, and deleted records are lost" : "";
            case TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG ->
                isLog
                        ? ": the time of a record is the time of its event"
                        : ": retention must begin at arrival, otherwise imported history is deleted at once";
            default -> "";
        };
    }

    /**
     * Checks the timestamps that the log accepts: any in the past, because history is imported, and none in the far
     * future.
     */
    static void logTimes(ClusterFacts cluster, Findings findings) {
        TopicFacts log = cluster.topics().get(cluster.log());
        if (log == null) {
            return;
        }
        String before = log.settings().get(BEFORE);
        if (before != null && Long.parseLong(before) < BEFORE_MIN_MS) {
            findings.setting(
                    Status.warn, log, BEFORE, ": older history cannot be imported", Long.toString(Long.MAX_VALUE));
        }
        String after = log.settings().get(AFTER);
        String usual = Long.toString(AFTER_USUAL_MS);
        if (after != null && Long.parseLong(after) < AFTER_MIN_MS) {
            findings.setting(
                    Status.fail, log, AFTER, ": events of a gateway whose clock is a little ahead are refused", usual);
        } else if (after != null && Long.parseLong(after) > AFTER_MAX_MS) {
            findings.setting(
                    Status.warn,
                    log,
                    AFTER,
                    ": a producer with a wrong clock can move a user's time"
                            + " far ahead (keep it if you use --test-clock)",
                    usual);
        }
        if (before != null || after != null) {
            findings.okIfNone("", "the log accepts any past time and no time in the far future");
        }
    }
}
