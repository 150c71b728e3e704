package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.platform.kafka.TableFolder;
import dev.laurel.platform.kafka.TopicTable;
import dev.laurel.schemas.access.AccessIndex.KeyRange;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.RulesetKey;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables that are closed and opened again in their folder. They follow topics of their own. Kafka may delete the beginning of these
 * topics, as compaction removes records, so that a table that reads the beginning again would lack it.
 */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class TablesOnDiskIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final TenantId ACME = new TenantId("acme");

    /** The sizes of the last test, which {@code -Dlaurel.tables.keys=10000} and {@code -Dlaurel.tables.tenants=1000} change. */
    private static final int KEYS =
            Integer.getInteger("laurel.tables.keys", Boolean.getBoolean("laurel.full") ? 1_000_000 : 3_000);

    private static final int TENANTS =
            Integer.getInteger("laurel.tables.tenants", Boolean.getBoolean("laurel.full") ? 10_000 : 100);

    private final Topic<String, AccessRecord> topic = Topics.ACCESS.named("access-" + UUID.randomUUID());
    private final Topic<RulesetKey, Ruleset> rulesets = Topics.RULESETS.named("rulesets-" + UUID.randomUUID());
    private final TopicPartition partition = new TopicPartition(topic.name(), 0);

    @TempDir
    private Path path;

    private Map<String, Object> client;
    private Admin admin;
    private KafkaProducer<String, AccessRecord> producer;

    @BeforeEach
    void start(LaurelInstance instance) throws Exception {
        client = Map.of("bootstrap.servers", instance.bootstrapServers());
        admin = Admin.create(client);
        producer = new KafkaProducer<>(
                client, topic.key().serializer(), topic.value().serializer());
        create(topic.name());
    }

    private void create(String name) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, 1, (short) 1)
                        .configs(Map.of("cleanup.policy", "compact,delete", "retention.ms", "-1"))))
                .all()
                .get();
    }

    @AfterEach
    void stop() throws Exception {
        admin.deleteTopics(List.of(topic.name())).all().get();
        producer.close();
        admin.close();
    }

    private void put(AccessRecord record) {
        put(record.recordKey(), record);
    }

    private void put(String key, @Nullable AccessRecord record) {
        producer.send(new ProducerRecord<>(topic.name(), key, record));
        producer.flush();
    }

    private static ApplicationKey key(int number) {
        ApiKey key = text(number);
        return new ApplicationKey(
                new UUID(7, number),
                ACME,
                new UserId("user-" + number),
                key.prefix(),
                key.hash(),
                Instant.ofEpochMilli(number),
                Role.SUPPORT);
    }

    private static ApiKey text(int number) {
        return new ApiKey(String.format("app_%08d.0123456789abcdef", number));
    }

    private static AdminKey admin(String name) {
        return new AdminKey(new UUID(8, 8), name, "Abcd1234", "00", KeyStatus.ACTIVE, Instant.EPOCH);
    }

    private interface Check {
        void accept(AccessTable table);
    }

    /** Opens the table, waits until it has read everything, and closes it. */
    private void withTable(Check check) throws InterruptedException {
        try (TableFolder folder = TableFolder.at(path);
                var table = new AccessTable(topic, client, folder, _ -> {})) {
            started(table);
            check.accept(table);
        }
    }

    private static <T extends TopicTable<?, ?>> T started(T table) throws InterruptedException {
        table.start();
        table.awaitCaughtUp(PATIENCE);
        assertTrue(table.awaitNewest(PATIENCE));
        return table;
    }

    private void deleteRecordsBefore(long offset) throws Exception {
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
                .all()
                .get();
    }

    @Test
    void shouldContinueWhereItWasClosed() throws Exception {
        put(admin("CI"));
        put(key(1));
        put(key(2));
        withTable(table -> assertEquals(3, table.position()));
        deleteRecordsBefore(3);
        put(key(1).recordKey(), null);
        put(key(3));

        withTable(table -> {
            assertEquals(5, table.position());
            assertEquals(admin("CI"), table.index().adminKey(admin("CI").id()), "loaded from disk");
            assertNull(table.index().holderOf(text(1).text()));
            assertEquals(key(2), table.index().holderOf(text(2).text()), "the topic no longer has it");
            assertEquals(key(3), table.index().holderOf(text(3).text()));
        });
        withTable(table -> assertEquals(5, table.position(), "without a further record"));
    }

    /** The table has a key of which it cannot know any more whether it was deleted. */
    @Test
    void shouldBeginAnewIfTheTopicLacksRecordsThatItHasNotRead() throws Exception {
        put(admin("CI"));
        put(key(1));
        withTable(table -> assertNotNull(table.index().holderOf(text(1).text())));
        put(key(1).recordKey(), null);
        put(key(2));
        deleteRecordsBefore(3);

        withTable(table -> {
            assertNull(table.index().adminKey(admin("CI").id()));
            assertNull(table.index().holderOf(text(1).text()));
            assertEquals(key(2), table.index().holderOf(text(2).text()));
        });
    }

    @Test
    void shouldBeginAnewOnAnotherTopicOfTheSameName() throws Exception {
        put(key(1));
        withTable(table -> assertNotNull(table.index().holderOf(text(1).text())));
        admin.deleteTopics(List.of(topic.name())).all().get();
        create(topic.name());
        put(key(2));
        put(key(3));

        withTable(table -> {
            assertNull(table.index().holderOf(text(1).text()));
            assertEquals(key(2), table.index().holderOf(text(2).text()));
            assertEquals(key(3), table.index().holderOf(text(3).text()));
        });
    }

    /** Prints how long a first and a second start take, and the memory. */
    @Test
    void shouldStartWithoutReadingEverythingAgain() throws Exception {
        create(rulesets.name());
        for (int i = 0; i < KEYS; i++) {
            producer.send(new ProducerRecord<>(topic.name(), key(i).recordKey(), key(i)));
        }
        producer.flush();
        try (var writer = new KafkaProducer<>(
                client, rulesets.key().serializer(), rulesets.value().serializer())) {
            IntStream.range(0, TENANTS)
                    .mapToObj(TablesOnDiskIT::ruleset)
                    .forEach(ruleset -> writer.send(
                            new ProducerRecord<>(rulesets.name(), new RulesetKey(ruleset.tenant(), 1), ruleset)));
        }
        try {
            long heapBefore = heapBytes();
            for (String start : List.of("first", "second")) {
                long startedNs = System.nanoTime();
                try (TableFolder folder = TableFolder.at(path);
                        var access = new AccessTable(topic, client, folder, _ -> {});
                        var documents = new RulesetTable(rulesets, client, folder, _ -> {})) {
                    started(access);
                    started(documents);
                    double startMs = (System.nanoTime() - startedNs) / 1e6;
                    long heap = heapBytes() - heapBefore;
                    System.out.printf(
                            "tables of %,d keys and %,d rulesets: %s start in %,.0f ms, %,d KB of heap%n",
                            KEYS, TENANTS, start, startMs, heap / 1024);
                    for (int i = 0; i < KEYS; i += Math.max(1, KEYS / 1_000)) {
                        assertEquals(key(i), access.index().holderOf(text(i).text()));
                    }
                    for (int i = 0; i < TENANTS; i += Math.max(1, TENANTS / 100)) {
                        assertEquals(1, documents.newestVersion(ruleset(i).tenant()));
                        assertEquals(ruleset(i), documents.newest(ruleset(i).tenant()));
                    }
                    assertTrue(documents.haveTenants());
                    assertEquals(
                            List.of(key(0), key(1)),
                            access.index()
                                    .applicationKeys(ACME, new KeyRange(null, null, 0, 2))
                                    .keys());
                }
                // What the second start finds is on disk only.
                deleteRecordsBefore(KEYS);
                var ofRulesets = new TopicPartition(rulesets.name(), 0);
                admin.deleteRecords(Map.of(ofRulesets, RecordsToDelete.beforeOffset(TENANTS)))
                        .all()
                        .get();
            }
        } finally {
            admin.deleteTopics(List.of(rulesets.name())).all().get();
        }
    }

    private static long heapBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Returns rules of about 50 KB. */
    private static Ruleset ruleset(int number) {
        var tenant = new TenantId("tenant-" + number);
        Ruleset empty = Ruleset.empty(tenant);
        List<Metric> metrics = IntStream.range(0, 300)
                .mapToObj(i -> new Metric(
                        i,
                        new UUID(number, i),
                        "metric-" + i,
                        "Metric " + i + " of tenant " + number,
                        "number",
                        "",
                        Instant.EPOCH))
                .toList();
        return new Ruleset(
                tenant,
                1,
                Instant.ofEpochSecond(number),
                301,
                metrics,
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
    }
}
