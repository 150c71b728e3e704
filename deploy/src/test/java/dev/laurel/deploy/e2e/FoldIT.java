package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.LocalRecords;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.processors.boards.LeaderboardViews;
import dev.laurel.processors.boards.LeaderboardsTopology;
import dev.laurel.processors.generation.ShadowGeneration;
import dev.laurel.processors.runtime.EarlyOutput;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.boards.LeaderboardKeys;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that state is a fold of the log: the state of a node that was killed and restarted equals, byte for byte,
 * the state after reading the same log again from the beginning.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class FoldIT {

    static final List<String> STORES = List.of(
            "users",
            "metric-days",
            "streak-periods",
            "points-ledger",
            "idempotency-keys",
            "timers",
            "counters",
            "partition-state");
    private static final int COMMANDS =
            Integer.getInteger("laurel.fold.commands", Boolean.getBoolean("laurel.full") ? 2_000 : 1_000);
    private static final int USERS = COMMANDS * 3 / 40;
    private static final int KILL_AT = COMMANDS / 6;
    private static final Duration PERIOD = Duration.ofDays(60);
    private static final Generation AGAIN = Generation.of(2);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String BOARDS_AGAIN = "laurel-boards-again";
    private static final String SCORES = "laurel.scores";
    private static final String ENTRIES = "leaderboard-entries";

    @TempDir
    private Path scratch;

    private RandomCommands anything;

    @Test
    void shouldReachTheSameStateFromTheSameLog() throws Exception {
        Duration step = PERIOD.dividedBy(COMMANDS);
        anything = new RandomCommands(20261121, USERS, Instant.now().minus(PERIOD), step);
        try (E2eKafka kafka = E2eKafka.start()) {
            killInTheMiddle(kafka);
            try (var laurel = LaurelProcess.standalone(scratch.resolve("data"), kafka.externalServers());
                    var client = laurel.client()) {
                var check = new LogCheck(laurel.bootstrapServers());
                send(laurel, COMMANDS / 2, COMMANDS);
                check.awaitProcessed(LedgerConfig.APPLICATION_ID);
                client.put("/admin/v1/ruleset", RandomCommands.NEXT_RULESET).expect(200);
                check.awaitQuiet(LedgerConfig.APPLICATION_ID);
                awaitRanked(laurel.bootstrapServers(), LedgerConfig.BOARDS_APPLICATION_ID);
                Map<String, String> ranked =
                        contents(laurel.bootstrapServers(), LedgerConfig.BOARDS_APPLICATION_ID, ENTRIES);

                readAgain(laurel.bootstrapServers());

                check.awaitQuiet(LedgerConfig.APPLICATION_ID);
                assertSameState(laurel.bootstrapServers());
                // Which ranks users had in between depends on the partitions; the participants do not.
                assertEquals(
                        present(ranked),
                        present(contents(laurel.bootstrapServers(), AGAIN.boardsApplication(), ENTRIES)));
                rankAgain(laurel.bootstrapServers(), check);
                assertSame(
                        ENTRIES,
                        ranked,
                        contents(laurel.bootstrapServers(), LedgerConfig.BOARDS_APPLICATION_ID, ENTRIES));
            }
        }
    }

    private void killInTheMiddle(E2eKafka kafka) throws IOException {
        try (var laurel = LaurelProcess.standalone(scratch.resolve("data"), kafka.externalServers());
                var client = laurel.client()) {
            client.put("/admin/v1/ruleset", RandomCommands.RULESET).expect(200);
            send(laurel, 0, COMMANDS / 2);
            new LogCheck(laurel.bootstrapServers()).awaitCommitted(LedgerConfig.APPLICATION_ID, KILL_AT);
            laurel.kill();
        }
    }

    private void send(LaurelProcess laurel, int from, int to) {
        try (var producer = new DirectProducer(laurel.bootstrapServers())) {
            for (int number = from; number < to; number++) {
                RandomCommands.Sent sent = anything.next(number);
                producer.sendAside(sent.user(), sent.at(), sent.json());
            }
            producer.flush();
        }
    }

    /** Folds the log by a shadow generation, which publishes nothing. */
    private void readAgain(String bootstrapServers) throws InterruptedException {
        Map<String, Object> client = Map.of("bootstrap.servers", bootstrapServers);
        var config = LedgerConfig.of(StreamsSettings.alone(
                KafkaAccess.at(bootstrapServers), scratch.resolve("again"), 2, BoundedRocksDb.DEFAULT_MEMORY_BYTES));
        try (var rulesets = new RulesetTable(client, fault -> {
            throw new AssertionError(fault);
        })) {
            rulesets.start();
            rulesets.awaitCaughtUp(PATIENCE);
            try (var shadow = ShadowGeneration.start(
                    config, GenerationRecord.claimed(AGAIN, List.of(), null), true, rulesets, fault -> {
                        throw new AssertionError(fault);
                    })) {
                assertTrue(shadow.awaitCaughtUp(Duration.ofMinutes(3)), "the shadow has not caught up");
            }
        }
    }

    /** Changelogs hold what the stores hold, entry by entry. */
    private static void assertSameState(String bootstrapServers) {
        for (String store : STORES) {
            Map<String, String> live = contents(bootstrapServers, LedgerConfig.APPLICATION_ID, store);
            assertSame(store, live, contents(bootstrapServers, AGAIN.ledgerApplication(), store));
        }
    }

    private static void assertSame(String store, Map<String, String> live, Map<String, String> again) {
        assertTrue(!live.isEmpty(), "nothing lies in " + store);
        assertEquals(live.size(), again.size(), "entries of " + store);
        live.forEach((key, value) -> assertEquals(value, again.get(key), store + ", key " + key));
        System.out.printf("%s: %d entries, all the same.%n", store, live.size());
    }

    private static void awaitRanked(String bootstrapServers, String application) {
        new LogCheck(bootstrapServers, SCORES).awaitQuiet(application);
    }

    /** Ranks all scores from the beginning. No leaderboard is full, so no score was held back. */
    private void rankAgain(String bootstrapServers, LogCheck check) throws InterruptedException {
        Map<String, Object> client = Map.of("bootstrap.servers", bootstrapServers);
        try (var rulesets = new RulesetTable(client, fault -> {
            throw new AssertionError(fault);
        })) {
            rulesets.start();
            rulesets.awaitCaughtUp(Duration.ofSeconds(30));
            Properties config = LedgerConfig.of(StreamsSettings.alone(
                            KafkaAccess.at(bootstrapServers),
                            scratch.resolve("boards-again"),
                            2,
                            BoundedRocksDb.DEFAULT_MEMORY_BYTES))
                    .boardsProperties(Generation.FIRST);
            config.put(StreamsConfig.APPLICATION_ID_CONFIG, BOARDS_AGAIN);
            var topology = LeaderboardsTopology.build(
                    new LeaderboardsTopology.Dependencies(
                            new RulesetVersions(rulesets, Duration.ofSeconds(30)),
                            new LeaderboardViews(LeaderboardViews.DEFAULT_MAX_PARTICIPANTS),
                            new LeaderboardLayout(LogLayout.ask(client, Topics.SCORES.name(), Duration.ofSeconds(30))
                                    .partitions()),
                            check.partitions()),
                    TaskTracker.NONE,
                    new PipelineSettings(Generation.FIRST, OutputWindow.EVERYTHING, false, true));
            try (KafkaStreams streams = EarlyOutput.streams(topology, config, new LocalRecords())) {
                streams.start();
                awaitRanked(bootstrapServers, BOARDS_AGAIN);
            }
            assertSame(
                    ENTRIES,
                    contents(bootstrapServers, LedgerConfig.BOARDS_APPLICATION_ID, ENTRIES),
                    contents(bootstrapServers, BOARDS_AGAIN, ENTRIES));
        }
    }

    /** The keys of the entries without those of groups that users have left. */
    private static Set<String> present(Map<String, String> entries) {
        String left = HexFormat.of().formatHex(LeaderboardCodecs.IS_IN.encode(false));
        String place = "/" + HexFormat.of().toHexDigits((byte) LeaderboardKeys.PLACE);
        var present = new TreeSet<>(entries.keySet());
        present.removeIf(key -> key.contains(place) && left.equals(entries.get(key)));
        return present;
    }

    static Map<String, String> contents(String bootstrapServers, String application, String store) {
        var hex = HexFormat.of();
        var contents = new TreeMap<String, String>();
        for (ConsumerRecord<byte[], byte[]> record :
                new TopicReader(bootstrapServers).readAll(application + "-" + store + "-changelog")) {
            String key = record.partition() + "/" + hex.formatHex(record.key());
            if (record.value() == null) {
                contents.remove(key);
            } else {
                contents.put(key, hex.formatHex(record.value()));
            }
        }
        return contents;
    }
}
