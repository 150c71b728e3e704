package dev.laurel.query.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.user.Profile;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.users.UserIndexReader;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.locate.UserPartitions;
import dev.laurel.query.partition.CurrentUsers;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.read.UserLists.ListPlace;
import dev.laurel.query.read.UserLists.Sort;
import dev.laurel.query.read.UserLists.UserPage;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures lists of users in the stores of a node that has all partitions, of {@code -Dlaurel.lists.users} users (2,000; a million with
 * {@code -Dlaurel.full=true}), and prints the durations and the sizes of the stores. With many users, the durations are also checked.
 */
final class UserListsScaleTest {

    private static final int USERS =
            Integer.getInteger("laurel.lists.users", Boolean.getBoolean("laurel.full") ? 1_000_000 : 2_000);
    private static final boolean IS_MEASURED = USERS >= 100_000;
    private static final int READS = IS_MEASURED ? 1_000 : 20;
    private static final double MAX_P99_MS = 100;
    private static final int PARTITIONS = 12;
    private static final int NAMES = 3_000;
    private static final Instant NOW = Instant.parse("2026-03-20T00:00:00Z");

    @TempDir
    private Path folder;

    private final LogLayout layout = new LogLayout(PARTITIONS);
    private final Map<String, KeyValueStore<Bytes, byte[]>> stores = new HashMap<>();
    private final Random random = new Random(20261127);

    @AfterEach
    void close() {
        stores.values().forEach(KeyValueStore::close);
    }

    private KeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return stores.computeIfAbsent(name + partition, _ -> {
            var config = new Properties();
            config.put(StreamsConfig.APPLICATION_ID_CONFIG, "ledger");
            config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
            var context = new MockProcessorContext<Object, Object>(
                    config,
                    new TaskId(0, partition),
                    folder.resolve(Integer.toString(partition)).toFile());
            KeyValueStore<Bytes, byte[]> opened = Stores.keyValueStoreBuilder(
                            Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                    .withCachingDisabled()
                    .withLoggingDisabled()
                    .build();
            opened.init(context.getStateStoreContext(), opened);
            return opened;
        });
    }

    /** A user with points, a streak and an achievement, whose state the others have with other names and times. */
    private static UserState typical() throws Exception {
        var users = new InMemoryUsers();
        users.rules("2026-01-01T00:00:00Z", """
            {"metrics":{"laps":{}},"streak":{"frequency":"daily"},
             "achievements":{"ten":{"name":"Ten","trigger":"metric","metric":"laps","value":10}},
             "points":{"gems":{"triggers":{"lap":{"type":"metric","metric":"laps","threshold":1,"points":1}}}}}\
            """).identify("ida", ",\"tz\":\"Europe/Helsinki\"", "2026-01-01T10:00:00Z");
        for (int day = 1; day <= 20; day++) {
            users.event("ida", "laps", day, "2026-02-%02dT10:00:00Z".formatted(day));
        }
        return users.partitions().readUser(UserKey.of("ida").bytes(), (state, _) -> state);
    }

    private static String name(int i) {
        return "Abcdeilmnorst".charAt(i % 13) + Integer.toString(Math.abs(i * 40_503), 26) + "a "
                + "LKMNPRSTVH".charAt(i % 10) + Integer.toString(Math.abs(i / 7 * 7_919 % NAMES), 26) + "nen";
    }

    private void fill() throws Exception {
        UserState typical = typical();
        var users = new ArrayList<UserStores>();
        var indexes = new ArrayList<UserIndexReader.Writer>();
        for (int i = 0; i < PARTITIONS; i++) {
            int partition = i;
            users.add(new UserStores(store -> store(store, partition), 1));
            indexes.add(new UserIndexReader.Writer(store(StoreNames.PARTITION_STATE, i)));
        }
        for (int i = 0; i < USERS; i++) {
            double years = Math.pow(random.nextDouble(), 4);
            UserState user = user(
                    typical,
                    i,
                    i % 10 == 9
                            ? UserState.NO_EVENT
                            : NOW.minus(Duration.ofSeconds((long) (years * 365 * 86_400)))
                                    .toEpochMilli());
            byte[] key = new UserKey(TenantId.NONE, user.id()).bytes();
            int partition = layout.partitionOf(key);
            indexes.get(partition).follow(TenantId.NONE, key, null, user);
            users.get(partition).save(key, user);
        }
    }

    private static UserState user(UserState from, int number, long lastEventMs) {
        String email = number % 3 == 0 ? null : name(number).toLowerCase().replace(' ', '.') + "@example.net";
        return new UserState(
                new UserId("user-" + number),
                new Profile(email, name(number), from.profile().tz(), List.of(), null, null, new TreeMap<>()),
                from.preferences(),
                from.control(),
                from.createdMs(),
                from.updatedMs(),
                from.newestMs(),
                from.sequence(),
                from.rulesVersion(),
                from.metrics(),
                from.sums(),
                from.points(),
                from.completions(),
                from.streak(),
                from.active(),
                from.boosts(),
                from.boostsAnnouncedTo(),
                from.boards(),
                lastEventMs,
                from.messages(),
                from.wakeUpMs());
    }

    @Test
    void shouldListUsersQuickly() throws Exception {
        long startedNs = System.nanoTime();
        fill();
        System.out.printf("%,d users were stored in %,d ms.%n", USERS, (System.nanoTime() - startedNs) / 1_000_000);
        printSizes();
        var partitions = new UserPartitions(
                new UserPartitions.Source(() -> layout, _ -> true, this::store, this::store, _ -> null));
        var rulesets = new InMemoryUsers();
        var node = new LocalNode(
                new CurrentUsers(partitions, rulesets.rulesets(), () -> NOW), null, () -> null, () -> null);
        var lists = new UserLists(node);
        var reads = new TenantReads(node, new CurrentCounts(node), rulesets.rulesets(), rulesets.clock());

        measure(
                "by id, any page",
                i -> lists.find(TenantId.NONE, "", Sort.ID, new ListPlace.ById(null, new UserId("user-" + i)), 100),
                90);
        measure("by last activity, first page", _ -> lists.find(TenantId.NONE, "", Sort.LAST_ACTIVITY, null, 100), 100);
        int today = Math.toIntExact(NOW.getEpochSecond() / 86_400);
        measure(
                "by last activity, any page",
                i -> lists.find(
                        TenantId.NONE,
                        "",
                        Sort.LAST_ACTIVITY,
                        new ListPlace.OfDay(today - i % 300, new UserId("user-" + i)),
                        100),
                100);
        measureList(
                "newest first, first page",
                _ -> reads.users(TenantId.NONE, "", null, 0, 100).users(),
                100);
        measure(
                "found by one letter of a name",
                i -> lists.find(TenantId.NONE, name(i).substring(0, 1), Sort.MATCH, null, 100),
                1);
        measure(
                "found by three letters of a name",
                i -> lists.find(TenantId.NONE, name(i).substring(0, 3), Sort.MATCH, null, 100),
                1);
        measure(
                "found by the second word",
                i -> lists.find(TenantId.NONE, name(i).split(" ")[1], Sort.MATCH, null, 100),
                1);
        measure(
                "found by the beginning of an id",
                i -> lists.find(TenantId.NONE, "user-" + i, Sort.MATCH, null, 100),
                1);
        measure("found, by last activity", i -> lists.find(TenantId.NONE, name(i), Sort.LAST_ACTIVITY, null, 100), 1);
        measure("found by nothing", _ -> lists.find(TenantId.NONE, "nobody is so called", Sort.MATCH, null, 100), 0);

        int number = USERS / 3 * 3 - 2;
        UserPage found = lists.find(TenantId.NONE, name(number).toUpperCase(), Sort.MATCH, null, 100);
        assertTrue(found.users().stream().anyMatch(user -> user.id().equals("user-" + number)), found.toString());
        assertEquals(
                "user-" + number,
                lists.find(TenantId.NONE, "user-" + number, Sort.ID, null, 1)
                        .users()
                        .getFirst()
                        .id());
        List<Instant> times = lists.find(TenantId.NONE, "", Sort.LAST_ACTIVITY, null, 100).users().stream()
                .map(user -> user.lastActivity())
                .toList();
        assertTrue(
                IS_MEASURED
                        || times.equals(
                                times.stream().sorted((a, b) -> b.compareTo(a)).toList()),
                times::toString);
    }

    /** @param atLeast the users that each page has */
    private void measure(String list, IntFunction<UserPage> read, int atLeast) {
        measureList(list, number -> read.apply(number).users(), atLeast);
    }

    private void measureList(String list, IntFunction<List<?>> read, int atLeast) {
        var tookMs = new double[READS];
        for (int i = -READS / 4; i < READS; i++) {
            int number = random.nextInt(USERS);
            long startedNs = System.nanoTime();
            List<?> page = read.apply(number);
            if (i >= 0) {
                tookMs[i] = (System.nanoTime() - startedNs) / 1e6;
            }
            assertTrue(!IS_MEASURED && atLeast > 1 || page.size() >= atLeast, list + " " + number);
        }
        Arrays.sort(tookMs);
        double p99 = tookMs[READS * 99 / 100];
        System.out.printf("%,d users, %s: p50 %.2f ms, p99 %.2f ms%n", USERS, list, tookMs[READS / 2], p99);
        assertTrue(!IS_MEASURED || p99 < MAX_P99_MS, list);
    }

    private void printSizes() throws IOException {
        var bytes = new TreeMap<String, Long>();
        for (String name : List.of(StoreNames.USERS, StoreNames.PARTITION_STATE)) {
            long entries = 0;
            for (int partition = 0; partition < PARTITIONS; partition++) {
                var store = store(name, partition);
                try (var all = store.all()) {
                    while (all.hasNext()) {
                        var entry = all.next();
                        entries += entry.key.get().length + entry.value.length;
                    }
                }
            }
            bytes.put(name + ", keys and values", entries);
            stores.entrySet().stream()
                    .filter(one -> one.getKey().startsWith(name))
                    .forEach(one -> one.getValue().close());
            stores.keySet().removeIf(one -> one.startsWith(name));
            try (var files = Files.walk(folder)) {
                bytes.put(
                        name + ", files",
                        files.filter(file -> file.getParent().endsWith(name))
                                .mapToLong(file -> {
                                    try {
                                        return Files.size(file);
                                    } catch (IOException e) {
                                        throw new UncheckedIOException(e);
                                    }
                                })
                                .sum());
            }
        }
        bytes.forEach(
                (name, size) -> System.out.printf("%s: %,d bytes, %.0f per user%n", name, size, (double) size / USERS));
    }
}
