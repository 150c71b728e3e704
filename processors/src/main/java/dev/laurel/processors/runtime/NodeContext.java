package dev.laurel.processors.runtime;

import dev.laurel.platform.kafka.LocalRecords;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.processors.stream.LeaderboardLayout;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * The objects that the applications of a node share. All are thread-safe.
 *
 * @param node identifies this member in the groups of its applications, for as long as its state exists
 * @param boards assigns leaderboards to the partitions of {@code laurel.scores}
 * @param clock gives the time of ticks only
 * @param tails what this process has written and need not fetch
 * @param onFault receives the fault that stopped an application, once, on one of its threads
 */
public record NodeContext(
        LedgerConfig config,
        NodeId node,
        LeaderboardLayout boards,
        InstantSource clock,
        LocalRecords tails,
        Metrics metrics,
        Consumer<Throwable> onFault) {

    /** See {@link LedgerConfig#forThroughput}. */
    public NodeContext forThroughput() {
        return new NodeContext(config.forThroughput(), node, boards, clock, tails, metrics, onFault);
    }
}
