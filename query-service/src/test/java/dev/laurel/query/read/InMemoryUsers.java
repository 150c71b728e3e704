package dev.laurel.query.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.analytics.CounterUpdater;
import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.KeyEditor.IssuedKey;
import dev.laurel.core.engine.Notice;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.core.user.UserState;
import dev.laurel.delivery.DeliveryCounters;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.counters.CounterStore;
import dev.laurel.processors.store.users.IssuedKeys;
import dev.laurel.processors.store.users.TopUserStore;
import dev.laurel.processors.store.users.UserIndexReader;
import dev.laurel.processors.store.users.UserResourceReader;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.LeaderboardPartitions;
import dev.laurel.query.locate.UserPartitions;
import dev.laurel.query.partition.CurrentUsers;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** The users of two partitions in memory: their stores. Commands change them without a log. */
public final class InMemoryUsers implements Rulesets {

    private static final int PARTITIONS = 2;
    private static final int RETENTION_DAYS = 1_096;

    private final LogLayout layout = new LogLayout(PARTITIONS);
    private final List<Map<String, KeyValueStore<Bytes, byte[]>>> stores = new ArrayList<>();
    private final List<TopUserStore> top = new ArrayList<>();
    private final List<Ruleset> versions = new ArrayList<>(List.of(Ruleset.empty(TenantId.NONE)));
    private final RulesetVersions rulesets = new RulesetVersions(this, Duration.ZERO);
    private Instant now = Instant.EPOCH;
    private long offset;
    private boolean isCounted = true;
    private boolean isFollowed = true;
    private boolean isDeliveryCounted = true;

    /** Of all partitions, as the sums of a node. */
    private final KeyValueStore<Bytes, byte[]> counters =
            Stores.inMemoryKeyValueStore("map").get();

    private final KeyValueStore<Bytes, byte[]> deliveryCounters =
            Stores.inMemoryKeyValueStore("map").get();
    private final CounterStore deliveryCounted = new CounterStore(deliveryCounters);

    public InMemoryUsers() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            stores.add(new ConcurrentHashMap<>());
            KeyValueStore<Bytes, byte[]> state = store(StoreNames.PARTITION_STATE, partition);
            int number = partition;
            top.add(new TopUserStore(
                    state,
                    (tenant, user) ->
                            new UserStores(name -> store(name, number), 1).load(new UserKey(tenant, user).bytes()),
                    () -> now.toEpochMilli(),
                    TopUserStore.SIZE));
        }
    }

    /** Publishes the next version, as JSON of {@code laurel.yaml}. Users are migrated when they are read. */
    public InMemoryUsers rules(String at, String json) throws BadInputException {
        var source = Json.readForeign(json.getBytes(UTF_8), RulesetSource.class);
        switch (RulesetEditor.apply(versions.getLast(), source, Instant.parse(at))) {
            case RulesetEditor.Result.Changed(Ruleset next) -> versions.add(next);
            case RulesetEditor.Result.Unchanged _ -> throw new IllegalArgumentException("the ruleset does not change");
            case RulesetEditor.Result.Invalid(var issues) -> throw new IllegalArgumentException(issues.toString());
        }
        return this;
    }

    /** Sets the present time of reads. */
    public InMemoryUsers now(String at) {
        now = Instant.parse(at);
        return this;
    }

    /** Makes the counters unavailable. */
    public void forgetCounts() {
        isCounted = false;
    }

    /** Applies a command, given as JSON. */
    public InMemoryUsers command(String user, String json, String at) throws BadInputException {
        var key = UserKey.of(user);
        byte[] bytes = key.bytes();
        int partition = layout.partitionOf(bytes);
        var users = new UserStores(name -> store(name, partition), 1);
        UserState before = users.load(bytes);
        UserHistory history = users.historyOf(bytes, version -> rulesets.get(TenantId.NONE, version));
        var context = new CommandContext(key, Instant.parse(at).toEpochMilli(), partition, offset++, Long.MIN_VALUE);
        var outcome = UserEngine.apply(
                before,
                rulesets.newest(TenantId.NONE),
                (UserCommand) CommandJson.read(json.getBytes(UTF_8)),
                context,
                history);
        if (!(outcome instanceof Outcome.Applied applied)) {
            throw new IllegalArgumentException(json + " had the outcome " + outcome);
        }
        new UserIndexReader.Writer(store(StoreNames.PARTITION_STATE, partition))
                .follow(TenantId.NONE, bytes, before, applied.state());
        users.save(bytes, applied.state());
        for (HistoryWrite write : applied.writes()) {
            users.write(bytes, write);
        }
        new UserResourceReader.Writer(store(StoreNames.PARTITION_STATE, partition))
                .follow(TenantId.NONE, bytes, before, applied.state(), context.atMs());
        var step = new CounterUpdater.Step(
                rulesets.newest(TenantId.NONE),
                before == null ? null : rulesets.get(TenantId.NONE, before.rulesVersion()),
                before,
                applied.state(),
                applied.effects(),
                applied.completed(),
                applied.event(),
                false);
        count(store(StoreNames.COUNTERS, partition), step, applied.notices(), context);
        if (isFollowed) {
            count(counters, step, applied.notices(), context);
            count(committed(partition), step, applied.notices(), context);
        }
        top.get(partition).follow(TenantId.NONE, before, applied.state());
        top.get(partition).write();
        return this;
    }

    private static void count(
            KeyValueStore<Bytes, byte[]> store, CounterUpdater.Step step, List<Notice> notices, CommandContext at) {
        var counted = new CounterStore(store);
        CounterUpdater.count(step, segments -> counted.of(TenantId.NONE, RETENTION_DAYS, segments));
        CounterUpdater.countMessages(notices, at, segments -> counted.of(TenantId.NONE, RETENTION_DAYS, segments));
        counted.write();
    }

    /** What a partition has added to the sums. */
    private KeyValueStore<Bytes, byte[]> committed(int partition) {
        return store("committed-" + StoreNames.COUNTERS, partition);
    }

    /** From now on, the sums lack what happens, as until the next commit. */
    void holdSums() {
        isFollowed = false;
    }

    public InMemoryUsers event(String user, String metric, int value, String at) throws BadInputException {
        return command(
                user,
                "{\"type\":\"event\",\"metric\":\"" + metric + "\",\"value\":" + value + ",\"user\":{\"id\":\"" + user
                        + "\"}}",
                at);
    }

    /** @param fields of the user, as JSON with a comma before it */
    public InMemoryUsers identify(String user, String fields, String at) throws BadInputException {
        return command(user, "{\"type\":\"identify\",\"user\":{\"id\":\"" + user + "\"" + fields + "}}", at);
    }

    /** Adds an application key to the list of a user. */
    public InMemoryUsers issue(UserKey user, IssuedKey key) {
        new IssuedKeys(store(StoreNames.PARTITION_STATE, layout.partitionOf(user.bytes()))).add(user, key);
        return this;
    }

    public UserPartitions partitions() {
        return new UserPartitions(
                new UserPartitions.Source(() -> layout, _ -> true, this::store, this::store, _ -> null));
    }

    /** The counters of the account; null while they are not known. */
    AccountCounters counters() {
        return isCounted ? new AccountCounters(counters, this::committed) : null;
    }

    /** The counters of delivery; null while they are not known. */
    AccountCounters deliveryCounters() {
        return isDeliveryCounted ? new AccountCounters(deliveryCounters) : null;
    }

    /** Makes the counters of delivery unavailable. */
    public void forgetDelivery() {
        isDeliveryCounted = false;
    }

    /** Counts what became of messages and deliveries. */
    public DeliveryCounters delivery() {
        return new DeliveryCounters(deliveryCounted, this);
    }

    /** Writes what delivery has counted. */
    public void commitDelivery() {
        deliveryCounted.write();
    }

    /** Counts that are never old. */
    public CurrentCounts counts() {
        return new CurrentCounts(localNode(), Duration.ZERO);
    }

    /** A node without leaderboards. */
    public LocalNode localNode() {
        return localNode(null);
    }

    public LocalNode localNode(LeaderboardPartitions boards) {
        return new LocalNode(
                new CurrentUsers(partitions(), rulesets, clock()), boards, this::counters, this::deliveryCounters);
    }

    public RulesetVersions rulesets() {
        return rulesets;
    }

    public InstantSource clock() {
        return () -> now;
    }

    public UserReads reads() {
        return new UserReads(new CurrentUsers(partitions(), rulesets, clock()), localNode(), counts());
    }

    public LogLayout layout() {
        return layout;
    }

    public KeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return stores.get(partition)
                .computeIfAbsent(name, _ -> Stores.inMemoryKeyValueStore("map").get());
    }

    @Override
    public Ruleset newest(TenantId tenant) {
        return versions.getLast();
    }

    @Override
    public Ruleset version(TenantId tenant, long version) {
        return versions.get(Math.toIntExact(version));
    }

    @Override
    public Ruleset await(TenantId tenant, long version, Duration timeout) {
        return version(tenant, version);
    }

    @Override
    public boolean awaitNewest(Duration timeout) {
        return true;
    }
}
