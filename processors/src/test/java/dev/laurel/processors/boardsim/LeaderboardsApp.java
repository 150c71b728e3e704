package dev.laurel.processors.boardsim;

import dev.laurel.core.leaderboard.PartitionLeaderboards;
import dev.laurel.processors.boards.LeaderboardViews;
import dev.laurel.processors.boards.LeaderboardsTopology;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.store.boards.LeaderboardReader;
import dev.laurel.processors.store.boards.LeaderboardStores;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.StoreFolder;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import tools.jackson.databind.JsonNode;

/** One partition of the real boards application. Its stores after a kill are made from their changelogs. */
final class LeaderboardsApp implements AutoCloseable {

    /** A part of an answer. @param body null: the user takes part neither before nor now */
    record Part(UUID requestId, String name, JsonNode body) {}

    private static final String APPLICATION = "boards";
    private static final int PARTITION = 0;

    /** Few groups in memory, so that groups are often dropped and read again. */
    private static final long MAX_HELD = 60;

    private final Published published;
    private final int partition;
    private final StoreFolder folder;
    private final Instant startedAt;
    private final LeaderboardViews views = new LeaderboardViews(MAX_HELD);
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> scores;
    private final TestOutputTopic<byte[], byte[]> replies;
    private final Map<String, TestOutputTopic<byte[], byte[]>> changelogs = new TreeMap<>();
    private final Map<String, Map<Bytes, byte[]>> committed = new TreeMap<>();

    /** The writes since the last commit, by store; null values: deleted. */
    private final Map<String, Map<Bytes, byte[]>> uncommitted = new TreeMap<>();

    /** @param partition of {@code laurel.scores} */
    LeaderboardsApp(Published published, int partition) {
        this(published, partition, StoreFolder.create(), Instant.EPOCH);
    }

    /** @param startedAt different for each start */
    private LeaderboardsApp(Published published, int partition, StoreFolder folder, Instant startedAt) {
        this.published = published;
        this.partition = partition;
        this.folder = folder;
        this.startedAt = startedAt;
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
        config.put(StreamsConfig.STATE_DIR_CONFIG, folder.path().toString());
        config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
        driver = new TopologyTestDriver(
                LeaderboardsTopology.build(
                        new LeaderboardsTopology.Dependencies(
                                new RulesetVersions(published, Duration.ofSeconds(1)),
                                views,
                                new LeaderboardLayout(1),
                                LeaderboardWorld.LOGS),
                        TaskTracker.NONE,
                        new PipelineSettings(Generation.FIRST, OutputWindow.EVERYTHING, false, true)),
                config,
                startedAt);
        scores = driver.createInputTopic(Topics.SCORES.name(), new ByteArraySerializer(), new ByteArraySerializer());
        replies = output(Topics.REPLIES.name());
        LeaderboardStores.builders().forEach(store -> {
            changelogs.put(store.name(), output(APPLICATION + "-" + store.name() + "-changelog"));
            committed.put(store.name(), new TreeMap<>());
            uncommitted.put(store.name(), new TreeMap<>());
        });
    }

    private TestOutputTopic<byte[], byte[]> output(String topic) {
        return driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    void deliver(byte[] key, byte[] value, RecordHeaders headers, Instant at) {
        scores.pipeInput(new TestRecord<>(key, value, headers, at));
        listen();
    }

    void passTime(Duration duration) {
        driver.advanceWallClockTime(duration);
        listen();
    }

    private void listen() {
        changelogs.forEach((store, log) ->
                log.readRecordsToList().forEach(r -> uncommitted.get(store).put(Bytes.wrap(r.key()), r.value())));
    }

    /** The parts of answers since the last call. */
    List<Part> parts() {
        return replies.readRecordsToList().stream()
                .map(r -> new Part(
                        ReplyHeaders.requestId(r.headers()),
                        ReplyHeaders.part(r.headers()),
                        r.value().length == 0 ? null : Json.mapperForTools().readTree(r.value())))
                .toList();
    }

    PartitionLeaderboards reads() {
        return new LeaderboardReader(this::store, group -> views.find(PARTITION, group));
    }

    private KeyValueStore<Bytes, byte[]> store(String name) {
        return driver.getKeyValueStore(name);
    }

    /** Commits: records delivered so far will not be delivered again. */
    void commit() {
        uncommitted.forEach((store, writes) -> {
            committed.get(store).putAll(writes);
            committed.get(store).values().removeIf(Objects::isNull);
            writes.clear();
        });
    }

    /**
     * Restarts after a kill. The stores are as they were at the last commit: their changelogs and the offsets of the records that need not
     * be delivered again are written in one transaction.
     */
    LeaderboardsApp killed() {
        StoreFolder copy = StoreFolder.create();
        committed.forEach((store, entries) -> copy.write(
                APPLICATION,
                store,
                entries.entrySet().stream()
                        .map(entry -> new KeyValue<>(entry.getKey(), entry.getValue()))
                        .iterator()));
        close();
        var next = new LeaderboardsApp(published, partition, copy, startedAt.plusSeconds(3_600));
        next.committed.putAll(committed);
        return next;
    }

    @Override
    public void close() {
        driver.close();
        folder.delete();
    }
}
