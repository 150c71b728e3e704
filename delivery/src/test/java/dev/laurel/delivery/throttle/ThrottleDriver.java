package dev.laurel.delivery.throttle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.StoreFolder;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.LeaderboardKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.outbox.Outgoing.LeaderboardEvent;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.UserBody;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import tools.jackson.databind.JsonNode;

/**
 * Runs the throttle alone, on the real store, with a clock that the test moves. It takes what the throttle adds to the deliveries. The test
 * plays the node: its leaderboards change by {@link #score}, which also writes the events.
 */
final class ThrottleDriver implements AutoCloseable, NodeReads {

    static final LocalDate FIRST = LocalDate.parse("2026-03-01");

    private record GroupName(String board, LocalDate run, List<String> group) {}

    private static final String HANDED = "forwarded";

    /** Begins the keys of entries that stand for deliveries. */
    private static final String DELIVERY = "DELIVERY ";

    private final LedgerDriver.Published published = new LedgerDriver.Published();
    private final Map<GroupName, Map<String, BigDecimal>> standings = new HashMap<>();
    private final Map<GroupName, List<RankingBody>> frozen = new HashMap<>();
    private final Map<String, String> cities = new HashMap<>();
    private final Set<String> erased = new HashSet<>();
    private final List<HookEvent> taken = new ArrayList<>();
    private final Map<UUID, HookEvent> held = new LinkedHashMap<>();
    private final StoreFolder folder = StoreFolder.create();
    private TopologyTestDriver driver;
    private TestInputTopic<byte[], Outgoing> outbox;
    private TestOutputTopic<byte[], Outgoing> forwarded;
    private TestOutputTopic<byte[], byte[]> changelog;
    private Instant now = Instant.parse("2026-03-04T09:00:00Z");
    private boolean isTimeVirtual;
    private boolean isWindowLeft;
    private boolean isAway;
    private int rankingsAsked;
    private int newsTold;

    ThrottleDriver() {
        start();
    }

    private void start() {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "throttle");
        config.put(StreamsConfig.STATE_DIR_CONFIG, folder.path().toString());
        config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
        var topology = new Topology();
        topology.addSource(
                "outbox-source",
                new ByteArrayDeserializer(),
                Topics.OUTBOX.value().deserializer(),
                Topics.OUTBOX.name());
        topology.addProcessor(
                "throttle",
                new ProcessorSupplier<byte[], Outgoing, byte[], HookEvent>() {

                    @Override
                    public Processor<byte[], Outgoing, byte[], HookEvent> get() {
                        return new Step();
                    }

                    @Override
                    public Set<StoreBuilder<?>> stores() {
                        return Set.of(PreCommitStore.builder(StoreNames.DELIVERIES, true, false));
                    }
                },
                "outbox-source");
        topology.addSink(
                "forwarded-sink",
                HANDED,
                new ByteArraySerializer(),
                Topics.OUTBOX.value().serializer(),
                "throttle");
        driver = new TopologyTestDriver(topology, config, Instant.EPOCH);
        outbox = driver.createInputTopic(
                Topics.OUTBOX.name(),
                new ByteArraySerializer(),
                Topics.OUTBOX.value().serializer());
        changelog = driver.createOutputTopic(
                "throttle-" + StoreNames.DELIVERIES + "-changelog",
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        forwarded = driver.createOutputTopic(
                HANDED, new ByteArrayDeserializer(), Topics.OUTBOX.value().deserializer());
    }

    /** The throttle in a task. */
    private final class Step extends ContextualProcessor<byte[], Outgoing, byte[], HookEvent> implements Deliveries {

        private KeyValueStore<Bytes, byte[]> store;
        private Throttle throttle;

        @Override
        public void init(ProcessorContext<byte[], HookEvent> context) {
            super.init(context);
            store = context.getStateStore(StoreNames.DELIVERIES);
            throttle = new Throttle(
                    new Throttle.Environment(
                            new RulesetVersions(published, Duration.ZERO),
                            ThrottleDriver.this,
                            () -> now,
                            isTimeVirtual),
                    store,
                    this);
            PreCommitStore.beforeCommit(store, throttle::write);
            context.schedule(Throttle.CHECK_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> throttle.check());
        }

        @Override
        public void process(Record<byte[], Outgoing> record) {
            switch (record.value()) {
                case HookEvent event ->
                    throttle.accept(
                            record.key(),
                            event,
                            context().recordMetadata().orElseThrow().offset());
                case LeaderboardEvent news -> throttle.accept(record.key(), news);
                case Outgoing.UserErased gone -> throttle.forget(record.key(), gone);
                case Outgoing.Question question -> isWindowLeft = throttle.reach(question);
                case Outgoing.Message _, Outgoing.HookTest _, Outgoing.HookRetry _ -> throw new AssertionError();
            }
        }

        @Override
        public void add(byte[] key, HookEvent event) {
            store.put(Bytes.wrap((DELIVERY + event.at() + event.id()).getBytes(UTF_8)), Json.write(event));
            context().forward(new Record<>(key, event, 0));
        }

        @Override
        public void addAtItsTime(byte[] key, HookEvent event) {
            if (event.at().isAfter(now)) {
                held.put(event.id(), event);
            } else {
                add(key, event);
            }
        }
    }

    /** Starts the task again with a test clock, whose control asks {@link #question()} when the log has reached a time. */
    void useTestClock() {
        isTimeVirtual = true;
        restart();
        check();
    }

    /** Starts the task again on its store. */
    void restart() {
        var entries = new ArrayList<KeyValue<Bytes, byte[]>>();
        store().forEach((key, value) -> entries.add(KeyValue.pair(key, value)));
        restart(entries);
    }

    /** Starts the task again after a crash, on these writes. The deliveries among them are forwarded. */
    void restartAfterCrash(List<KeyValue<Bytes, byte[]>> written) {
        restart(written);
        taken.clear();
        written.stream()
                .filter(ThrottleDriver::isDelivery)
                .forEach(entry -> taken.add((HookEvent) Json.read(entry.value, Outgoing.class)));
    }

    private static boolean isDelivery(KeyValue<Bytes, byte[]> entry) {
        return new String(entry.key.get(), UTF_8).startsWith(DELIVERY);
    }

    private void restart(List<KeyValue<Bytes, byte[]>> written) {
        driver.close();
        start();
        KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(StoreNames.DELIVERIES);
        written.forEach(entry -> store.put(entry.key, entry.value));
        written();
    }

    /** The present content of the store, without deliveries. */
    TreeMap<Bytes, byte[]> store() {
        var entries = new TreeMap<Bytes, byte[]>();
        KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(StoreNames.DELIVERIES);
        try (var all = store.all()) {
            all.forEachRemaining(entry -> {
                if (!isDelivery(entry)) {
                    entries.put(entry.key, entry.value);
                }
            });
        }
        return entries;
    }

    /** The writes since the last call, in order: a crash may lose the last of them. */
    List<KeyValue<Bytes, byte[]>> written() {
        return changelog.readKeyValuesToList().stream()
                .map(entry -> KeyValue.pair(Bytes.wrap(entry.key), entry.value))
                .toList();
    }

    /** Publishes the next ruleset: the YAML with these leaderboards. */
    Ruleset rules(String yaml, TestLeaderboard... boards) {
        long version = published.newest(TenantId.NONE).version() + 1;
        return published.add(TestLeaderboard.on(
                TestLeaderboard.first("metrics: {laps: {}}\n" + yaml), version, Instant.EPOCH, boards));
    }

    static String asking(String... events) {
        return "webhooks: {crm: {name: CRM, url: 'https://example.net/hook', events: [" + String.join(", ", events)
                + "]}}";
    }

    // Time.

    Instant now() {
        return now;
    }

    /** Moves the instance's clock, and lets the step check what is due. */
    void after(Duration time) {
        now = now.plus(time);
        check();
    }

    void at(String time) {
        now = Instant.parse(time);
        check();
    }

    /** Moves the machine's clock by half a second, which triggers a check. */
    void check() {
        driver.advanceWallClockTime(Throttle.CHECK_INTERVAL);
    }

    /** Moves the test clock without the question that follows, and lets the step check what is due. */
    void leap(Duration time) {
        after(time);
    }

    /** Asks whether anything is due at the present time, as the control of the test clock does. @return whether it is */
    boolean question() {
        pipe("", new Outgoing.Question(UUID.randomUUID(), TenantId.NONE, now));
        takeForwarded();
        return isWindowLeft;
    }

    // Input.

    void pipe(String key, Outgoing outgoing) {
        outbox.pipeInput(key.getBytes(UTF_8), outgoing);
    }

    /** Writes the event that the boards application writes. */
    LeaderboardEvent event(Effect.OfLeaderboard fact) {
        newsTold++;
        return new LeaderboardEvent(
                UUID.nameUUIDFromBytes(("event " + newsTold).getBytes(UTF_8)),
                TenantId.NONE,
                fact.at(),
                published.newest(TenantId.NONE).version(),
                fact);
    }

    void accept(Effect.OfLeaderboard fact) {
        accept(event(fact));
    }

    void accept(LeaderboardEvent event) {
        pipe(new LeaderboardKey(TenantId.NONE, event.fact().leaderboardKey()).text(), event);
    }

    private Leaderboard board(String key) {
        return published.newest(TenantId.NONE).leaderboards().stream()
                .filter(board -> board.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    void scoreAndCheck(String board, String user, String value) {
        scoreAndCheck(board, FIRST, null, List.of(), user, value);
    }

    void scoreAndCheck(
            String board, LocalDate runStart, LocalDate runEnd, List<String> values, String user, String value) {
        score(board, runStart, runEnd, values, user, value);
        check();
    }

    /** Sets the value of a user on a perpetual leaderboard without groups; 0: the user leaves. */
    void score(String board, String user, String value) {
        score(board, FIRST, null, List.of(), user, value);
    }

    /** Sets the value of a user in a group. @param values of the breakdown attributes; the first one becomes the user's city */
    void score(String board, LocalDate runStart, LocalDate runEnd, List<String> values, String user, String value) {
        accept(scored(board, runStart, runEnd, values, user, value));
    }

    /** Changes a value without an event. */
    LeaderboardEvent scored(
            String board, LocalDate runStart, LocalDate runEnd, List<String> values, String user, String value) {
        Map<String, BigDecimal> group =
                standings.computeIfAbsent(new GroupName(board, runStart, values), _ -> new HashMap<>());
        if (!values.isEmpty()) {
            cities.put(user, values.getFirst());
        }
        Integer previousRank = rankOf(group, user);
        BigDecimal next = new BigDecimal(value);
        boolean hasLeft = next.signum() <= 0;
        BigDecimal previous = hasLeft ? group.remove(user) : group.put(user, next);
        var groupValues = new ArrayList<Effect.GroupValue>();
        for (int i = 0; i < values.size(); i++) {
            groupValues.add(
                    new Effect.GroupValue(board(board).breakdownAttributes().get(i), values.get(i)));
        }
        return event(new Effect.LeaderboardChanged(
                new UserId(user),
                now,
                board(board).id(),
                board,
                runStart,
                runEnd,
                groupValues,
                previousRank,
                rankOf(group, user),
                previous,
                hasLeft ? null : next));
    }

    private static Integer rankOf(Map<String, BigDecimal> group, String user) {
        return places(group).stream()
                .filter(place -> place.userId().equals(user))
                .map(RankingBody::rank)
                .findFirst()
                .orElse(null);
    }

    private static List<RankingBody> places(Map<String, BigDecimal> group) {
        var users = new ArrayList<>(group.keySet());
        users.sort(Comparator.comparing((String user) -> group.get(user))
                .reversed()
                .thenComparing(Comparator.naturalOrder()));
        var places = new ArrayList<RankingBody>();
        for (String user : users) {
            places.add(new RankingBody(user, null, places.size() + 1, group.get(user)));
        }
        return places;
    }

    // The node.

    /** Makes the node unable to answer. */
    void isAway(boolean away) {
        isAway = away;
    }

    /** Freezes the rankings that the node shows. */
    void fallBehind() {
        standings.forEach((group, values) -> frozen.put(group, places(values)));
    }

    void catchUp() {
        frozen.clear();
    }

    void erase(String user) {
        erased.add(user);
    }

    int rankingsAsked() {
        return rankingsAsked;
    }

    @Override
    public Optional<UserBody> user(UserKey user) throws NotNow {
        expectHere();
        String id = user.user().value();
        return erased.contains(id)
                ? Optional.empty()
                : Optional.of(new UserBody(
                        id,
                        null,
                        null,
                        null,
                        List.of(),
                        true,
                        null,
                        cities.containsKey(id) ? Map.of("city", cities.get(id)) : Map.of(),
                        false,
                        Instant.EPOCH,
                        Instant.EPOCH));
    }

    @Override
    public List<RankingBody> ranking(TenantId tenant, String leaderboard, LocalDate runStart, List<String> group)
            throws NotNow {
        expectHere();
        rankingsAsked++;
        var name = new GroupName(leaderboard, runStart, group);
        return frozen.containsKey(name) ? frozen.get(name) : places(standings.getOrDefault(name, Map.of()));
    }

    private void expectHere() throws NotNow {
        if (isAway) {
            throw new NotNow("away");
        }
    }

    // Output.

    /** The events that were forwarded since the last call. */
    List<HookEvent> forwarded() {
        takeForwarded();
        var events = List.copyOf(taken);
        taken.clear();
        return events;
    }

    private void takeForwarded() {
        forwarded.readValuesToList().forEach(outgoing -> taken.add((HookEvent) outgoing));
        held.values().removeIf(event -> !event.at().isAfter(now) && taken.add(event));
    }

    List<String> forwardedKeys() {
        return forwarded.readKeyValuesToList().stream()
                .map(record -> new String(record.key, UTF_8))
                .toList();
    }

    List<JsonNode> bodies() {
        return forwarded().stream().map(ThrottleDriver::body).toList();
    }

    static JsonNode body(HookEvent event) {
        return Json.mapperForTools().readTree(event.body().getBytes(UTF_8));
    }

    /** The forwarded events as text, such as {@code ann 2/30 -> 1/40} for ranks and {@code changed ann bob} for leaderboards. */
    List<String> lines() {
        return bodies().stream().map(ThrottleDriver::line).toList();
    }

    private static String line(JsonNode body) {
        JsonNode board = body.get("leaderboard");
        if (body.has("user")) {
            return body.at("/user/id").asString() + " " + board.get("previousRank") + "/" + board.get("previousValue")
                    + " -> " + board.get("rank") + "/" + board.get("value");
        }
        var line = new StringBuilder(body.get("type").asString().substring("leaderboard.".length()));
        board.get("rankings")
                .forEach(place -> line.append(' ').append(place.get("userId").asString()));
        return line.toString();
    }

    @Override
    public void close() {
        driver.close();
        folder.delete();
    }
}
