package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.processors.generation.GenerationProgress;
import dev.laurel.schemas.topic.GenerationRecord.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Widens the log while events arrive over HTTP and from a producer of the first log, by one process and by two, of which one is killed: no
 * event is lost, and none has effects twice.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
final class GrowthIT {

    private static final Duration MOST_GAP = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path scratch;

    @Test
    void shouldWidenTheLogTwiceWhileEventsArrive() throws Exception {
        try (var laurel = LaurelInstance.start(scratch.resolve("data"))) {
            laurel.client().put("/admin/v1/ruleset", GrowthLoad.RULESET).expect(200);
            var load = new GrowthLoad(laurel::client).start(laurel.bootstrapServers());
            load.awaitMore(200);
            expectRefused(laurel.bootstrapServers());
            load.forgetWaits();

            expect(0, replay(laurel.bootstrapServers(), "--promote", "--partitions", "8"));
            load.awaitMore(100);
            widenByTwo(laurel.bootstrapServers(), 3, "--promote", "--partitions", "16", "--id", "sixteen");
            load.awaitMore(100);

            Duration gap = load.stop();
            System.out.printf(
                    "Grown from 4 to 8 to 16 partitions under load, %,d events; the longest wait for an answer "
                            + "was %,d ms, until %s%n",
                    load.events(), gap.toMillis(), load.endOfLongestWait());
            load.assertTotals();
            awaitRetired(laurel.bootstrapServers(), 3);
            load.assertPublishedOnceAndInOrder(laurel.bootstrapServers());
            assertEquals(16, new LogCheck(laurel.bootstrapServers(), "laurel.commands-g3").partitions());
            expectGrown(laurel, load);
            assertTrue(gap.compareTo(MOST_GAP) < 0, "no answer for " + gap);
        }
    }

    /** Widens the log by two processes. Both have begun when the first one is killed; either may be the leader. */
    private void widenByTwo(String bootstrapServers, int number, String... options) throws Exception {
        try (var killed = new ReplayProcess(scratch.resolve("killed"), bootstrapServers, options);
                var other = new ReplayProcess(scratch.resolve("other"), bootstrapServers, options);
                var table = new GenerationTable(Map.of("bootstrap.servers", bootstrapServers), _ -> {})) {
            table.start();
            await(table, number, State.FOLLOWED::equals);
            killed.kill();
            assertTrue(other.expect(0).contains("The replay is in force now"), other.said());
        }
    }

    /** Checks that everything from now on depends on the wide log alone. */
    private void expectGrown(LaurelInstance laurel, GrowthLoad load) throws InterruptedException {
        assertTrue(expect(0, replay(laurel.bootstrapServers(), "--end-copying"))
                .out()
                .contains("not read by any process"));
        assertTrue(expect(0, replay(laurel.bootstrapServers(), "--from-scratch"))
                .out()
                .contains("The running state is the fold of the log"));
        laurel.restart();
        laurel.client()
                .put("/admin/v1/ruleset", GrowthLoad.RULESET.replace("\"points\": 1}", "\"points\": 2}"))
                .expect(200);
        load.assertTotals();
        JsonResponse answer = laurel.client().record("newcomer", "laps", "1").expect(201);
        assertEquals(2, answer.json().at("/points/gems/added").asInt(), answer::text);
        assertTrue(answer.json().at("/leaderboards/laps/rank").asInt() > 0, answer::text);
    }

    @Test
    void shouldWidenTheLogDespiteAKilledNode() throws Exception {
        try (var kafka = EmbeddedBroker.start(BrokerSettings.alone(scratch.resolve("kafka"), 0, 0));
                var node = new Killed(scratch.resolve("data"), kafka.bootstrapServers());
                var table = new GenerationTable(Map.of("bootstrap.servers", kafka.bootstrapServers()), _ -> {})) {
            node.client().put("/admin/v1/ruleset", GrowthLoad.RULESET).expect(200);
            table.start();
            table.awaitCaughtUp(PATIENCE);
            var load = new GrowthLoad(node::client).start(kafka.bootstrapServers());
            load.awaitMore(200);
            CompletableFuture<CommandRun> growth = CompletableFuture.supplyAsync(
                    () -> replay(kafka.bootstrapServers(), "--promote", "--partitions", "8"));
            for (State state : new State[] {State.BUILDING, State.FOLLOWED, State.PROMOTED}) {
                await(table, 2, found -> found.compareTo(state) >= 0);
                node.killAndStart();
            }
            CommandRun run = growth.get(PATIENCE.toSeconds() * 2, TimeUnit.SECONDS);
            await(table, 2, State.IN_FORCE::equals);
            load.awaitMore(200);

            load.stop();
            System.out.printf(
                    "Grown although the node was killed three times; the command said: %s%s%n", run.out(), run.err());
            load.assertTotals();
            awaitRetired(kafka.bootstrapServers(), 2);
            load.assertPublishedOnceAndInOrder(kafka.bootstrapServers());
        }
    }

    private static void await(GenerationTable table, int number, Predicate<State> isReached) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> table.find(number) != null
                        && isReached.test(table.find(number).state()));
    }

    /** A standalone that is killed and restarted on the same data. */
    private static final class Killed implements AutoCloseable {
        private final Path dataDir;
        private final String kafka;
        private final AtomicReference<LaurelProcess> process = new AtomicReference<>();
        private final AtomicReference<LaurelClient> client = new AtomicReference<>();

        Killed(Path dataDir, String kafka) throws Exception {
            this.dataDir = dataDir;
            this.kafka = kafka;
            start();
        }

        private void start() throws Exception {
            process.set(LaurelProcess.standalone(dataDir, kafka));
            client.set(process.get().client());
        }

        LaurelClient client() {
            return client.get();
        }

        void killAndStart() throws Exception {
            process.get().kill();
            start();
        }

        @Override
        public void close() {
            process.get().close();
        }
    }

    private void expectRefused(String bootstrapServers) {
        assertTrue(expect(1, replay(bootstrapServers, "--promote", "--partitions", "10"))
                .err()
                .contains(
                        "--partitions: the log has 4 partitions: it can grow to a multiple of them, such as 8 or 12"));
        expect(2, replay(bootstrapServers, "--partitions", "8"));
        expect(2, replay(bootstrapServers, "--promote", "--from-scratch", "--partitions", "8"));
    }

    private static CommandRun expect(int exitCode, CommandRun run) {
        assertEquals(exitCode, run.exitCode(), () -> run.out() + run.err());
        return run;
    }

    /** Waits until the generation before this one has sent everything. */
    private static void awaitRetired(String bootstrapServers, int inForce) throws InterruptedException {
        try (var table = new GenerationTable(Map.of("bootstrap.servers", bootstrapServers), _ -> {})) {
            table.start();
            table.awaitCaughtUp(PATIENCE);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> table.find(inForce - 1).state() == State.OVER);
            assertEquals(State.IN_FORCE, table.find(inForce).state());
            try (var place = new GenerationProgress(
                    Map.of("bootstrap.servers", bootstrapServers),
                    table.inForce().generation(),
                    null,
                    PATIENCE)) {
                assertTrue(place.await(PATIENCE), "not all is folded");
            }
        }
    }

    private CommandRun replay(String bootstrapServers, String... options) {
        return CommandRun.of(Stream.concat(
                        Stream.of(
                                "replay",
                                "--kafka",
                                bootstrapServers,
                                "--state-dir",
                                scratch.resolve("work").toString()),
                        Stream.of(options))
                .toArray(String[]::new));
    }
}
