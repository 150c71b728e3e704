package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.BrokerFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding;
import dev.laurel.processors.runtime.StreamsSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Checks of the brokers themselves: versions, settings and clocks. */
final class BrokerChecks {

    /** The {@code metadata.version} level of Kafka 3.7. */
    private static final int LEVEL_OF_3_7 = 19;

    private static final int UNKNOWN = -1;

    /** A committed offset must outlive any time that a deployment is switched off. */
    private static final long OFFSETS_MIN_MINUTES = Duration.ofDays(30).toMinutes();

    private static final long OFFSETS_GOOD_MINUTES = Duration.ofDays(3_650).toMinutes();

    /** Session timeout that the consumers of a node request. */
    private static final long SESSION_MS = StreamsSettings.SESSION_TIMEOUT_MS;

    private static final long CLOCK_WARN_MS = 1_000;
    private static final long CLOCK_FAIL_MS = Duration.ofSeconds(30).toMillis();

    private BrokerChecks() {}

    /** Checks that brokers run Kafka 3.7 or newer, and that the deployment survives the loss of one. */
    static void brokers(ClusterFacts cluster, Findings findings) {
        List<BrokerFacts> brokers = cluster.brokers();
        for (BrokerFacts broker : brokers) {
            if (broker.level() != UNKNOWN && broker.level() < LEVEL_OF_3_7) {
                findings.fail(
                        name(broker),
                        "is older than Kafka 3.7 (it supports metadata.version up to " + broker.level() + ")",
                        "upgrade it to Kafka 3.7 or newer, then raise metadata.version with kafka-features.sh");
            }
        }
        if (brokers.size() < 3) {
            findings.warn(
                    "",
                    (brokers.size() == 1 ? "one broker" : brokers.size() + " brokers")
                            + ": if one is lost, writes stop; if its disk is lost, the log is lost",
                    "run three brokers with three copies of each topic: once they run, "
                            + findings.repair().laurel("doctor") + " shows the commands");
        }
        findings.okIfNone("", brokers.size() + " brokers, Kafka 3.7 or newer");
    }

    private static String name(BrokerFacts broker) {
        return "broker " + broker.id() + " at " + broker.address();
    }

    /** Checks the broker settings that Laurel depends on. One finding per setting, with the brokers concerned. */
    static void settings(ClusterFacts cluster, Findings findings) {
        if (cluster.brokers().stream().allMatch(broker -> broker.settings().isEmpty())) {
            return;
        }
        offending(cluster, "offsets.retention.minutes", minutes -> minutes < OFFSETS_MIN_MINUTES)
                .forEach((value, brokers) -> findings.warn(
                        brokers,
                        "offsets.retention.minutes is " + value + ": after a stop of " + Long.parseLong(value) / 1440
                                + " days the ledger has lost its offsets and processes the whole log again",
                        file("offsets.retention.minutes=" + OFFSETS_GOOD_MINUTES)));
        offending(cluster, "group.min.session.timeout.ms", ms -> ms > SESSION_MS)
                .forEach((value, brokers) -> findings.fail(
                        brokers,
                        "group.min.session.timeout.ms is " + value + ": members with a timeout of " + SESSION_MS
                                + " ms are refused",
                        file("group.min.session.timeout.ms=6000")));
        if (cluster.isReplicated()) {
            expectAtLeast(3, "transaction.state.log.replication.factor", cluster, findings);
            expectAtLeast(2, "transaction.state.log.min.isr", cluster, findings);
            expectAtLeast(3, "offsets.topic.replication.factor", cluster, findings);
            // Applies to changelogs, which the applications create.
            expectAtLeast(3, "default.replication.factor", cluster, findings);
        }
        findings.okIfNone("", "all brokers have the required settings");
    }

    private static void expectAtLeast(long least, String name, ClusterFacts cluster, Findings findings) {
        offending(cluster, name, value -> value < least)
                .forEach((value, brokers) -> findings.warn(
                        brokers,
                        name + " is " + value + ": topics created from now on do not survive the loss of a broker",
                        file(name + "=" + least)));
    }

    /** Returns the brokers with a wrong value, by value. */
    private static Map<String, String> offending(ClusterFacts cluster, String name, LongPredicate isWrong) {
        var idsByValue = new LinkedHashMap<String, String>();
        for (BrokerFacts broker : cluster.brokers()) {
            String value = broker.settings().get(name);
            if (value != null && isWrong.test(Long.parseLong(value))) {
                idsByValue.merge(value, Integer.toString(broker.id()), (ids, id) -> ids + ", " + id);
            }
        }
        idsByValue.replaceAll((_, ids) -> (ids.contains(",") ? "brokers " : "broker ") + ids);
        return idsByValue;
    }

    /** Returns a fix for settings that cannot be changed while a broker runs. */
    private static String file(String setting) {
        return "in server.properties of these brokers: " + setting + "; then restart them one by one";
    }

    /**
     * Checks that clocks agree with that of this machine. A gateway's clock sets the time of an event, a node's that
     * of timers, and a broker's decides which times are too far in the future.
     */
    static void clocks(Facts facts, Findings findings) {
        int checked = 0;
        if (facts.cluster() != null) {
            for (BrokerFacts broker : facts.cluster().brokers()) {
                checked += checkClock(name(broker), broker.clock(), findings);
            }
        }
        for (Facts.ServerFacts server : facts.servers()) {
            checked += checkClock(server.url(), server.clock(), findings);
        }
        if (checked > 0) {
            findings.okIfNone(
                    "", checked + (checked == 1 ? " clock agrees" : " clocks agree") + " with this machine's");
        }
    }

    /** Returns the number of clocks that were checked. */
    private static int checkClock(String subject, ClusterFacts.@Nullable ClockFacts clock, Findings findings) {
        if (clock == null) {
            return 0;
        }
        long offMs = clock.offMs();
        if (offMs > CLOCK_WARN_MS) {
            findings.add(
                    offMs > CLOCK_FAIL_MS ? Finding.Status.fail : Finding.Status.warn,
                    subject,
                    "its clock is " + offMs / 1000 + " s or more " + (clock.isAhead() ? "ahead of" : "behind")
                            + " this machine's",
                    "on that machine, or on this one: sudo systemctl enable --now chronyd; chronyc makestep");
        }
        return 1;
    }
}
