package dev.laurel.platform.kafka;

import dev.laurel.platform.kafka.ArchivedVersions.Index;
import dev.laurel.platform.kafka.ArchivedVersions.Move;
import dev.laurel.platform.kafka.ArchivedVersions.Place;
import dev.laurel.platform.kafka.StoredVersion.Snapshot;
import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests a table of rulesets whose earlier versions are archived. The topics are lists, and the test applies their records as the thread of
 * the table would.
 */
class RulesetTableTest {

    private static final TenantId CLUB = new TenantId("club");
    private static final TenantId POOL = new TenantId("pool");

    @TempDir
    private Path path;
    private TableFolder folder;
    private TableStore store;
    private RulesetTable table;

    /** The topics: of {@code laurel.rulesets} what is not applied yet, too. */
    private final List<Written> written = new ArrayList<>();
    private final List<Written> archive = new ArrayList<>();
    private int applied;

    /** What was published. */
    private final Map<RulesetKey, Ruleset> published = new HashMap<>();
    private final Map<TenantId, Snapshot> snapshots = new HashMap<>();

    private record Written(RulesetKey key, byte @Nullable [] value) {}

    @BeforeEach
    void open() {
        folder = TableFolder.at(path);
        table = newTable("table");
    }

    private RulesetTable newTable(String name) {
        store = folder.open(name);
        // The clients never connect, since the table is not started.
        return new RulesetTable(Topics.RULESETS, Map.of("bootstrap.servers", "127.0.0.1:1"), store,
                new RulesetArchive((key, offset) -> {
                    Written record = archive.get((int) offset);
                    assertEquals(record.key, key);
                    return record.value;
                }), _ -> {});
    }

    @AfterEach
    void close() {
        table.close();
        folder.close();
    }

    private static Ruleset ruleset(TenantId tenant, long version, int objects, Random random) {
        Ruleset empty = Ruleset.empty(tenant);
        var metrics = new ArrayList<Metric>();
        for (int i = 0; i < objects; i++) {
            boolean isChanged = random.nextInt(objects) == 0;
            metrics.add(new Metric(i, new UUID(1, i), "metric-" + i,
                    "Metric " + i + (isChanged ? " of version " + version : ""), "number", "", Instant.EPOCH));
        }
        return new Ruleset(tenant, version, Instant.ofEpochSecond(version), objects + 1, metrics, empty.attributes(),
                empty.achievements(), empty.streak(), empty.pointsSystems(), empty.leaderboards(), empty.settings(),
                empty.webhooks(), empty.notifications(), empty.retired());
    }

    /** @param every stores every so many versions whole */
    private void publish(TenantId tenant, int objects, int every, Random random) {
        Snapshot snapshot = snapshots.get(tenant);
        long version = published.keySet().stream().filter(key -> key.tenant().equals(tenant)).count() + 1;
        var key = new RulesetKey(tenant, version);
        Ruleset ruleset = ruleset(tenant, version, objects, random);
        byte[] document = Topics.RULESETS.value().serializer().serialize("", ruleset);
        published.put(key, ruleset);
        if (snapshot == null || version - snapshot.version() >= every) {
            snapshots.put(tenant, new Snapshot(version, document));
            written.add(new Written(key, document));
        } else {
            written.add(new Written(key, StoredVersion.difference(document, snapshot)));
        }
    }

    private void apply(int records) {
        for (int left = records; left > 0 && applied < written.size(); left--) {
            Written next = written.get(applied++);
            table.put(next.key, next.value, applied - 1);
        }
        store.write(new Position(1, applied, Map.of()));
        table.written();
    }

    private void applyAll() {
        apply(Integer.MAX_VALUE);
    }

    /** Moves versions, as the writer does. @return whether there were any */
    private boolean move(TenantId tenant, int kept) {
        applyAll();
        Move move = table.nextMove(tenant, kept);
        assertEquals(move != null, table.hasMove(tenant, kept));
        if (move == null) {
            return false;
        }
        archive.add(new Written(move.chunkKey(), move.chunk()));
        written.add(new Written(move.indexKey(), move.index(archive.size() - 1)));
        move.deleted().forEach(version -> written.add(new Written(new RulesetKey(tenant, version), null)));
        return true;
    }

    private void expectPublished(RulesetTable read, RulesetKey key) {
        assertEquals(published.get(key), read.version(key.tenant(), key.version()), key.toString());
    }

    private void expectAll(RulesetTable read) {
        published.keySet().forEach(key -> expectPublished(read, key));
        assertNull(read.version(CLUB, published.size() + 1));
    }

    /** The versions of a tenant that the table has. */
    private List<Long> kept(TenantId tenant) {
        var kept = new ArrayList<Long>();
        for (long version = 1; published.containsKey(new RulesetKey(tenant, version)); version++) {
            if (stored(tenant, version) != null) {
                kept.add(version);
            }
        }
        return kept;
    }

    private byte @Nullable [] stored(TenantId tenant, long version) {
        return store.get(("d\0" + tenant.value() + "@" + version).getBytes(UTF_8));
    }

    @Test
    void shouldMoveTheEarliestVersions() {
        var random = new Random(1);
        for (int i = 0; i < 19; i++) {
            publish(CLUB, 20, 4, random);
        }
        applyAll();
        assertFalse(table.hasMove(CLUB, 10), "9 are too few, since as many as are kept are moved at a time");
        publish(CLUB, 20, 4, random);

        assertTrue(move(CLUB, 10));
        applyAll();

        assertEquals(List.of(9L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L), kept(CLUB),
                "11 and 12 are differences to 9");
        assertEquals(20, table.newestVersion(CLUB));
        expectAll(table);
        assertEquals(1, table.archiveReads(), "the chunk stays in memory");
        assertFalse(move(CLUB, 10));

        for (int i = 0; i < 10; i++) {
            publish(CLUB, 20, 4, random);
        }
        assertTrue(move(CLUB, 10));
        applyAll();
        assertEquals(21, kept(CLUB).getFirst(), "the snapshot before it has no differences left");
        expectAll(table);
    }

    @Test
    void shouldReadEachVersionWhileItIsMoved() {
        var random = new Random(2);
        for (int i = 0; i < 40; i++) {
            publish(CLUB, 10, 8, random);
        }
        assertTrue(move(CLUB, 10));
        while (applied < written.size()) {
            apply(1);
            expectAll(table);
        }
        assertTrue(kept(CLUB).size() < 20);
    }

    @Test
    void shouldFindArchivedVersionsWithoutTheRecordsThatCompactionRemoved() {
        var random = new Random(3);
        for (int i = 0; i < 60; i++) {
            publish(CLUB, 10, 8, random);
            if (i % 7 == 0) {
                move(CLUB, 10);
            }
        }
        applyAll();
        table.close();
        var compacted = new LinkedHashMap<RulesetKey, Written>();
        for (Written record : written) {
            compacted.remove(record.key);
            compacted.put(record.key, record);
        }
        written.clear();
        compacted.values().stream().filter(record -> record.value != null).forEach(written::add);
        applied = 0;

        table = newTable("new");
        applyAll();

        expectAll(table);
        assertTrue(kept(CLUB).size() <= 21, kept(CLUB).toString());
    }

    @Test
    void shouldNotLoseTheNewestVersion() {
        publish(CLUB, 5, 1, new Random(4));
        applyAll();

        assertEquals("ruleset RulesetKey[tenant=club, version=1] was deleted from the topic, but it is the newest one",
                assertThrows(IllegalStateException.class, () -> table.put(new RulesetKey(CLUB, 1), null, 1))
                        .getMessage());
    }

    @Test
    void shouldListTenants() {
        var random = new Random(5);
        publish(POOL, 1, 1, random);
        publish(TenantId.NONE, 1, 1, random);
        publish(CLUB, 1, 1, random);
        applyAll();

        assertEquals(List.of(TenantId.NONE, CLUB, POOL), table.tenantsAfter(null, 10));
        assertEquals(List.of(TenantId.NONE, CLUB), table.tenantsAfter(null, 2));
        assertEquals(List.of(CLUB, POOL), table.tenantsAfter(TenantId.NONE, 10));
        assertEquals(List.of(), table.tenantsAfter(POOL, 10));
    }

    /** A chunk limited by its bytes, and documents that have little in common. */
    @Test
    void shouldMoveDocumentsThatCannotBeCompressed() {
        var random = new Random(6);
        for (int i = 0; i < 12; i++) {
            var key = new RulesetKey(CLUB, i + 1L);
            var name = new StringBuilder();
            while (name.length() < 300_000) {
                name.append(Long.toString(random.nextLong(), 36));
            }
            Ruleset empty = Ruleset.empty(CLUB);
            var ruleset = new Ruleset(CLUB, i + 1L, Instant.EPOCH, 2, List.of(new Metric(1, new UUID(1, 1), "laps",
                    name.toString(), "number", "", Instant.EPOCH)), empty.attributes(), empty.achievements(),
                    empty.streak(), empty.pointsSystems(), empty.leaderboards(), empty.settings(), empty.webhooks(),
                    empty.notifications(), empty.retired());
            published.put(key, ruleset);
            written.add(new Written(key, Topics.RULESETS.value().serializer().serialize("", ruleset)));
        }
        while (move(CLUB, 2)) {
            assertTrue(archive.getLast().value.length < 1_100_000, archive.getLast().value.length + " bytes");
        }
        applyAll();

        assertTrue(archive.size() > 1);
        expectAll(table);
    }

    @Test
    void shouldFindTheChunkOfAVersion() {
        var index = new Index(40, 0, List.of(new Place(1, 7), new Place(11, 9), new Place(30, 20)));

        assertEquals(index, Index.of(index.toBytes()));
        assertNull(index.find(0));
        assertEquals(7, index.find(1).offset());
        assertEquals(7, index.find(10).offset());
        assertEquals(9, index.find(11).offset());
        assertEquals(20, index.find(39).offset());
        assertNull(index.find(40));
        assertThrows(IllegalStateException.class, () -> Index.of(new byte[]{1}));
        assertThrows(IllegalStateException.class, () -> Index.of(Arrays.copyOf(index.toBytes(), 50)));
    }

    /** Two tenants, other settings all the time, a table that lags, and reads of any version at any moment. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldReadEveryVersionAtAnyMoment(long seed) {
        var random = new Random(seed);
        var keys = new ArrayList<RulesetKey>();
        int every = 1;
        int kept = 3;
        for (int step = 0; step < 300; step++) {
            TenantId tenant = random.nextInt(4) == 0 ? POOL : CLUB;
            switch (random.nextInt(10)) {
                case 0 -> every = 1 + random.nextInt(20) * random.nextInt(2);
                case 1 -> kept = 1 + random.nextInt(30);
                case 2 -> move(tenant, kept);
                default -> publish(tenant, 1 + random.nextInt(12), every, random);
            }
            apply(random.nextInt(5));
            published.keySet().stream().filter(key -> !keys.contains(key)).forEach(keys::add);
            for (int i = 0; i < 5 && !keys.isEmpty(); i++) {
                RulesetKey key = keys.get(random.nextInt(keys.size()));
                if (key.version() <= table.newestVersion(key.tenant())) {
                    expectPublished(table, key);
                } else {
                    assertNull(table.version(key.tenant(), key.version()));
                }
            }
        }
        applyAll();
        expectAll(table);
        assertFalse(archive.isEmpty());
    }

    /**
     * Prints what the versions of a tenant take; {@code -Dlaurel.edits=10000 -Dlaurel.objects=2000}. Each process keeps the table; the
     * cluster keeps the archive.
     */
    @Test
    void shouldKeepALimitedNumberOfVersions() {
        int edits = Integer.getInteger("laurel.edits", 800);
        int objects = Integer.getInteger("laurel.objects", 50);
        int kept = 256;
        var random = new Random(7);
        Ruleset current = ruleset(CLUB, 0, objects, random);
        var moveNs = new ArrayList<Long>();
        int most = 0;
        for (int i = 1; i <= edits; i++) {
            var metrics = new ArrayList<>(current.metrics());
            metrics.set(i * 7 % objects, ruleset(CLUB, i, 1, random).metrics().getFirst());
            current = new Ruleset(CLUB, i, Instant.ofEpochSecond(i), objects + 1, metrics, current.attributes(),
                    current.achievements(), current.streak(), current.pointsSystems(), current.leaderboards(),
                    current.settings(), current.webhooks(), current.notifications(), current.retired());
            var key = new RulesetKey(CLUB, i);
            byte[] document = Topics.RULESETS.value().serializer().serialize("", current);
            Snapshot snapshot = snapshots.get(CLUB);
            boolean isWhole = snapshot == null || i - snapshot.version() >= 64;
            if (isWhole) {
                snapshots.put(CLUB, new Snapshot(i, document));
            }
            written.add(new Written(key, isWhole ? document : StoredVersion.difference(document, snapshot)));
            apply(1);
            if (table.hasMove(CLUB, kept)) {
                long startedNs = System.nanoTime();
                move(CLUB, kept);
                moveNs.add(System.nanoTime() - startedNs);
                applyAll();
            }
            if (i % 100 == 0) {
                published.put(key, current);
            }
        }
        long chunkBytes = archive.stream().mapToLong(record -> record.value.length).sum();
        long stored = 0;
        for (long version = 1; version <= edits; version++) {
            byte[] value = stored(CLUB, version);
            stored += value == null ? 0 : value.length;
            most += value == null ? 0 : 1;
        }
        long startedNs = System.nanoTime();
        published.keySet().forEach(key -> expectPublished(table, key));
        double readMs = (System.nanoTime() - startedNs) / 1e6 / published.size();
        System.out.printf(
                "%,d edits of %,d objects: %d versions of %,d bytes in the table, whose folder has %,d; %,d bytes in %d "
                        + "chunks of the archive; a move takes %.0f ms at most, a version is read in %.1f ms%n",
                edits, objects, most, stored, bytesOf(path), chunkBytes, archive.size(),
                moveNs.stream().mapToLong(Long::longValue).max().orElse(0) / 1e6, readMs);
        assertTrue(most <= 2 * kept + 64, most + " versions");
        assertNotNull(table.newest(CLUB));
    }

    private static long bytesOf(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
