package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.processors.TakeOver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** What brokers are told that Laurel depends on. One finding a setting, naming the brokers. */
public final class BrokerSettingsCheck implements Check {

    private static final String NAME = "broker-settings";

    /** A committed offset must outlive any time that a deployment is switched off. */
    private static final long OFFSETS_LEAST_MIN = Duration.ofDays(30).toMinutes();
    private static final long OFFSETS_GOOD_MIN = Duration.ofDays(3_650).toMinutes();

    /** As consumers ask for it: the session timeout of a node. */
    private static final long SESSION_MS = TakeOver.SESSION_TIMEOUT_MS;

    @Override
    public List<Finding> judge(Facts facts) {
        ClusterFacts cluster = facts.cluster();
        if (cluster == null || cluster.brokers().stream().allMatch(broker -> broker.settings().isEmpty())) {
            return List.of();
        }
        var findings = new ArrayList<Finding>();
        offending(cluster, "offsets.retention.minutes", minutes -> minutes < OFFSETS_LEAST_MIN).forEach(
                (value, brokers) -> findings.add(Finding.warn(NAME, brokers, "offsets.retention.minutes is " + value
                        + ": after a stop of " + Long.parseLong(value) / 1440
                        + " days the ledger has forgotten its place, and counts the whole log again",
                        file("offsets.retention.minutes=" + OFFSETS_GOOD_MIN))));
        offending(cluster, "group.min.session.timeout.ms", ms -> ms > SESSION_MS)
                .forEach((value, brokers) -> findings.add(Finding.fail(NAME, brokers,
                        "group.min.session.timeout.ms is " + value + ": members with a timeout of " + SESSION_MS
                                + " ms are refused",
                        file("group.min.session.timeout.ms=6000"))));
        if (cluster.isReplicated()) {
            atLeast(cluster, "transaction.state.log.replication.factor", 3, findings);
            atLeast(cluster, "transaction.state.log.min.isr", 2, findings);
            atLeast(cluster, "offsets.topic.replication.factor", 3, findings);
            // Of changelogs, which applications create.
            atLeast(cluster, "default.replication.factor", 3, findings);
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(NAME, "", "nothing in the way of any broker"));
        }
        return findings;
    }

    private static void atLeast(ClusterFacts cluster, String name, long least, List<Finding> findings) {
        offending(cluster, name, value -> value < least)
                .forEach((value, brokers) -> findings.add(Finding.warn(NAME, brokers,
                        name + " is " + value
                                + ": topics that are made from now on do not survive the loss of a broker",
                        file(name + "=" + least))));
    }

    /** @return names of the brokers with it by value */
    private static Map<String, String> offending(ClusterFacts cluster, String name, LongPredicate isWrong) {
        return cluster.brokers().stream().filter(broker -> broker.settings().containsKey(name))
                .filter(broker -> isWrong.test(Long.parseLong(broker.settings().get(name))))
                .collect(Collectors.groupingBy((BrokerFacts broker) -> broker.settings().get(name), LinkedHashMap::new,
                        Collectors.mapping(broker -> Integer.toString(broker.id()),
                                Collectors.collectingAndThen(Collectors.joining(", "),
                                        ids -> (ids.contains(",") ? "brokers " : "broker ") + ids))));
    }

    /** None of them can be changed while a broker runs. */
    private static String file(String setting) {
        return "in server.properties of these brokers: " + setting + "; then restart them one by one";
    }
}
