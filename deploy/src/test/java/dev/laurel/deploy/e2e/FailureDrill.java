package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.e2e.DrillCluster.Member;
import dev.laurel.processors.runtime.LedgerConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A deployment of processes under load in which something fails. Measures how long nothing could be written or read,
 * and compares everything with the responses; during the load, each response must contain the right total.
 */
final class FailureDrill implements AutoCloseable {

    /** Each lap is a point, so each event has one award; ties occur. */
    private static final String RULESET = """
        {"metrics": {"laps": {}},
         "achievements": {"hundred": {"trigger": "metric", "metric": "laps", "value": 100}},
         "points": {"gems": {"triggers": {"per-lap": {"type": "metric", "metric": "laps", "threshold": 1, "points": 1}}}},
         "leaderboards": {"lanes": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2024-01-01"}},
         "streak": {}}
        """;

    private static final Duration WARM_UP = Duration.ofSeconds(7);
    private static final Duration WATCHED = Duration.ofSeconds(5);

    /** Each of four partitions has an event every 20 ms. */
    private static final Duration STEADY = Duration.ofMillis(1_500);

    private final DrillCluster cluster;
    private final DrillLoad load;
    private final String name;
    private final long startedNs = System.nanoTime();
    private long happenedNs;
    private boolean isSteady;

    private FailureDrill(String name, DrillCluster cluster) {
        this.name = name;
        this.cluster = cluster;
        this.load = new DrillLoad(cluster.gatewayServers(), cluster.nodeServers(), DrillCluster.PARTITIONS);
    }

    /** @param name for people. @return a started deployment without load */
    static FailureDrill of(String name, Path folder, int brokers, int nodes, int gateways) throws IOException {
        return of(name, folder, brokers, nodes, gateways, RULESET);
    }

    /** Likewise. @param ruleset with one point per lap */
    static FailureDrill of(String name, Path folder, int brokers, int nodes, int gateways, String ruleset)
            throws IOException {
        return new FailureDrill(name, DrillCluster.start(folder, brokers, nodes, gateways, ruleset));
    }

    DrillCluster cluster() {
        return cluster;
    }

    /** Starts the load and lets it run for a while before the failure. */
    void warmUp() throws InterruptedException {
        load.start();
        goOn(WARM_UP);
        long fromNs = System.nanoTime();
        goOn(WATCHED);
        Duration gap = Duration.ofNanos(
                load.writes().longest(fromNs, System.nanoTime()).ns());
        isSteady = gap.compareTo(STEADY) < 0;
        say(
                isSteady
                        ? "warm"
                        : "THIS MACHINE IS TOO BUSY, gaps are not judged: nothing was written for " + gap
                                + ", and nothing has happened yet");
    }

    /**
     * Marks the moment from which gaps are counted.
     *
     * @param what description for people
     */
    void happens(String what) {
        load.expectNoFault();
        happenedNs = System.nanoTime();
        say(what);
    }

    /** Prints a line. */
    void say(String what) {
        System.out.printf("drill %s, %5.1f s: %s%n", name, (System.nanoTime() - startedNs) / 1e9, what);
    }

    /** Checks that reads from this node itself contain all accepted events or are marked as stale. */
    void expectNoStaleReads(Member node) {
        try (LaurelClient client = node.process().client()) {
            load.expectNoStaleReads(client);
        }
    }

    /** Lets the load run for this time. */
    void goOn(Duration length) throws InterruptedException {
        load.goOn(length);
    }

    /** Returns when every event in progress is accepted. */
    void endLoad() {
        load.close();
    }

    /** Ends the load, and checks that each of these nodes shows all accepted events. */
    void expectExact(List<Member> nodes) {
        expectExact(nodes, LedgerConfig.APPLICATION_ID);
    }

    /** Likewise. @param ledger the ledger application in force */
    void expectExact(List<Member> nodes, String ledger) {
        endLoad();
        List<LaurelClient> clients =
                nodes.stream().map(node -> node.process().client()).toList();
        try {
            new DrillCheck(load, cluster.kafka(), ledger).assertExact(clients);
        } finally {
            clients.forEach(LaurelClient::close);
        }
        say("everything is exact: " + load.writes().count() + " events, "
                + load.reads().count() + " reads");
        assertEquals(List.of(), load.outdatedReads(), "reads that did not show what had been answered before");
    }

    void expectNoFault() {
        load.expectNoFault();
    }

    /** Returns the number of events. */
    int accepted() {
        return load.writes().count();
    }

    /** Prints the gaps since the event and checks them, unless the machine was too busy from the start. */
    void expectGaps(Duration ofWrites, Duration ofReads) {
        long nowNs = printGaps();
        if (isSteady) {
            assertShorter(load.writes().longest(happenedNs, nowNs), ofWrites, "writes");
            assertShorter(load.reads().longest(happenedNs, nowNs), ofReads, "reads");
        }
    }

    /**
     * Prints the gaps since the event.
     *
     * @return end of the last one
     */
    long printGaps() {
        long nowNs = System.nanoTime();
        say("writes: " + load.writes().describe(happenedNs, nowNs));
        say("reads:  " + load.reads().describe(happenedNs, nowNs));
        say("troubles: " + load.troubles());
        return nowNs;
    }

    /** Checks the longest time since the event that a write of one user took, with all its attempts. */
    void expectWaits(Duration ofWrites) {
        Duration longest = load.writes().longestWait(happenedNs, System.nanoTime());
        say(String.format(
                Locale.ROOT,
                "longest wait of one user's write: %.1f s, load average %.1f",
                longest.toMillis() / 1e3,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        if (isSteady) {
            assertTrue(
                    longest.compareTo(ofWrites) < 0,
                    () -> "not below " + ofWrites + ": the write of one user took " + longest);
        }
    }

    /**
     * Lets the load run until this many nodes have the same number of partitions of users each.
     *
     * @param atMost time after which it is not checked any more
     */
    void goOnUntilShared(int nodes, Duration atMost) throws InterruptedException {
        long sinceNs = System.nanoTime();
        List<Integer> fair = Collections.nCopies(nodes, DrillCluster.PARTITIONS / nodes);
        while (!cluster.shares().equals(fair) && System.nanoTime() - sinceNs < atMost.toNanos()) {
            goOn(Duration.ofSeconds(1));
        }
        say("partitions of users by node: " + cluster.shares());
    }

    private static void assertShorter(Gaps.Gap gap, Duration limit, String of) {
        assertTrue(gap.ns() < limit.toNanos(), () -> "not below " + limit + ": " + of + ", " + gap);
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }
}
