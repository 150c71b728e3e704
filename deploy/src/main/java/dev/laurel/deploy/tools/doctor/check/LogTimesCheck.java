package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** Which times the log takes: any past, for history is imported, and no far future, which no client means. */
public final class LogTimesCheck implements Check {

    private static final String NAME = "log-times";
    private static final String BEFORE = TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG;
    private static final String AFTER = TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG;

    /** Clocks differ by less. */
    private static final long AFTER_LEAST_MS = Duration.ofMinutes(1).toMillis();
    private static final long AFTER_MOST_MS = Duration.ofDays(1).toMillis();
    private static final long AFTER_USUAL_MS = Duration.ofHours(1).toMillis();

    /** A century: as long as any history that is imported. */
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
