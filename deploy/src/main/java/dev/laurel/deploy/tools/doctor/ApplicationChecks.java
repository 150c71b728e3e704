package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.LagFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.MemberFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.OpenTransactionFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.StreamsApplication;
import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/** Checks of the Streams applications: groups, changelogs, generations and transactions. */
final class ApplicationChecks {

    private static final long MAX_LAG = 10_000;
    private static final String POLICY = TopicConfig.CLEANUP_POLICY_CONFIG;
    private static final String MAX_BYTES = TopicConfig.MAX_MESSAGE_BYTES_CONFIG;

    /**
     * Laurel's transactions are open for milliseconds. Kafka ends those of a dead client after this time or a little
     * more.
     */
    private static final long HANGING_MS = Duration.ofMinutes(1).toMillis();

    private ApplicationChecks() {}

    /** Checks that the applications run, read every partition of their topics, and do not lag far behind. */
    static void groups(ClusterFacts cluster, Findings findings) {
        if (cluster.topics().isEmpty()) {
            return;
        }
        for (StreamsApplication application : cluster.applications()) {
            GroupFacts group = cluster.groups().get(application.id());
            String start = findings.repair().laurel(application.role());
            if (group == null) {
                findings.warn(application.id(), "has never run", start);
            } else {
                checkGroup(group, start, findings);
            }
        }
    }

    private static void checkGroup(GroupFacts group, String start, Findings findings) {
        int before = findings.count();
        switch (group.state()) {
            case "Stable" -> {
                checkAssignment(group, start, findings);
                checkIdleThreads(group, findings);
            }
            case "Empty", "Dead" -> findings.fail(group.name(), "no process runs it", start);
            default ->
                findings.warn(
                        group.name(),
                        "is in state " + group.state() + ": partitions are being assigned",
                        "check again in a minute; if the state persists, a member cannot start: see its log");
        }
        checkLag(group, findings);
        if (findings.count() == before) {
            long lag = group.lags().stream().mapToLong(LagFacts::records).sum();
            findings.ok(group.name(), group.members().size() + " members, " + lag + " records behind");
        }
    }

    private static void checkAssignment(GroupFacts group, String start, Findings findings) {
        Set<String> assigned = new HashSet<>();
        group.members().forEach(member -> assigned.addAll(member.partitions()));
        String unassigned = group.lags().stream()
                .map(LagFacts::partitionName)
                .filter(partition -> !assigned.contains(partition))
                .collect(Collectors.joining(", "));
        if (!unassigned.isEmpty()) {
            findings.fail(
                    group.name(),
                    "no member reads " + unassigned,
                    "restart a member so that partitions are assigned again, or start another: " + start);
        }
    }

    private static void checkIdleThreads(GroupFacts group, Findings findings) {
        List<MemberFacts> idle = group.members().stream()
                .filter(member -> member.partitions().isEmpty())
                .toList();
        if (!idle.isEmpty()) {
            String hosts =
                    idle.stream().map(MemberFacts::host).distinct().sorted().collect(Collectors.joining(", "));
            findings.warn(
                    group.name(),
                    idle.size() + " of " + group.members().size() + " stream threads have no partition, at " + hosts,
                    "use fewer threads or processes, or more partitions (they are idle unless they keep standbys)");
        }
    }

    private static void checkLag(GroupFacts group, Findings findings) {
        List<LagFacts> late = group.lags().stream()
                .filter(lag -> lag.records() > MAX_LAG)
                .sorted(Comparator.comparingLong(LagFacts::records).reversed())
                .toList();
        if (!late.isEmpty()) {
            findings.warn(
                    group.name(),
                    late.stream()
                            .map(lag -> lag.partitionName() + " is " + lag.records() + " records behind")
                            .collect(Collectors.joining(", ")),
                    "check again: if the lag does not shrink, start another process or raise --threads; if only one"
                            + " partition lags, it may have a hot user or a stuck task: see the log of its member");
        }
    }

    /**
     * Checks that state can be restored: each store of an application that has run has a compacted changelog with as
     * many partitions as the source topic. Names changelogs that earlier releases have left.
     */
    static void changelogs(ClusterFacts cluster, Findings findings) {
        int checked = 0;
        for (StreamsApplication application : cluster.applications()) {
            TopicFacts source = cluster.topics().get(application.source());
            if (!cluster.groups().containsKey(application.id()) || source == null) {
                continue; // It has never run; the check of groups reports that.
            }
            for (String changelog : application.changelogs()) {
                checked++;
                checkChangelog(changelog, cluster.topics().get(changelog), source, findings);
            }
            cluster.topics().keySet().stream()
                    .filter(application::hadStoreOf)
                    .sorted()
                    .forEach(former -> findings.warn(
                            former,
                            "was of a store of an earlier release, and is not read any more",
                            findings.repair().delete(former)));
        }
        if (checked > 0) {
            findings.okIfNone("", checked + " stores can be restored from their changelogs");
        }
    }

    /** @param found null if the topic is missing */
    private static void checkChangelog(
            String changelog, @Nullable TopicFacts found, TopicFacts source, Findings findings) {
        String rebuild = "rebuild the state from the log: " + findings.repair().laurel("replay --promote");
        if (found == null) {
            findings.fail(changelog, "is missing: the store cannot be restored elsewhere", rebuild);
            return;
        }
        if (found.partitions().size() != source.partitions().size()) {
            findings.fail(
                    changelog,
                    "has " + found.partitions().size() + " partitions, " + source.name() + " has "
                            + source.partitions().size(),
                    rebuild);
        }
        String policy = found.settings().get(POLICY);
        if (policy != null && !policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            String effect = policy.contains(TopicConfig.CLEANUP_POLICY_DELETE)
                    ? "old state is deleted"
                    : "it grows with every change";
            findings.setting(
                    Status.fail, found, POLICY, ", must be compact: " + effect, TopicConfig.CLEANUP_POLICY_COMPACT);
        }
        String maxBytes = found.settings().get(MAX_BYTES);
        if (maxBytes != null && Long.parseLong(maxBytes) < Topics.MAX_RECORD_BYTES) {
            String wanted = Integer.toString(Topics.MAX_RECORD_BYTES);
            findings.setting(
                    Status.fail,
                    found,
                    MAX_BYTES,
                    ", must be " + wanted + ": a large user would stop the task",
                    wanted);
        }
    }

    /** Checks that no replay or widening of the log was left unfinished. */
    static void generations(ClusterFacts cluster, Findings findings) {
        if (cluster.topics().isEmpty()) {
            return;
        }
        int inForce = cluster.generations().inForce().number();
        for (GenerationRecord record : cluster.generations().unfinished()) {
            String subject = "generation " + record.number();
            switch (record.state()) {
                case BUILDING, FOLLOWED ->
                    findings.warn(
                            subject,
                            "is being built beside generation " + inForce + ", which is in force",
                            "if no replay is running: " + findings.repair().laurel("replay --give-up"));
                case PROMOTED ->
                    findings.warn(
                            subject,
                            "is promoted, but not in force yet",
                            "check again in a minute; if the state persists, a node cannot continue: see its log");
                case IN_FORCE, OVER ->
                    findings.warn(
                            subject,
                            record.copiedFrom() + " is still being copied into its log, " + record.log(),
                            "when no producer writes to " + record.copiedFrom() + " any more: "
                                    + findings.repair().laurel("replay --end-copying"));
            }
        }
        findings.okIfNone("", inForce + " is in force");
    }

    /**
     * Checks that no transaction blocks the log: the ledger reads committed records, so an open transaction stops
     * everything behind it.
     */
    static void transactions(ClusterFacts cluster, Findings findings) {
        if (!cluster.topics().containsKey(cluster.log())) {
            return;
        }
        for (OpenTransactionFacts open : cluster.openTransactions()) {
            boolean isProducerKnown = open.producerId() >= 0;
            String producer = isProducerKnown
                    ? "; its producer " + open.producerId() + " last wrote " + open.idleMs() / 1000 + " s ago"
                    : "";
            String abort = findings.repair().abort(cluster.log(), open.partition(), open.start());
            boolean isHanging = isProducerKnown && open.idleMs() > HANGING_MS;
            findings.add(
                    isHanging ? Status.fail : Status.warn,
                    cluster.log() + "-" + open.partition(),
                    "a transaction at offset " + open.start() + " blocks " + (open.end() - open.start()) + " records"
                            + producer,
                    isHanging ? abort : "check again in a minute; if it is still open: " + abort);
        }
        findings.okIfNone("", "none blocks the log");
    }
}
