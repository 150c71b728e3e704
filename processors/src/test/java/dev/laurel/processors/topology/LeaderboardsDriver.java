package dev.laurel.processors.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.RulesPublished;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scores;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserForgotten;
import dev.laurel.core.leaderboard.PartitionLeaderboards;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.processors.boards.LeaderboardViews;
import dev.laurel.processors.boards.LeaderboardsTopology;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.boards.LeaderboardCodecs.Sent;
import dev.laurel.processors.store.boards.LeaderboardReader;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
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
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import tools.jackson.databind.JsonNode;

/** The real boards topology on one partition, without a broker. The test plays the partitions of the log. */
public final class LeaderboardsDriver implements AutoCloseable {

    /** An answer to a waiting client. @param body null: the user does not participate */
    public record Part(UUID requestId, String name, JsonNode body) {}

    private static final String APPLICATION = "boards";
    private static final int PARTITION = 0;

    private final TopologyTestDriver driver;
    private final LedgerDriver.Published published;
    private final int logPartitions;
    private final StoreFolder folder;
    private final LeaderboardViews views;
    private final TestInputTopic<byte[], byte[]> scores;
    private final TestOutputTopic<byte[], byte[]> effects;
    private final TestOutputTopic<byte[], byte[]> replies;
    private final TestOutputTopic<byte[], byte[]> outbox;
    private final TestOutputTopic<byte[], byte[]> commands;
    private final Instant startedAt;
    private int requests;

    public LeaderboardsDriver(LedgerDriver.Published published, int logPartitions) {
        this(published, logPartitions, StoreFolder.create(), LeaderboardViews.DEFAULT_MAX_PARTICIPANTS, Instant.EPOCH);
    }

    public LeaderboardsDriver(LedgerDriver.Published published, int logPartitions, long maxHeld) {
        this(published, logPartitions, StoreFolder.create(), maxHeld, Instant.EPOCH);
    }

    /** Creates a driver of one of several generations. */
    public LeaderboardsDriver(LedgerDriver.Published published, int logPartitions, OutputWindow window) {
        this(
                published,
                logPartitions,
                StoreFolder.create(),
                LeaderboardViews.DEFAULT_MAX_PARTICIPANTS,
                Instant.EPOCH,
                window);
    }

    private LeaderboardsDriver(
            LedgerDriver.Published published, int logPartitions, StoreFolder folder, long maxHeld, Instant startedAt) {
        this(published, logPartitions, folder, maxHeld, startedAt, OutputWindow.EVERYTHING);
    }

    private LeaderboardsDriver(
            LedgerDriver.Published published,
            int logPartitions,
            StoreFolder folder,
            long maxHeld,
            Instant startedAt,
            OutputWindow window) {
        this.startedAt = startedAt;
        this.published = published;
        this.logPartitions = logPartitions;
        this.folder = folder;
        this.views = new LeaderboardViews(maxHeld);
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
                                logPartitions),
                        TaskTracker.NONE,
                        new PipelineSettings(Generation.FIRST, window, false, true)),
                config,
                startedAt);
        scores = driver.createInputTopic(Topics.SCORES.name(), new ByteArraySerializer(), new ByteArraySerializer());
        effects = output(Topics.EFFECTS.name());
        replies = output(Topics.REPLIES.name());
        outbox = output(Topics.OUTBOX.name());
        commands = output(Topics.COMMANDS.name());
    }

    private TestOutputTopic<byte[], byte[]> output(String topic) {
        return driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** The same task after a restart: a new task with the same stores. */
    public LeaderboardsDriver restarted() {
        StoreFolder copy = StoreFolder.create();
        for (String name : driver.getAllStateStores().keySet()) {
            try (var all = store(name).all()) {
                copy.write(APPLICATION, name, all);
            }
        }
        close();
        return new LeaderboardsDriver(
                published, logPartitions, copy, LeaderboardViews.DEFAULT_MAX_PARTICIPANTS, startedAt.plusSeconds(60));
    }

    /** Deletes the entries of a store whose keys contain this text, as a crash loses the last writes. */
    public void lose(String store, String text) {
        KeyValueStore<Bytes, byte[]> entries = driver.getKeyValueStore(store);
        var lost = new ArrayList<Bytes>();
        try (var all = entries.all()) {
            all.forEachRemaining(entry -> {
                if (new String(entry.key.get(), UTF_8).contains(text)) {
                    lost.add(entry.key);
                }
            });
        }
        lost.forEach(entries::delete);
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> store(String name) {
        KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(name);
        return store;
    }

    public void pipe(int partition, long offset, Scored... scores) {
        pipe(partition, offset, new Scores(List.of(scores)));
    }

    public void pipe(int partition, long offset, LeaderboardMessage message) {
        pipe(partition, offset, message, new RecordHeaders());
    }

    private static RecordHeaders silent() {
        var headers = new RecordHeaders();
        headers.add("laurel-silent", new byte[0]);
        return headers;
    }

    /** Sends a score for which another generation produces the output. */
    public void pipeSilently(int partition, long offset, Scored scored) {
        pipeSilently(partition, offset, new Scores(List.of(scored)));
    }

    /** Sends a message for which another generation produces the output. */
    public void pipeSilently(int partition, long offset, LeaderboardMessage message) {
        pipe(partition, offset, message, silent());
    }

    private void pipe(int partition, long offset, LeaderboardMessage message, RecordHeaders headers) {
        scores.pipeInput(new TestRecord<>(
                "k".getBytes(UTF_8),
                LeaderboardCodecs.MESSAGE.encode(new Sent(new Origin(partition, offset), message)),
                headers,
                Instant.EPOCH));
    }

    /** Pipes a message as a ledger sends it. */
    public void deliver(LedgerDriver.Told told) {
        var headers = new RecordHeaders();
        if (told.replyTo() != null) {
            ReplyHeaders.write(headers, told.replyTo());
        }
        scores.pipeInput(new TestRecord<>(
                "k".getBytes(UTF_8),
                LeaderboardCodecs.MESSAGE.encode(new Sent(told.origin(), told.message())),
                headers,
                told.at()));
    }

    /** The answers to waiting clients since the last call. */
    public List<Part> parts() {
        return replies.readRecordsToList().stream()
                .map(LeaderboardsDriver::part)
                .toList();
    }

    private static Part part(TestRecord<byte[], byte[]> answer) {
        byte[] body = answer.value();
        return new Part(
                ReplyHeaders.requestId(answer.headers()),
                ReplyHeaders.part(answer.headers()),
                body.length == 0 ? null : Json.mapperForTools().readTree(body));
    }

    /** Sends scores of a waiting client, which must be answered. */
    public Part ask(int partition, long offset, Scored... scores) {
        return ask(partition, offset, new Scores(List.of(scores)));
    }

    /** Sends a message of a waiting client, which must be answered. */
    public Part ask(int partition, long offset, LeaderboardMessage message) {
        var headers = new RecordHeaders();
        UUID requestId = UUID.nameUUIDFromBytes(("request " + requests++).getBytes(UTF_8));
        ReplyHeaders.write(headers, new ReplyTo(5, requestId));
        pipe(partition, offset, message, headers);
        Part part = part(replies.readRecord());
        if (!replies.isEmpty() || !part.requestId().equals(requestId)) {
            throw new AssertionError("not one answer to " + requestId);
        }
        return part;
    }

    /** Puts rules in force in all partitions of the log, at the same offset. */
    public void publish(Ruleset ruleset, long offset) {
        published.add(ruleset);
        for (int partition = 0; partition < logPartitions; partition++) {
            pipe(partition, offset, new RulesPublished(ruleset.tenant(), ruleset.version()));
        }
    }

    /** Moves the time of all partitions of the log. */
    public void clock(long offset, String at) {
        for (int partition = 0; partition < logPartitions; partition++) {
            pipe(partition, offset, new ClockMoved(Instant.parse(at).toEpochMilli()));
        }
    }

    public void forget(int partition, long offset, String user) {
        pipe(partition, offset, new UserForgotten(TenantId.NONE, new UserId(user)));
    }

    /** Advances the wall clock by a tenth of a second. */
    public void round() {
        driver.advanceWallClockTime(Duration.ofMillis(100));
    }

    /** The effects since the last call. */
    public List<JsonNode> effects() {
        return effects.readValuesToList().stream()
                .map(bytes -> Json.mapperForTools().readTree(bytes))
                .toList();
    }

    /** The events forwarded to delivery since the last call, by key. */
    public List<KeyValue<String, Outgoing>> outbox() {
        return outbox.readKeyValuesToList().stream()
                .map(record -> KeyValue.pair(new String(record.key, UTF_8), Json.read(record.value, Outgoing.class)))
                .toList();
    }

    /** The commands that leaderboards have appended to the log since the last call. */
    public List<LedgerDriver.Logged> commands() {
        return commands.readRecordsToList().stream()
                .map(r ->
                        new LedgerDriver.Logged(r.key(), r.value(), new RecordHeaders(r.headers()), r.getRecordTime()))
                .toList();
    }

    public List<String> effectKeys() {
        return effects.readKeyValuesToList().stream()
                .map(record -> new String(record.key, UTF_8))
                .toList();
    }

    /** The reads of HTTP threads. */
    public PartitionLeaderboards reads() {
        return new LeaderboardReader(this::store, group -> views.find(PARTITION, group));
    }

    public LeaderboardReader reader() {
        return new LeaderboardReader(this::store);
    }

    /** A group as lines such as {@code ann 30}, best first; the same in memory and in the store. */
    public List<String> ranking(LeaderboardGroup group) {
        List<String> read = lines(reads().ranking(group, Integer.MAX_VALUE));
        List<String> stored = lines(reader().ranking(group));
        if (!read.equals(stored)) {
            throw new AssertionError("in memory " + read + ", in the store " + stored);
        }
        return read;
    }

    private static List<String> lines(Ranking ranking) {
        var lines = new ArrayList<String>();
        for (int rank = 1; rank <= ranking.size(); rank++) {
            lines.add(ranking.at(rank).user() + " " + ranking.at(rank).value().toPlainString());
        }
        return lines;
    }

    public LeaderboardViews views() {
        return views;
    }

    /** The number of entries of a store whose bytes contain this text. */
    public long entriesWith(String store, String text) {
        long count = 0;
        try (var all = store(store).all()) {
            while (all.hasNext()) {
                var entry = all.next();
                if (new String(entry.key.get(), UTF_8).contains(text)
                        || new String(entry.value, UTF_8).contains(text)) {
                    count++;
                }
            }
        }
        return count;
    }

    @Override
    public void close() {
        driver.close();
        folder.delete();
    }
}
