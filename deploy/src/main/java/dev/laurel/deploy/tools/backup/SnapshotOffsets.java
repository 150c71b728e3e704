package dev.laurel.deploy.tools.backup;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/**
 * End offsets of all partitions of a backup, consistent with each other. A ruleset is published, and a generation
 * promoted, by one transaction over a table and all partitions of the log; a snapshot that splits it would leave
 * users of some partitions under other rules for good.
 */
record SnapshotOffsets(Map<TopicPartition, Long> ends) {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final long POLL_INTERVAL_MS = 100;

    SnapshotOffsets {
        ends = Map.copyOf(ends);
    }

    /**
     * Reads the ends of the tables, then those of the logs, and those of the tables again once all transactions
     * before the ends of the logs are complete. If the tables of rules and generations have not grown, no such
     * transaction was under way: a transaction with a record before these ends would have ended since, and its marker
     * is a record too.
     */
    static SnapshotOffsets of(SourceCluster source, List<TopicPartition> logs, List<TopicPartition> tables)
            throws InterruptedException {
        List<TopicPartition> ruleTables = tables.stream().filter(table -> !table.topic().equals(Topics.ACCESS.name()))
                .toList();
        long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            Map<TopicPartition, Long> before = source.ends(ruleTables);
            Map<TopicPartition, Long> ends = source.ends(logs);
            awaitDecided(source, ends, deadlineNs);
            Map<TopicPartition, Long> decided = source.decided(tables);
            if (source.ends(ruleTables).equals(before)
                    && decided.entrySet().containsAll(before.entrySet())) {
                var all = new HashMap<>(ends);
                all.putAll(decided);
                return new SnapshotOffsets(all);
            }
            waitOrFail(deadlineNs, "rulesets are published all the time");
        }
    }

    private static void awaitDecided(SourceCluster source, Map<TopicPartition, Long> ends, long deadlineNs)
            throws InterruptedException {
        while (true) {
            Map<TopicPartition, Long> decided = source.decided(ends.keySet());
            if (ends.entrySet().stream().allMatch(end -> decided.getOrDefault(end.getKey(), 0L) >= end.getValue())) {
                return;
            }
            waitOrFail(deadlineNs, "a transaction is open on the log; 'laurel doctor' shows its producer");
        }
    }

    private static void waitOrFail(long deadlineNs, String why) throws InterruptedException {
        if (System.nanoTime() - deadlineNs > 0) {
            throw new CommandFailed(
                    "no consistent snapshot was possible within " + TIMEOUT.toSeconds() + " s: " + why);
        }
        TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL_MS);
    }

    long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }
}
