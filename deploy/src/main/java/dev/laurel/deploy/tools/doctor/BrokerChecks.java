package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.processors.runtime.FailoverSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Checks of the brokers themselves: versions, settings and clocks. */
final class BrokerChecks {

    private BrokerChecks() {}

    /** Checks that brokers run Kafka 3.7 or newer, and that the loss of one is survived. */
    public static final class BrokersCheck implements Diagnosis.Check {

        private static final String NAME = "brokers";

        /** The {@code metadata.version} level of Kafka 3.7. */
        private static final int LEVEL_OF_3_7 = 19;
        private static final int UNKNOWN = -1;

        @Override
        public List<Finding> judge(Facts facts) {
            if (facts.cluster() == null) {
                return List.of();
            }
            List<BrokerFacts> brokers = facts.cluster().brokers();
            var findings = new ArrayList<Finding>();
            for (BrokerFacts broker : brokers) {
                if (broker.level() != UNKNOWN && broker.level() < LEVEL_OF_3_7) {
                    findings.add(Finding.fail(NAME, place(broker),
                            "is older than Kafka 3.7 (it knows metadata.version up to " + broker.level() + ")",
                            "upgrade it to Kafka 3.7 or newer, then raise metadata.version with kafka-features.sh"));
                }
            }
            if (brokers.size() < 3) {
                findings.add(Finding.warn(NAME, "",
                        (brokers.size() == 1 ? "one broker" : brokers.size() + " brokers")
                                + ": when one is lost, writes stop, and with its disk the log is gone",
                        "run three, and give each topic three copies: " + facts.tools().laurel("doctor")
                                + " says how once they run"));
            }
            if (findings.isEmpty()) {
                findings.add(Finding.ok(NAME, "", brokers.size() + " brokers, Kafka 3.7 or newer"));
            }
            return findings;
        }

        private static String place(BrokerFacts broker) {
            return "broker " + broker.id() + " at " + broker.address();
        }
    }

    /** Checks the broker settings that Laurel depends on. One finding per setting, with the brokers concerned. */
    public static final class BrokerSettingsCheck implements Diagnosis.Check {

        private static final String NAME = "broker-settings";

        /** A committed offset must outlive any time that a deployment is switched off. */
        private static final long OFFSETS_LEAST_MIN = Duration.ofDays(30).toMinutes();
        private static final long OFFSETS_GOOD_MIN = Duration.ofDays(3_650).toMinutes();

        /** Session timeout that the consumers of a node request. */
        private static final long SESSION_MS = FailoverSettings.SESSION_TIMEOUT_MS;

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
                // Applies to changelogs, which the applications create.
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

        /** Returns the brokers with a wrong value, by value. */
        private static Map<String, String> offending(ClusterFacts cluster, String name, LongPredicate isWrong) {
            return cluster.brokers().stream().filter(broker -> broker.settings().containsKey(name))
                    .filter(broker -> isWrong.test(Long.parseLong(broker.settings().get(name))))
                    .collect(Collectors.groupingBy((BrokerFacts broker) -> broker.settings().get(name),
                            LinkedHashMap::new,
                            Collectors.mapping(broker -> Integer.toString(broker.id()),
                                    Collectors.collectingAndThen(Collectors.joining(", "),
                                            ids -> (ids.contains(",") ? "brokers " : "broker ") + ids))));
        }

        /** Returns a fix for settings that cannot be changed while a broker runs. */
        private static String file(String setting) {
            return "in server.properties of these brokers: " + setting + "; then restart them one by one";
        }
    }

    /**
     * Checks that clocks agree with that of this machine. A gateway's clock sets the time of an event, a node's that
     * of timers, and a broker's decides which times are too far in the future.
     */
    public static final class ClocksCheck implements Diagnosis.Check {

        private static final String NAME = "clocks";
        private static final long WARN_MS = 1_000;
        private static final long FAIL_MS = Duration.ofSeconds(30).toMillis();

        @Override
        public List<Finding> judge(Facts facts) {
            var findings = new ArrayList<Finding>();
            int asked = 0;
            if (facts.cluster() != null) {
                for (BrokerFacts broker : facts.cluster().brokers()) {
                    asked += judge("broker " + broker.id() + " at " + broker.address(), broker.clock(), findings);
                }
            }
            for (Facts.ServerFacts server : facts.servers()) {
                asked += judge(server.url(), server.clock(), findings);
            }
            if (findings.isEmpty() && asked > 0) {
                findings.add(Finding.ok(NAME, "", asked + (asked == 1 ? " clock agrees" : " clocks agree")
                        + " with this machine's"));
            }
            return findings;
        }

        /** Returns the number of clocks that were checked. */
        private static int judge(String subject, Facts.ClockFacts clock, List<Finding> findings) {
            if (clock == null) {
                return 0;
            }
            long offMs = clock.offMs();
            if (offMs > WARN_MS) {
                String message = "its clock is " + offMs / 1000 + " s or more "
                        + (clock.isAhead() ? "ahead of" : "behind")
                        + " this machine's";
                String fix = "on that machine, or on this one: sudo systemctl enable --now chronyd; chronyc makestep";
                findings.add(offMs > FAIL_MS
                        ? Finding.fail(NAME, subject, message, fix)
                        : Finding.warn(NAME, subject, message, fix));
            }
            return 1;
        }
    }
}
