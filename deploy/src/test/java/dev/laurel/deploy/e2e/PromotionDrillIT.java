package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.e2e.DrillCluster.Member;
import dev.laurel.schemas.topic.GenerationRecord.State;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code laurel replay --promote} with two nodes, a gateway and continuously active users, all as processes. */
@EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class PromotionDrillIT {

    private static final Duration AFTERWARDS = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    @Test
    void shouldPromoteUnderLoad() throws Exception {
        try (var drill = new PromotionDrill("promote", folder, 2)) {
            drill.drill().warmUp();
            promote(drill, 2);

            Path draft = Files.writeString(folder.resolve("fifty.yaml"), PromotionDrill.ruleset(50));
            try (var tooEarly = drill.replay("--ruleset", draft.toString(), "--promote")) {
                tooEarly.expect(1);
                assertTrue(tooEarly.said().contains("--promote takes only rules that are published"), tooEarly.said());
            }
            CommandRun applied = CommandRun.of(
                    "ruleset",
                    "apply",
                    draft.toString(),
                    "--url",
                    drill.cluster().gateways().getFirst().process().url().toString(),
                    "--key",
                    LaurelProcess.ADMIN_KEY);
            assertEquals(0, applied.exitCode(), applied.err());
            promote(drill, 3, "--ruleset", draft.toString());

            drill.expectExact();
        }
    }

    private static void promote(PromotionDrill drill, int number, String... options) throws Exception {
        var all = new String[options.length + 1];
        System.arraycopy(options, 0, all, 0, options.length);
        all[options.length] = "--promote";
        drill.drill().happens("promotion of generation " + number);
        try (var replay = drill.replay(all)) {
            String out = replay.expect(0);
            assertTrue(out.contains("The replay is in force now"), out);
        }
        finish(drill, number);
    }

    /** Waits until the previous generation has sent everything. */
    private static void finish(PromotionDrill drill, int number) throws Exception {
        assertEquals(number, drill.inForce().number());
        drill.await(drill.before(number), State.OVER);
        drill.drill().goOn(AFTERWARDS);
        drill.drill().printGaps();
    }

    @Test
    void shouldPromoteWhileNodesAreKilledAndSuspended() throws Exception {
        try (var drill = new PromotionDrill("promote-kill", folder, 2)) {
            drill.drill().warmUp();
            Member victim = drill.cluster().nodes().getFirst();
            Member sleeper = drill.cluster().nodes().getLast();

            drill.drill().happens("kill -9 of a node while nodes take over");
            try (var replay = drill.replay("--promote")) {
                drill.await(2, State.FOLLOWED);
                victim.process().kill();
                drill.drill().goOn(Duration.ofSeconds(2));
                victim.start().awaitReady();
                replay.expect(0);
            }
            finish(drill, 2);

            drill.drill().happens("kill -9 of a node at the handover");
            try (var replay = drill.replay("--promote")) {
                drill.await(3, State.IN_FORCE);
                victim.process().kill();
                replay.expect(0);
                victim.start().awaitReady();
            }
            finish(drill, 3);

            drill.drill().happens("a node sleeps through the promotion");
            try (var replay = drill.replay("--promote")) {
                drill.await(4, State.FOLLOWED);
                sleeper.process().pause();
                replay.expect(0);
                drill.await(3, State.OVER);
                sleeper.process().resume();
            }
            finish(drill, 4);

            drill.expectExact();
        }
    }

    @Test
    void shouldPromoteAfterAKillAtAnyStep() throws Exception {
        try (var drill = new PromotionDrill("promote-tool", folder, 2)) {
            drill.drill().warmUp();

            killed(drill, 2, "claimed", () -> drill.await(2, State.BUILDING));
            killed(drill, 3, "folding", () -> drill.awaitFolding(3, true));
            killed(drill, 4, "closed", () -> {
                drill.awaitFolding(4, true);
                drill.awaitFolding(4, false);
            });
            killed(drill, 5, "followed", () -> drill.await(5, State.FOLLOWED));

            drill.drill().happens("Ctrl-C");
            try (var replay = drill.replay("--promote")) {
                drill.awaitFolding(6, true);
                replay.stop();
                replay.expect(143);
                drill.await(6, State.OVER);
                drill.expectGone(6);
            }
            drill.drill().happens("kill -9 when it is in force");
            try (var replay = drill.replay("--promote")) {
                drill.await(7, State.IN_FORCE);
                replay.kill();
            }
            finish(drill, 7);
            drill.expectExact();
        }
    }

    @Test
    void shouldPromoteAlthoughTheLeaderOfTwoProcessesIsKilledAtAnyStep() throws Exception {
        try (var drill = new PromotionDrill("promote-shared", folder, 2)) {
            drill.drill().warmUp();
            shared(drill, 2, "claimed", () -> drill.await(2, State.BUILDING));
            shared(drill, 3, "folding", () -> drill.awaitFolding(3, true));
            shared(drill, 4, "closed", () -> {
                drill.awaitFolding(4, true);
                drill.awaitFolding(4, false);
            });
            shared(drill, 5, "followed", () -> drill.await(5, State.FOLLOWED));
            shared(drill, 6, "in force", () -> drill.await(6, State.IN_FORCE));
            drill.expectExact();
        }
    }

    /** Two processes share a promotion. The one that joins first, the leader, is killed. */
    private static void shared(PromotionDrill drill, int number, String when, Wait until) throws Exception {
        drill.drill().happens("kill -9 of the leader when generation " + number + " is " + when);
        String[] options = {"--promote", "--id", "shared-" + number};
        try (var leader = drill.replay(options)) {
            drill.awaitLeader();
            try (var other = drill.replay(options)) {
                until.run();
                leader.kill();
                String out = other.expect(0);
                assertTrue(out.contains("The replay is in force now"), out);
            }
        }
        finish(drill, number);
    }

    private interface Wait {

        void run() throws Exception;
    }

    /** A killed promotion blocks another one until it is given up; then it leaves no resources. */
    private static void killed(PromotionDrill drill, int number, String when, Wait until) throws Exception {
        drill.drill().happens("kill -9 of generation " + number + " when it is " + when);
        try (var replay = drill.replay("--promote")) {
            until.run();
            replay.kill();
        }
        try (var again = drill.replay("--promote")) {
            again.expect(1);
            assertTrue(again.said().contains("generation " + number + " is under way already"), again.said());
        }
        try (var giveUp = drill.replay("--give-up")) {
            assertEquals("gave up generation " + number + "\n", giveUp.expect(0));
        }
        drill.await(number, State.OVER);
        drill.expectGone(number);
    }
}
