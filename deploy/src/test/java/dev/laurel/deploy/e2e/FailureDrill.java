package dev.laurel.deploy.e2e;

import dev.laurel.deploy.e2e.DrillCluster.Member;
import dev.laurel.processors.runtime.LedgerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A deployment of processes under load in which something fails. Measures how long nothing could be written or read,
 * and compares everything with the responses; during the load, each response must contain the right total.
 */
final class FailureDrill implements AutoCloseable {

    /** Each lap is a point, so each event has one award; ties there are, now and then. */
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

    /** @param name for people. @return when everything serves, and nobody has asked yet */
    static FailureDrill of(String name, Path folder, int brokers, int nodes, int gateways) throws IOException {
        return of(name, folder, brokers, nodes, gateways, RULESET);
    }

    /** Likewise. @param ruleset in which each lap is a point */
    static FailureDrill of(String name, Path folder, int brokers, int nodes, int gateways, String ruleset)
            throws IOException {
        return new FailureDrill(name, DrillCluster.start(folder, brokers, nodes, gateways, ruleset));
    }

    DrillCluster cluster() {
        return cluster;
    }

    /** The load begins, and goes on for so long before anything happens. */
    void warmUp() throws InterruptedException {
        load.start();
        goOn(WARM_UP);
        long fromNs = System.nanoTime();
        goOn(WATCHED);
        Duration gap = Duration.ofNanos(load.writes().longest(fromNs, System.nanoTime()).ns());
        isSteady = gap.compareTo(STEADY) < 0;
        say(isSteady
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

    /** For people. */
    void say(String what) {
        System.out.printf("drill %s, %5.1f s: %s%n", name, (System.nanoTime() - startedNs) / 1e9, what);
    }

    /** Who asks this node itself, not the ingress, gets nothing that is behind what users have been answered, or hears that it is. */
    void expectNothingOfThePast(Member node) {
        try (LaurelClient client = node.process().client()) {
            load.expectNothingOfThePast(client);
        }
    }

    /** The load goes on for that long. */
    void goOn(Duration length) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(length.toNanos());
        load.expectNoFault();
    }

    /** Every event that was begun is accepted when this returns. */
    void endLoad() {
        load.close();
    }

    /** Ends the load, too. Each of these nodes must know what all came to. */
    void expectExact(List<Member> nodes) {
        expectExact(nodes, LedgerConfig.APPLICATION_ID);
    }

    /** Likewise. @param ledger the application that is in force */
    void expectExact(List<Member> nodes, String ledger) {
        endLoad();
        List<LaurelClient> clients = nodes.stream().map(node -> node.process().client()).toList();
        try {
            new DrillCheck(load, cluster.kafka(), ledger).assertExact(clients);
        } finally {
            clients.forEach(LaurelClient::close);
        }
        say("everything is exact: " + load.writes().count() + " events, " + load.reads().count() + " reads");
        assertEquals(List.of(), load.pastReads(), "reads that did not show what had been answered before");
    }

    void expectNoFault() {
        load.expectNoFault();
    }

    /** How many events there were. */
    int accepted() {
        return load.writes().count();
    }

    /** Prints the gaps since the event and checks them, unless the machine was too busy from the start. */
    void expectGaps(Duration ofWrites, Duration ofReads) {
        long nowNs = tellGaps();
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
    long tellGaps() {
        long nowNs = System.nanoTime();
        say("writes: " + load.writes().describe(happenedNs, nowNs));
        say("reads:  " + load.reads().describe(happenedNs, nowNs));
        say("troubles: " + load.troubles());
        return nowNs;
    }

    private static void assertShorter(Gaps.Gap gap, Duration limit, String of) {
        assertTrue(gap.ns() < limit.toNanos(), () -> "not below " + limit + ": " + of + ", " + gap);
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }
}
