package dev.laurel.deploy.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One node and two nodes, each on a core of its own.
 *
 * @param partitions divided by the nodes
 * @param eventsPerNode measured; half as many warm each node up
 * @param rounds of one node, then two
 */
record ScalePlan(int partitions, int users, int eventsPerNode, int rounds) {
    static final int NODES = 2;
    private static final int PARTITIONS = 4;
    private static final int USERS = 10_000;
    private static final int EVENTS = 500_000;
    private static final int EVENTS_QUICK = 30_000;
    private static final int EVENTS_MIN = 1_000;
    private static final int EVENTS_MAX = 20_000_000;

    ScalePlan {
        if (eventsPerNode < EVENTS_MIN || eventsPerNode > EVENTS_MAX) {
            throw new IllegalArgumentException(
                    "each node gets " + EVENTS_MIN + " to " + EVENTS_MAX + " events, not " + eventsPerNode);
        }
    }

    /** @param events {@code null}: as many as a figure needs, or a look */
    static ScalePlan of(Integer events, boolean isQuick) {
        int given = events != null ? events : isQuick ? EVENTS_QUICK : EVENTS;
        return new ScalePlan(PARTITIONS, USERS, given, isQuick ? 1 : 2);
    }

    /** Those that no node is pinned to; empty if there are none. */
    static List<Integer> coresOfBroker(int cores) {
        return IntStream.range(NODES, Math.max(NODES, cores)).boxed().toList();
    }
}
