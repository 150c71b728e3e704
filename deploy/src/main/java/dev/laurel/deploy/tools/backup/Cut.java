package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/**
 * Where each partition ends for a backup, so that all of them fit together. A ruleset is published, and a generation promoted,
 * by one transaction over a table and all partitions of the log: a cut through it would leave users of some partitions
 * under other rules than those of the rest, for good.
 */
record Cut(Map<TopicPartition, Long> ends) {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long LOOK_AGAIN_MS = 100;

    Cut {
        ends = Map.copyOf(ends);
    }

    /**
     * Ends are taken of the tables, then of the logs, and of the tables again when it is decided what counts up to the ends
     * of the logs. If the tables of rules and generations have not grown, no such transaction was under way: one that had
     * anything before these ends would have ended since, and an end is a record, too.
     */
    static Cut of(Source source, List<TopicPartition> logs, List<TopicPartition> tables) throws InterruptedException {
        List<TopicPartition> told = tables.stream().filter(table -> !table.topic().equals(Topics.ACCESS.name()))
                .toList();
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Map<TopicPartition, Long> before = source.ends(told);
            Map<TopicPartition, Long> ends = source.ends(logs);
            awaitDecided(source, ends, deadlineNs);
            Map<TopicPartition, Long> decided = source.decided(tables);
            if (source.ends(told).equals(before) && told.stream().allMatch(t -> decided.get(t).equals(before.get(t)))) {
                var all = new HashMap<>(ends);
                all.putAll(decided);
                return new Cut(all);
            }
            waitOrFail(deadlineNs, "rules are published all the time");
        }
    }

    private static void awaitDecided(Source source, Map<TopicPartition, Long> ends, long deadlineNs)
            throws InterruptedException {
        var partitions = new ArrayList<>(ends.keySet());
        while (true) {
            Map<TopicPartition, Long> decided = source.decided(partitions);
            if (partitions.stream().allMatch(partition -> decided.get(partition) >= ends.get(partition))) {
                return;
            }
            waitOrFail(deadlineNs, "a transaction is open on the log; 'laurel doctor' says whose");
        }
    }

    private static void waitOrFail(long deadlineNs, String why) throws InterruptedException {
        if (System.nanoTime() - deadlineNs > 0) {
            throw new CommandFailed(
                    "no moment was found within " + PATIENCE.toSeconds() + " s at which to cut: " + why);
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
    }

    long end(TopicPartition partition) {
        return ends.get(partition);
    }
}
