package dev.laurel.processors.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.MetricState;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.processors.ledger.LedgerMeters;
import dev.laurel.processors.ledger.LedgerTopology;
import dev.laurel.processors.ledger.LedgerTopology.LeadLimits;
import dev.laurel.processors.ledger.Ticks;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.users.UserCodecs;
import dev.laurel.processors.store.users.UserReader;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LeaderboardLayout.ScoreKey;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.PipelineSettings.LocalReplies;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.RulesetKey;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.Topics;
import io.micrometer.core.instrument.Tags;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import tools.jackson.databind.JsonNode;

/**
 * The real ledger topology on one partition, without a broker. It records its input, so that another driver can read the same log
 * again.
 */
public final class LedgerDriver implements AutoCloseable {

    /** A record of the log. */
    public record Logged(byte[] key, byte[] value, RecordHeaders headers, Instant at) {}

    /** An answer to a waiting gateway. @param awaits the parts that leaderboards answer */
    public record Reply(UUID requestId, int status, JsonNode body, List<String> awaits) {}

    /**
     * A message to the leaderboards. A message to every partition appears once for each.
     *
     * @param key null: for all leaderboards
     * @param replyTo null: no client waits
     */
    public record Told(ScoreKey key, Origin origin, LeaderboardMessage message, ReplyTo replyTo, Instant at) {}

    private static final byte[] NO_KEY = null;
    private static final String APPLICATION = "ledger";
    private static final LeaderboardLayout BOARDS = new LeaderboardLayout(2);
    private static final int MAX_TICKS = 10_000;

    private static final Duration ROUND = Duration.ofMillis(100);

    private final TopologyTestDriver driver;
    private final Published published;
    private final LeadLimits leading;
    private final StoreFolder folder;
    private final TestInputTopic<byte[], byte[]> commands;
    private final TestOutputTopic<byte[], byte[]> effects;
    private final TestOutputTopic<byte[], byte[]> outbox;
    private Outgoing.Message newestMessage;
    private final TestOutputTopic<byte[], byte[]> scores;
    private final TestOutputTopic<byte[], byte[]> replies;
    private final TestOutputTopic<byte[], byte[]> rejections;
    private final RulesetVersions versions;
    private final Metrics metrics = new Metrics();
    private final Map<TenantId, Long> applied = new HashMap<>();
    private final List<Logged> log = new ArrayList<>();
    private final List<Reply> answered = new ArrayList<>();
    private final List<Long> ticksSent = new ArrayList<>();
    private final List<SentMarker> markersSent = new ArrayList<>();
    private long nowMs;
    private boolean isCaughtUp = true;

    public LedgerDriver(Published published) {
        this(published, 1);
    }

    /** @param partitions the number of partitions of the log, of which this driver is the first */
    public LedgerDriver(Published published, int partitions) {
        this(published, partitions, StoreFolder.create());
    }

    /** Creates a driver of one of several generations. */
    public LedgerDriver(Published published, OutputWindow window) {
        this(published, 1, StoreFolder.create(), window);
    }

    private LedgerDriver(Published published, int partitions, StoreFolder folder) {
        this(published, partitions, folder, OutputWindow.EVERYTHING);
    }

    /** Creates a driver of a wider log. @param partitions of that log */
    public LedgerDriver(Published published, Generation generation, int partitions) {
        this(published, partitions, StoreFolder.create(), OutputWindow.EVERYTHING, generation);
    }

    private LedgerDriver(Published published, int partitions, StoreFolder folder, OutputWindow window) {
        this(published, partitions, folder, window, Generation.FIRST);
    }

    private LedgerDriver(
            Published published, int partitions, StoreFolder folder, OutputWindow window, Generation generation) {
        this(
                published,
                partitions,
                folder,
                new PipelineSettings(generation, window, true, true, false, Tracing.NONE, LocalReplies.NONE));
    }

    /** Creates a driver in a process with a gateway. */
    public LedgerDriver(Published published, LocalReplies gateway) {
        this(
                published,
                1,
                StoreFolder.create(),
                new PipelineSettings(
                        Generation.FIRST, OutputWindow.EVERYTHING, true, true, false, Tracing.NONE, gateway));
    }

    /** Creates a driver that tells the leaderboards of other numbers of users. */
    public LedgerDriver(Published published, LeadLimits leading) {
        this(
                published,
                1,
                StoreFolder.create(),
                new PipelineSettings(
                        Generation.FIRST, OutputWindow.EVERYTHING, true, true, false, Tracing.NONE, LocalReplies.NONE),
                leading);
    }

    private LedgerDriver(Published published, int partitions, StoreFolder folder, PipelineSettings settings) {
        this(published, partitions, folder, settings, LeadLimits.DEFAULT);
    }

    private LedgerDriver(
            Published published, int partitions, StoreFolder folder, PipelineSettings settings, LeadLimits leading) {
        Generation generation = settings.generation();
        this.published = published;
        this.leading = leading;
        this.folder = folder;
        versions = new RulesetVersions(published, Duration.ofSeconds(1));
        Topology topology = LedgerTopology.build(
                new LedgerTopology.Dependencies(
                        versions,
                        new DriverTicks(),
                        new LogLayout(partitions),
                        BOARDS,
                        new LedgerMeters(metrics.scope(), Tags.empty(), () -> Instant.ofEpochMilli(nowMs)),
                        leading),
                TaskTracker.NONE,
                settings);
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
        config.put(StreamsConfig.STATE_DIR_CONFIG, folder.path().toString());
        config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
        driver = new TopologyTestDriver(topology, config, Instant.EPOCH);
        commands = driver.createInputTopic(generation.log(), new ByteArraySerializer(), new ByteArraySerializer());
        effects = output(Topics.EFFECTS.name());
        outbox = output(Topics.OUTBOX.name());
        scores = output(generation.scores());
        replies = output(Topics.REPLIES.name());
        rejections = output(Topics.REJECTIONS.name());
    }

    /**
     * The same task after a restart: a new task with the same stores; this driver is closed. Offsets go on, as those of a log do.
     */
    public LedgerDriver restarted() {
        StoreFolder copy = StoreFolder.create();
        for (String name : stores().keySet()) {
            try (var all = store(name).all()) {
                copy.write(APPLICATION, name, all);
            }
        }
        close();
        var next = new LedgerDriver(
                published,
                1,
                copy,
                new PipelineSettings(
                        Generation.FIRST, OutputWindow.EVERYTHING, true, true, false, Tracing.NONE, LocalReplies.NONE),
                leading);
        next.applied.putAll(applied);
        next.log.addAll(log);
        next.answered.addAll(answered);
        offsetsOf(next.driver).putAll(offsetsOf(driver));
        return next;
    }

    /** The next offset of each partition in a driver. Kafka's driver has no setting for them. Ids follow from offsets. */
    @SuppressWarnings("unchecked")
    private static Map<TopicPartition, AtomicLong> offsetsOf(TopologyTestDriver driver) {
        try {
            Field offsets = TopologyTestDriver.class.getDeclaredField("offsetsByTopicOrPatternPartition");
            offsets.setAccessible(true);
            return (Map<TopicPartition, AtomicLong>) offsets.get(driver);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private TestOutputTopic<byte[], byte[]> output(String topic) {
        return driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    public void pipe(Logged record) {
        log.add(record);
        commands.pipeInput(new TestRecord<>(record.key(), record.value(), record.headers(), record.at()));
    }

    /** Pipes a record of a direct producer, which awaits no answer. */
    public void produce(String key, String value, String at) {
        pipe(new Logged(
                key == null ? null : key.getBytes(UTF_8),
                value == null ? null : value.getBytes(UTF_8),
                new RecordHeaders(),
                Instant.parse(at)));
    }

    /** Pipes a record of a gateway. @param key null: the record has none @return the answer; null: there is none */
    public Reply ask(String key, String value, String at) {
        var headers = new RecordHeaders();
        UUID requestId = UUID.nameUUIDFromBytes(("request " + log.size()).getBytes(UTF_8));
        ReplyHeaders.write(headers, new ReplyTo(5, requestId));
        pipe(new Logged(key == null ? NO_KEY : key.getBytes(UTF_8), value.getBytes(UTF_8), headers, Instant.parse(at)));
        List<Reply> answers = replies();
        if (answers.isEmpty()) {
            return null;
        }
        if (answers.size() > 1 || !answers.getFirst().requestId().equals(requestId)) {
            throw new AssertionError("not one answer to " + requestId + " but " + answers);
        }
        return answers.getFirst();
    }

    /** Pipes a tick and returns the answer: whether more is due. */
    public boolean tick(String at) {
        var headers = new RecordHeaders();
        ReplyHeaders.write(headers, new ReplyTo(5, UUID.nameUUIDFromBytes(("tick " + log.size()).getBytes(UTF_8))));
        pipe(new Logged(NO_KEY, CommandJson.write(new Tick()), headers, Instant.parse(at)));
        List<Reply> answers = replies();
        return !answers.isEmpty() && answers.getFirst().body().get("more").asBoolean();
    }

    public void mark(LogCommand marker, String at) {
        pipe(new Logged(NO_KEY, CommandJson.write(marker), new RecordHeaders(), Instant.parse(at)));
    }

    /** Pipes ticks until nothing more is due. */
    public void tickUntilQuiet(String at) {
        for (int ticks = 0; ticks < MAX_TICKS; ticks++) {
            var headers = new RecordHeaders();
            ReplyHeaders.write(headers, new ReplyTo(5, UUID.nameUUIDFromBytes(("tick " + log.size()).getBytes(UTF_8))));
            pipe(new Logged(NO_KEY, CommandJson.write(new Tick()), headers, Instant.parse(at)));
            boolean isMoreDue = replies().getFirst().body().get("more").asBoolean();
            if (!isMoreDue) {
                return;
            }
        }
        throw new AssertionError("after " + MAX_TICKS + " ticks, more is due at " + at);
    }

    public void publish(Ruleset ruleset, String at) {
        mark(new RulesetPublished(ruleset.tenant(), ruleset.version()), at);
        applied.put(ruleset.tenant(), ruleset.version());
    }

    /** Sets the newest rules of the log, if the piped records are from another driver. */
    public void assume(Ruleset ruleset) {
        applied.put(ruleset.tenant(), ruleset.version());
    }

    public List<Reply> replies() {
        List<Reply> answers = replies.readRecordsToList().stream()
                .map(r -> new Reply(
                        ReplyHeaders.requestId(r.headers()),
                        ReplyHeaders.status(r.headers()),
                        tree(r.value()),
                        ReplyHeaders.awaits(r.headers())))
                .toList();
        answered.addAll(answers);
        return answers;
    }

    public List<TestRecord<byte[], byte[]>> rawReplies() {
        return replies.readRecordsToList();
    }

    /** The rulesets that this log refers to. */
    public Published published() {
        return published;
    }

    /** The messages to the leaderboards since the last call; sends those that are collected. */
    public List<Told> told() {
        driver.advanceWallClockTime(ROUND);
        return sent();
    }

    /** The messages to the leaderboards since the last call, without those that are collected. */
    public List<Told> sent() {
        return scores.readRecordsToList().stream()
                .map(r -> {
                    var sent = LeaderboardCodecs.MESSAGE.decode(r.value());
                    return new Told(
                            r.key() == null ? null : keyOf(r.key()),
                            sent.origin(),
                            sent.message(),
                            ReplyHeaders.read(r.headers()),
                            r.getRecordTime());
                })
                .toList();
    }

    /** The scores since the last call, as they are in the topic. */
    public List<TestRecord<byte[], byte[]>> rawScores() {
        driver.advanceWallClockTime(ROUND);
        return scores.readRecordsToList();
    }

    private static ScoreKey keyOf(byte[] bytes) {
        int end = 4;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        var tenant = new TenantId(new String(bytes, 4, end - 4, UTF_8));
        int board = ByteBuffer.wrap(bytes).getInt();
        return end == bytes.length
                ? new ScoreKey(tenant, board, 0)
                : new ScoreKey(tenant, board, ByteBuffer.wrap(bytes, end + 1, 4).getInt());
    }

    /** The number of partitions of the leaderboards. */
    public static LeaderboardLayout boards() {
        return BOARDS;
    }

    /** The effects since the last call, as they are in the topic. */
    public List<JsonNode> effects() {
        return effects.readRecordsToList().stream().map(r -> tree(r.value())).toList();
    }

    /** The effects since the last call on users of this tenant; those on others are dropped. */
    public List<JsonNode> effectsOf(TenantId tenant) {
        return effects.readRecordsToList().stream()
                .filter(r -> UserKey.parse(new String(r.key(), UTF_8)).tenant().equals(tenant))
                .map(r -> tree(r.value()))
                .toList();
    }

    public List<TestRecord<byte[], byte[]>> rawEffects() {
        return effects.readRecordsToList();
    }

    /** The records of the outbox since the last call, with their keys. */
    public List<TestRecord<byte[], Outgoing>> outgoing() {
        return outbox.readRecordsToList().stream()
                .map(r ->
                        new TestRecord<>(r.key(), Json.read(r.value(), Outgoing.class), r.headers(), r.getRecordTime()))
                .toList();
    }

    /** The records of the outbox since the last call. */
    public List<Outgoing> outbox() {
        List<Outgoing> read = outgoing().stream().map(TestRecord::value).toList();
        for (Outgoing outgoing : read) {
            newestMessage = outgoing instanceof Outgoing.Message message ? message : newestMessage;
        }
        return read;
    }

    /** The newest message to a user among those that {@link #outbox} has read. */
    public Outgoing.Message newestMessage() {
        return newestMessage;
    }

    public List<JsonNode> rejections() {
        return rejections.readRecordsToList().stream().map(r -> tree(r.value())).toList();
    }

    /** Advances the wall clock, so that the task checks its timers. */
    public void passTime(Duration duration) {
        nowMs += duration.toMillis();
        driver.advanceWallClockTime(duration);
    }

    /** Advances the wall clock to a time, and then a little more, so that the task does what it has scheduled by then. */
    public void passTimeTo(String at) {
        passTime(Duration.between(Instant.ofEpochMilli(nowMs), Instant.parse(at)));
        passTime(Duration.ofMillis(10));
    }

    /** The wall clock. */
    public long nowMs() {
        return nowMs;
    }

    /** Whether there are commands that the task has not read yet. */
    public void lagBehind(boolean isBehind) {
        isCaughtUp = !isBehind;
    }

    /** Sends a tick and waits for the answer. @return whether more is due */
    public boolean askTick(String at) {
        var headers = new RecordHeaders();
        ReplyHeaders.write(headers, new ReplyTo(5, UUID.nameUUIDFromBytes(at.getBytes(UTF_8))));
        pipe(new Logged(NO_KEY, CommandJson.write(new Tick()), headers, Instant.parse(at)));
        return replies().getFirst().body().get("more").asBoolean();
    }

    private final class DriverTicks implements Ticks {

        @Override
        public long nowMs() {
            return nowMs;
        }

        @Override
        public boolean isCaughtUp(int partition, long nextOffset) {
            return isCaughtUp;
        }

        @Override
        public void send(int partition, LogCommand marker, long atMs) {
            if (marker instanceof RulesetPublished(TenantId tenant, long version)) {
                markersSent.add(new SentMarker(tenant, version, atMs));
            } else {
                ticksSent.add(atMs);
            }
        }
    }

    /** A marker that the task has appended to its partition. */
    public record SentMarker(TenantId tenant, long version, long atMs) {}

    /** The markers that the task has sent (and that were not piped) since the last call. */
    public List<SentMarker> markersSent() {
        List<SentMarker> sent = List.copyOf(markersSent);
        markersSent.clear();
        return sent;
    }

    /** The times of the ticks that were sent (and not piped) so far. */
    public List<Long> ticksSent() {
        return ticksSent;
    }

    public List<Logged> log() {
        return log;
    }

    /** Every answer given so far. */
    public List<Reply> answered() {
        return answered;
    }

    public UserReader reader() {
        return new UserReader(this::store);
    }

    public CompiledRuleset rules(TenantId tenant) {
        return versions.get(tenant, applied.getOrDefault(tenant, 0L));
    }

    /** The version in force in this partition of the log; 0 if there is none. */
    public long rulesetVersion(TenantId tenant) {
        Long version = UserCodecs.COUNT.decodeIfPresent(
                store(StoreNames.PARTITION_STATE).get(StoreKeys.rulesetVersion(tenant)));
        return version == null ? 0 : version;
    }

    /** A version of the nameless tenant; null if there is no such version. */
    public CompiledRuleset rulesOfVersion(long version) {
        return versions.get(TenantId.NONE, version);
    }

    /** The sum of a metric on a day, from the store that has it. */
    public BigDecimal change(String user, int metric, int day, MetricState newest) {
        if (newest.day() == day) {
            return newest.bucket().change();
        }
        DayBucket bucket = reader().historyOf(user.getBytes(UTF_8), _ -> null).day(metric, day);
        return bucket == null ? BigDecimal.ZERO : bucket.change();
    }

    /** The keys of all users, in order. */
    public List<UserKey> users() {
        var users = new ArrayList<UserKey>();
        try (KeyValueIterator<Bytes, byte[]> all = store(StoreNames.USERS).all()) {
            all.forEachRemaining(e -> users.add(UserKey.parse(e.key.get())));
        }
        return users;
    }

    /** The counters of the account. */
    public AccountCounters counters() {
        return new AccountCounters(store(StoreNames.COUNTERS));
    }

    /** The number of present users. */
    public long userCount(TenantId tenant) {
        return counters().sum(tenant, Counter.USERS, 0, SegmentGroup.ALL, 0, 0);
    }

    /** The number of present users who have the achievement. @param achievement its number */
    public long completionCount(TenantId tenant, int achievement) {
        return counters().sum(tenant, Counter.COMPLETED, 0, SegmentGroup.ALL, achievement, achievement);
    }

    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name) {
        KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(name);
        return store;
    }

    public double rejectionsTotal() {
        return commandsTotal("rejected");
    }

    /** The number of records with this outcome according to the meters. */
    public double commandsTotal(String outcome) {
        return metrics.registry()
                .get("laurel.ledger.commands")
                .tag("outcome", outcome)
                .functionCounter()
                .count();
    }

    /** The current text of {@code /metrics}. */
    public String scrape() {
        var out = new ByteArrayOutputStream();
        try {
            metrics.scrape(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(UTF_8);
    }

    public Map<String, StateStore> stores() {
        return driver.getAllStateStores();
    }

    /** Every entry of every store, as text that can be compared. */
    public Map<String, Map<String, String>> contents() {
        var contents = new TreeMap<String, Map<String, String>>();
        var hex = HexFormat.of();
        for (var builder : UserStores.builders(true)) {
            var entries = new TreeMap<String, String>();
            boolean isOfPartition = builder.name().equals(StoreNames.PARTITION_STATE);
            try (KeyValueIterator<Bytes, byte[]> all = store(builder.name()).all()) {
                all.forEachRemaining(e -> {
                    // When collected scores are sent depends on time.
                    if (!isOfPartition || !StoreKeys.areUnsentScores(e.key)) {
                        entries.put(hex.formatHex(e.key.get()), hex.formatHex(e.value));
                    }
                });
            }
            contents.put(builder.name(), entries);
        }
        return contents;
    }

    private static JsonNode tree(byte[] json) {
        return Json.mapperForTools().readTree(json);
    }

    @Override
    public void close() {
        driver.close();
        folder.delete();
    }

    /** The published rulesets in memory; a version is published before its marker. */
    public static class Published implements Rulesets {

        private final Map<RulesetKey, Ruleset> versions = new HashMap<>();
        private final Map<TenantId, Ruleset> newest = new HashMap<>();

        public Ruleset add(Ruleset ruleset) {
            versions.put(new RulesetKey(ruleset.tenant(), ruleset.version()), ruleset);
            newest.put(ruleset.tenant(), ruleset);
            return ruleset;
        }

        @Override
        public boolean haveTenants() {
            return newest.keySet().stream().anyMatch(tenant -> !tenant.equals(TenantId.NONE));
        }

        @Override
        public Ruleset newest(TenantId tenant) {
            return newest.getOrDefault(tenant, Ruleset.empty(tenant));
        }

        @Override
        public Ruleset version(TenantId tenant, long version) {
            return version == 0 ? Ruleset.empty(tenant) : versions.get(new RulesetKey(tenant, version));
        }

        @Override
        public boolean awaitNewest(Duration timeout) {
            return true;
        }

        @Override
        public Ruleset await(TenantId tenant, long version, Duration timeout) {
            return version(tenant, version);
        }
    }
}
