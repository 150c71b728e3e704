package dev.laurel.platform.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.RulesetKey;
import dev.laurel.schemas.topic.Topics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a table of rulesets. The topics are maps, and the test applies their records as the thread of the table would. */
class RulesetTableTest {

    private static final TenantId CLUB = new TenantId("club");
    private static final TenantId POOL = new TenantId("pool");

    @TempDir
    private Path path;

    private TableFolder folder;
    private TableStore store;
    private RulesetTable table;

    /** Records by topic and offset. */
    private final Map<String, Written> topics = new HashMap<>();

    /** The records of {@code laurel.rulesets} that are not applied yet. */
    private final List<Written> waiting = new ArrayList<>();

    private final Map<RulesetKey, Ruleset> published = new HashMap<>();
    private long end = 5;

    private record Written(RulesetKey key, byte @Nullable [] value, long offset) {}

    @BeforeEach
    void open() {
        folder = TableFolder.at(path);
        store = folder.open("table");
        // The clients never connect, since the table is not started.
        table = new RulesetTable(
                Topics.RULESETS,
                Map.of("bootstrap.servers", "127.0.0.1:1"),
                store,
                (topic, key, offset) -> {
                    Written record = topics.get(topic + offset);
                    assertEquals(record.key, key);
                    return requireNonNull(record.value);
                },
                _ -> {});
    }

    @AfterEach
    void close() {
        table.close();
        folder.close();
    }

    private void publish(TenantId tenant, long version, Random random) {
        Ruleset empty = Ruleset.empty(tenant);
        var metric = new Metric(1, new UUID(1, 1), "laps", "Laps " + random.nextInt(), "number", "", Instant.EPOCH);
        var ruleset = new Ruleset(
                tenant,
                version,
                Instant.ofEpochSecond(version),
                2,
                List.of(metric),
                empty.attributes(),
                empty.achievements(),
                empty.streak(),
                empty.pointsSystems(),
                empty.leaderboards(),
                empty.settings(),
                empty.webhooks(),
                empty.notifications(),
                empty.retired(),
                null,
                null);
        var key = new RulesetKey(tenant, version);
        published.put(key, ruleset);
        var record = new Written(key, Topics.RULESETS.value().serializer().serialize("", ruleset), end++);
        topics.put(Topics.RULESETS.name() + record.offset, record);
        waiting.add(record);
    }

    private void apply(int records) {
        for (int left = records; left > 0 && !waiting.isEmpty(); left--) {
            Written next = waiting.removeFirst();
            table.put(next.key, next.value, next.offset);
        }
        store.write(new Position(1, end, Map.of()));
        table.written();
    }

    /** Two tenants, a table that lags, and reads of any version at any moment. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldReadEveryVersionAtAnyMoment(long seed) {
        var random = new Random(seed);
        var newest = new HashMap<TenantId, Long>();
        for (int step = 0; step < 200; step++) {
            TenantId tenant = random.nextInt(4) == 0 ? POOL : CLUB;
            publish(tenant, newest.merge(tenant, 1L, Long::sum), random);
            apply(random.nextInt(3));
            for (TenantId read : List.of(CLUB, POOL)) {
                long version = 1 + random.nextLong(newest.getOrDefault(read, 0L) + 1);
                assertEquals(
                        version <= table.newestVersion(read) ? published.get(new RulesetKey(read, version)) : null,
                        table.version(read, version));
                assertEquals(table.newestVersion(read), table.newest(read).version());
            }
        }
        apply(Integer.MAX_VALUE);
        published.forEach((key, ruleset) -> assertEquals(ruleset, table.version(key.tenant(), key.version())));
        assertTrue(table.haveTenants());
        assertTrue(table.reads() > 0);
    }

    @Test
    void shouldReadTheNewestVersionFromDisk() {
        publish(CLUB, 1, new Random(1));
        publish(CLUB, 2, new Random(2));
        apply(2);
        topics.clear();

        assertEquals(published.get(new RulesetKey(CLUB, 2)), table.newest(CLUB));
        assertEquals(0, table.newest(POOL).version());
        assertEquals(0, table.reads());
    }

    @Test
    void shouldNotLoseTheNewestVersion() {
        publish(CLUB, 1, new Random(4));
        apply(1);

        assertEquals(
                "ruleset RulesetKey[tenant=club, version=1] was deleted from the topic, but it is the newest one",
                assertThrows(IllegalStateException.class, () -> table.put(new RulesetKey(CLUB, 1), null, 1))
                        .getMessage());
    }

    /** The file has what the writer of 0.1 left after 40 versions, of which it kept 10: topic, version, offset, and value. */
    @Test
    void shouldReadWhatLaurel01HasWritten() throws IOException {
        try (var in = new BufferedReader(
                new InputStreamReader(requireNonNull(getClass().getResourceAsStream("rulesets-0.1.txt")), UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] parts = line.split(" ");
                var record = new Written(
                        new RulesetKey(CLUB, Long.parseLong(parts[1])),
                        Base64.getDecoder().decode(parts[3]),
                        Long.parseLong(parts[2]));
                topics.put(parts[0] + record.offset, record);
                if (parts[0].equals(Topics.RULESETS.name())) {
                    waiting.add(record);
                }
            }
        }
        apply(Integer.MAX_VALUE);

        for (long version = 1; version <= 40; version++) {
            Ruleset read = requireNonNull(table.version(CLUB, version));
            assertEquals(version, read.version());
            assertEquals(
                    "Metric " + version % 4 + " of version " + version,
                    read.metrics().get(Math.toIntExact(version % 4)).name());
        }
        assertNull(table.version(CLUB, 41));
        assertNull(table.newest(CLUB).alikeSince());
        publish(CLUB, 41, new Random(1));
        apply(1);
        assertEquals(40, requireNonNull(table.version(CLUB, 40)).version());
    }
}
