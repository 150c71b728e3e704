package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.e2e.DrillCluster.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Tests the failures of docs/operations/failures.md with processes as operators start them. */
@EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class FailureDrillIT {

    /** Time until nodes that were cut off have caught up. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(30);

    /** Time until stopped nodes are back. */
    private static final Duration BACK = Duration.ofSeconds(10);

    /** Longer than the session timeout of a node. */
    private static final Duration OUT_OF_SESSION = Duration.ofSeconds(20);

    /** Time until a new node gets partitions; Kafka checks for it once a minute. */
    private static final Duration MOVED = Duration.ofSeconds(100);

    /** Documented gap after a node was killed. */
    private static final Duration FAILOVER = Duration.ofSeconds(15);

    /** Documented gap when a node is added. */
    private static final Duration ADDED = Duration.ofSeconds(10);

    /** Maximum gap without a session timeout. */
    private static final Duration HANDOVER = Duration.ofSeconds(6);

    /** Maximum gap of reads, which copies answer without a session timeout. */
    private static final Duration COPIES_ANSWER = Duration.ofSeconds(5);

    private static final Duration FOUND_OUT = Duration.ofSeconds(90);
    private static final int DISK_MB = 128;

    @TempDir
    private Path folder;

    @Test
    void shouldFailOverFromAKilledNode() throws Exception {
        try (var drill = FailureDrill.of("kill-node", folder, 1, 2, 1)) {
            drill.warmUp();
            Member victim = drill.cluster().nodes().getFirst();
            drill.happens("kill -9 of a node");
            victim.process().kill();
            drill.goOn(AFTERWARDS);
            drill.expectGaps(FAILOVER, COPIES_ANSWER);
            drill.expectWaits(FAILOVER);

            drill.happens("it is started again");
            comeBack(drill, victim);
            drill.expectExact(drill.cluster().nodes());
        }
    }

    private static void comeBack(FailureDrill drill, Member node) throws Exception {
        node.start().awaitReady();
        drill.say("it is ready");
        drill.goOn(AFTERWARDS);
        drill.goOnUntilShared(drill.cluster().nodes().size(), MOVED);
        drill.goOn(BACK);
        drill.expectGaps(FAILOVER, FAILOVER);
        drill.expectWaits(FAILOVER);
    }

    /** The group still counts the node as alive when it comes back, without stores that it can trust. */
    @Test
    void shouldHandOverToCopiesIfAKilledNodeIsStartedAtOnce() throws Exception {
        try (var drill = FailureDrill.of("kill-start", folder, 1, 2, 1)) {
            drill.warmUp();
            Member victim = drill.cluster().nodes().getFirst();
            drill.happens("kill -9 of a node, and it is started again at once");
            victim.process().kill();
            comeBack(drill, victim);
            drill.expectExact(drill.cluster().nodes());
        }
    }

    @Test
    void shouldHandOverAtOnceWhenANodeStops() throws Exception {
        try (var drill = FailureDrill.of("stop-node", folder, 1, 2, 1)) {
            drill.warmUp();
            drill.happens("SIGTERM to a node");
            drill.cluster().nodes().getFirst().process().stop();
            drill.goOn(BACK);
            drill.expectGaps(HANDOVER, COPIES_ANSWER);
            drill.expectExact(List.of(drill.cluster().nodes().getLast()));
        }
    }

    @Test
    void shouldContinueWithoutAKilledGateway() throws Exception {
        try (var drill = FailureDrill.of("kill-gateway", folder, 1, 1, 2)) {
            drill.warmUp();
            drill.happens("kill -9 of a gateway");
            drill.cluster().gateways().getFirst().process().kill();
            drill.goOn(BACK);
            drill.expectGaps(HANDOVER, HANDOVER);
            drill.expectExact(drill.cluster().nodes());
        }
    }

    @Test
    void shouldContinueWithoutAKilledBroker() throws Exception {
        try (var drill = FailureDrill.of("kill-broker", folder, 3, 2, 1)) {
            drill.warmUp();
            drill.happens("kill -9 of one broker of three");
            drill.cluster().brokers().getFirst().kill();
            drill.goOn(AFTERWARDS);
            drill.expectGaps(FAILOVER, FAILOVER);
            drill.expectExact(drill.cluster().nodes());
        }
    }

    @Test
    void shouldFenceANodeThatResumes() throws Exception {
        try (var drill = FailureDrill.of("zombie", folder, 1, 2, 1)) {
            drill.warmUp();
            LaurelProcess zombie = drill.cluster().nodes().getFirst().process();
            drill.happens("SIGSTOP of a node");
            zombie.pause();
            drill.goOn(OUT_OF_SESSION);
            drill.say("SIGCONT");
            zombie.resume();
            drill.goOn(AFTERWARDS);
            drill.expectGaps(FAILOVER, FAILOVER);
            drill.expectExact(drill.cluster().nodes());
        }
    }

    /** Records that the node had read but not written when it was stopped must not follow those of its successor. */
    @Test
    void shouldNotRestoreRecordsOfAFencedNode() throws Exception {
        try (var drill = FailureDrill.of("zombie-then-kill", folder, 1, 2, 1)) {
            drill.warmUp();
            Member zombie = drill.cluster().nodes().getFirst();
            Member successor = drill.cluster().nodes().getLast();
            drill.happens("SIGSTOP of a node");
            zombie.process().pause();
            drill.goOn(OUT_OF_SESSION);
            drill.expectGaps(FAILOVER, FAILOVER);
            drill.endLoad();
            drill.say("SIGCONT; nobody writes any more");
            zombie.process().resume();
            drill.expectExact(drill.cluster().nodes());
            drill.say("kill -9 of the other node");
            successor.process().kill();
            drill.expectExact(List.of(zombie));
        }
    }

    @Test
    void shouldFenceANodeCutOffFromKafka() throws Exception {
        try (var drill = FailureDrill.of("cut-node", folder, 1, 1, 1)) {
            DrillCluster cluster = drill.cluster();
            cluster.inService(cluster.launchNode(cluster.kafkaByLine(), folder.resolve("cut-off")));
            drill.warmUp();
            drill.happens("a node is cut off from Kafka");
            cluster.lines().forEach(CuttableProxy::cut);
            drill.goOn(OUT_OF_SESSION);
            drill.expectNoStaleReads(cluster.nodes().getLast());
            drill.say("the line is healed");
            cluster.lines().forEach(CuttableProxy::heal);
            drill.goOn(AFTERWARDS);
            drill.expectGaps(FAILOVER, FAILOVER);
            drill.expectExact(cluster.nodes());
        }
    }

    /**
     * Records in transit when the line was cut arrive after it is healed and must not count, because others have
     * continued.
     */
    @Test
    void shouldNotAcceptRecordsInTransitOfAFencedNode() throws Exception {
        try (var drill = FailureDrill.of("cut-then-kill", folder, 1, 1, 1)) {
            DrillCluster cluster = drill.cluster();
            Member cutOff = cluster.inService(cluster.launchNode(cluster.kafkaByLine(), folder.resolve("cut-off")));
            Member successor = cluster.nodes().getFirst();
            drill.warmUp();
            drill.happens("a node is cut off from Kafka");
            cluster.lines().forEach(CuttableProxy::cut);
            drill.goOn(OUT_OF_SESSION);
            drill.expectGaps(FAILOVER, FAILOVER);
            drill.endLoad();
            drill.say("the line is healed; nobody writes any more");
            cluster.lines().forEach(CuttableProxy::heal);
            drill.expectExact(cluster.nodes());
            drill.say("kill -9 of the other node");
            successor.process().kill();
            drill.expectExact(List.of(cutOff));
        }
    }

    @Test
    void shouldHandOverWhenTheDiskIsFull() throws Exception {
        try (var disk = SmallDisk.mounted(folder, DISK_MB);
                var drill = FailureDrill.of("full-disk", folder, 1, 1, 1)) {
            DrillCluster cluster = drill.cluster();
            Member cramped = cluster.inService(
                    cluster.launchNode(cluster.kafka(), disk.path().resolve("node")));
            drill.warmUp();
            drill.happens("the disk of a node is full");
            disk.fill();
            // The node notices the full disk only when it flushes a store from memory, which may take a while.
            LaurelProcess process = cramped.process();
            if (process.hasEndedWithin(FOUND_OUT)) {
                drill.say("it has ended with exit code " + process.exitCode());
                assertEquals(1, process.exitCode());
                assertTrue(cramped.log().contains("No space left on device"), cramped.log());
            } else {
                drill.say("it has not had to write anything yet: SIGTERM");
                process.stop();
            }
            drill.goOn(AFTERWARDS);
            drill.expectGaps(FAILOVER, FAILOVER);

            drill.happens("there is room again, and it is started again");
            disk.clear();
            cramped.start().awaitReady();
            drill.goOn(BACK);
            drill.expectGaps(FAILOVER, FAILOVER);
            drill.expectExact(cluster.nodes());
        }
    }

    @Test
    void shouldServeDuringARollingRestart() throws Exception {
        try (var drill = FailureDrill.of("roll", folder, 1, 2, 2)) {
            drill.warmUp();
            for (Member gateway : drill.cluster().gateways()) {
                roll(drill, "a gateway", gateway);
            }
            for (Member node : drill.cluster().nodes()) {
                roll(drill, "a node", node);
            }
            drill.expectExact(drill.cluster().nodes());
        }
    }

    private static void roll(FailureDrill drill, String what, Member member) throws Exception {
        drill.happens("SIGTERM to " + what);
        member.process().stop();
        drill.say("it has ended");
        member.start().awaitReady();
        drill.say("it is ready again");
        drill.goOn(BACK);
        drill.expectGaps(HANDOVER, HANDOVER);
    }

    @Test
    void shouldServeWhileNodesAreAdded() throws Exception {
        try (var drill = FailureDrill.of("scale-out", folder, 1, 1, 1)) {
            drill.warmUp();
            for (int nodes = 2; nodes <= 3; nodes++) {
                drill.happens("node " + nodes + " is started");
                drill.cluster().addNode();
                drill.say("it is ready");
                drill.goOn(MOVED);
                drill.say("partitions of users by node: " + drill.cluster().shares());
                drill.expectGaps(ADDED, ADDED);
            }
            assertTrue(
                    drill.cluster().shares().stream().allMatch(share -> share > 0),
                    () -> "a node has nothing: " + drill.cluster().shares());
            drill.expectExact(drill.cluster().nodes());
        }
    }
}
