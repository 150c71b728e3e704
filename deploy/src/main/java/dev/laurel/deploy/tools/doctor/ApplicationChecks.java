package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.HeldFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.LagFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.MemberFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.TopicConfig;

/** Checks of the Streams applications: groups, changelogs, generations and transactions. */
final class ApplicationChecks {

    private ApplicationChecks() {}

    /** Checks that the applications run, read every partition of their topics, and do not lag far behind. */
    public static final class GroupsCheck implements Diagnosis.Check {

        private static final String NAME = "groups";
        private static final long MAX_LAG = 10_000;

        @Override
        public List<Finding> judge(Facts facts) {
            if (facts.cluster() == null || facts.cluster().topics().isEmpty()) {
                return List.of();
            }
            var findings = new ArrayList<Finding>();
            for (ClusterFacts.StreamsApplication application : facts.cluster().applications()) {
                GroupFacts group = facts.cluster().groups().get(application.id());
                String start = facts.tools().laurel(application.role());
                if (group == null) {
                    findings.add(Finding.warn(NAME, application.id(), "has never run", start));
                } else {
                    judge(group, start, findings);
                }
            }
            return findings;
        }

        private static void judge(GroupFacts group, String start, List<Finding> findings) {
            int before = findings.size();
            switch (group.state()) {
                case "Stable" -> {
                    unread(group, start, findings);
                    idle(group, findings);
                }
                case "Empty", "Dead" -> findings.add(Finding.fail(NAME, group.name(), "nobody runs it", start));
                default -> findings.add(Finding.warn(NAME, group.name(), "is in state " + group.state()
                        + ": partitions are being given out",
                        "look again in a minute; if it stays so, a member cannot start:"
                                + " see its log"));
            }
            late(group, findings);
            if (findings.size() == before) {
                long lag = group.lags().stream().mapToLong(LagFacts::records).sum();
                findings.add(Finding.ok(NAME, group.name(),
                        group.members().size() + " members, " + lag + " records behind"));
            }
        }

        private static void unread(GroupFacts group, String start, List<Finding> findings) {
            Set<String> read = new HashSet<>();
            group.members().forEach(member -> read.addAll(member.partitions()));
            String unread = group.lags().stream().map(lag -> lag.topic() + "-" + lag.partition())
                    .filter(partition -> !read.contains(partition)).collect(Collectors.joining(", "));
            if (!unread.isEmpty()) {
                findings.add(Finding.fail(NAME, group.name(), "nobody reads " + unread,
                        "restart a member so that partitions are given out anew, or start one more: " + start));
            }
        }

        private static void idle(GroupFacts group, List<Finding> findings) {
            List<MemberFacts> idle = group.members().stream().filter(member -> member.partitions().isEmpty()).toList();
            if (!idle.isEmpty()) {
                findings.add(Finding.warn(NAME, group.name(),
                        idle.size() + " of " + group.members().size() + " stream threads have no partition, at "
                                + idle.stream().map(MemberFacts::host).distinct().sorted()
                                        .collect(Collectors.joining(", ")),
                        "fewer threads or processes, or more partitions (they are idle, unless they keep standbys)"));
            }
        }

        private static void late(GroupFacts group, List<Finding> findings) {
            List<LagFacts> late = group.lags().stream().filter(lag -> lag.records() > MAX_LAG)
                    .sorted(Comparator.comparingLong(LagFacts::records).reversed()).toList();
            if (!late.isEmpty()) {
                findings.add(Finding.warn(NAME, group.name(), late.stream()
                        .map(lag -> lag.topic() + "-" + lag.partition() + " is " + lag.records() + " records behind")
                        .collect(Collectors.joining(", ")),
                        "look again: if it does not shrink, start another process or raise --threads; one partition alone may"
                                + " have a hot user or a stuck task: see the log of its member"));
            }
        }
    }

    /**
     * Checks that state can be restored: each store of an application that has run has a compacted changelog with as
     * many partitions as the source topic.
     */
    public static final class ChangelogsCheck implements Diagnosis.Check {

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
            for (ClusterFacts.StreamsApplication application : facts.cluster().applications()) {
                TopicFacts source = facts.cluster().topics().get(application.source());
                if (!facts.cluster().groups().containsKey(application.id()) || source == null) {
                    continue; // It has never run; GroupsCheck reports that.
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
                findings.add(
                        Finding.fail(NAME, changelog, "is missing: the store cannot be restored elsewhere", rebuild));
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

    /** Checks that no replay or widening of the log was left half-way. */
    public static final class GenerationsCheck implements Diagnosis.Check {

        private static final String NAME = "generations";

        @Override
        public List<Finding> judge(Facts facts) {
            if (facts.cluster() == null || facts.cluster().topics().isEmpty()) {
                return List.of();
            }
            var findings = new ArrayList<Finding>();
            int inForce = facts.cluster().generations().inForce().number();
            for (GenerationRecord record : facts.cluster().generations().unfinished()) {
                String subject = "generation " + record.number();
                switch (record.state()) {
                    case BUILDING, FOLLOWED -> findings.add(Finding.warn(NAME, subject,
                            "is being built beside generation " + inForce + ", which is in force",
                            "if no replay runs any more: " + facts.tools().laurel("replay --give-up")));
                    case PROMOTED -> findings.add(Finding.warn(NAME, subject, "is coming into force",
                            "look again in a minute; if it stays so, a node cannot go on: see its log"));
                    case IN_FORCE, OVER -> findings.add(copying(record, subject, facts.tools()));
                }
            }
            return findings.isEmpty() ? List.of(Finding.ok(NAME, "", inForce + " is in force")) : findings;
        }

        private static Finding copying(GenerationRecord record, String subject, RepairCommands tools) {
            return Finding.warn(NAME, subject, record.copiedFrom() + " is still copied into its log, " + record.log(),
                    "when nobody writes to " + record.copiedFrom() + " any more: "
                            + tools.laurel("replay --end-copying"));
        }
    }

    /**
     * Checks that no transaction blocks the log: the ledger reads committed records, so an open transaction stops
     * everything behind it.
     */
    public static final class TransactionsCheck implements Diagnosis.Check {

        private static final String NAME = "transactions";

        /**
         * Laurel's transactions are open for milliseconds. Kafka ends those of a dead client after this time or a
         * little more.
         */
        private static final long HANGING_MS = Duration.ofMinutes(1).toMillis();

        @Override
        public List<Finding> judge(Facts facts) {
            if (facts.cluster() == null || !facts.cluster().topics().containsKey(facts.cluster().log())) {
                return List.of();
            }
            String log = facts.cluster().log();
            var findings = new ArrayList<Finding>();
            for (HeldFacts held : facts.cluster().held()) {
                String subject = log + "-" + held.partition();
                String message = "a transaction at offset " + held.stableEnd() + " keeps "
                        + (held.end() - held.stableEnd())
                        + " records from being read"
                        + (held.producerId() < 0
                                ? ""
                                : "; its producer " + held.producerId() + " last wrote " + held.idleMs() / 1000
                                        + " s ago");
                String abort = facts.tools().abort(log, held.partition(), held.stableEnd());
                findings.add(held.producerId() >= 0 && held.idleMs() > HANGING_MS
                        ? Finding.fail(NAME, subject, message, abort)
                        : Finding.warn(NAME, subject, message,
                                "look again in a minute; if it is still there: " + abort));
            }
            if (findings.isEmpty()) {
                findings.add(Finding.ok(NAME, "", "none holds up the log"));
            }
            return findings;
        }
    }
}
