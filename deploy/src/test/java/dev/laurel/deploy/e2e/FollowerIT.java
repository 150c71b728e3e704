package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.Follower;
import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.platform.kafka.Follower.Reading;
import dev.laurel.platform.kafka.Follower.Sink;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.processors.runtime.CounterFollower;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.counters.CounterRecords;
import dev.laurel.processors.store.counters.CounterSums;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Generation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower on a broker: what it does with topics that are missing, changed or were not read for long. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FollowerIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long THIRTEEN_HOURS_MS = Duration.ofHours(13).toMillis();

    @TempDir
    private static Path dataDir;

    private static EmbeddedBroker broker;
    private static Map<String, Object> client;
    private static Admin admin;
    private static KafkaProducer<byte[], byte[]> producer;

    private final String topic = "followed-" + UUID.randomUUID();
    private final Kept kept = new Kept();

    @TempDir
    private Path folder;

    @AutoClose
    private Follower follower;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.start(BrokerSettings.alone(dataDir, 0, 0));
        client = Map.of("bootstrap.servers", broker.bootstrapServers());
        admin = Admin.create(client);
        producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @AfterAll
    static void stopBroker() {
        producer.close();
        admin.close();
        broker.close();
    }

    /** Keeps the values of records with their position. */
    private static final class Kept implements Sink {

        private final List<String> values = new CopyOnWriteArrayList<>();
        private final List<String> problems = new CopyOnWriteArrayList<>();
        private volatile @Nullable Position position;

        @Override
        public @Nullable Position position() {
            return position;
        }

        @Override
        public void begin(@Nullable String problem) {
            if (problem != null) {
                problems.add(problem);
                values.clear();
            }
        }

        @Override
        public void put(ConsumerRecord<byte[], byte[]> record) {
            values.add(new String(record.value(), UTF_8));
        }

        @Override
        public void write(Position written) {
            position = written;
        }
    }

    @BeforeEach
    void open() {
        follow(_ -> {});
    }

    private void follow(java.util.function.Consumer<Throwable> onFault) {
        follower = new Follower(
                topic,
                new Reading(
                        List.of(topic),
                        1,
                        false,
                        Duration.ofMillis(50),
                        100,
                        Duration.ofMillis(200),
                        Map.of("fetch.max.wait.ms", 50)),
                client,
                kept,
                onFault);
    }

    private static void create(String name, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)
                        .configs(Map.of("cleanup.policy", "compact,delete", "retention.ms", "-1"))))
                .all()
                .get();
    }

    private void send(int partition, String value) throws Exception {
        send(topic, partition, value.getBytes(UTF_8), value.getBytes(UTF_8));
    }

    private static void send(String to, int partition, byte[] key, byte[] value) throws Exception {
        producer.send(new ProducerRecord<>(to, partition, key, value)).get();
    }

    private void again() throws InterruptedException {
        follower.close();
        follow(_ -> {});
        follower.start();
        follower.awaitCaughtUp(PATIENCE);
    }

    private void awaitValues(String... values) {
        await().atMost(PATIENCE)
                .until(() ->
                        List.of(values).equals(kept.values.stream().sorted().toList()));
    }

    @Test
    void shouldWaitForATopicAndSayWhatItWaitsFor() throws Exception {
        follower.start();
        String message = assertThrows(CommandFailed.class, () -> follower.awaitCaughtUp(Duration.ofSeconds(1)))
                .getMessage();
        assertTrue(message.startsWith("could not read " + topic + " within PT1S: "), message);
        create(topic, 2);
        send(1, "a");

        follower.awaitCaughtUp(PATIENCE);
        assertTrue(follower.isCaughtUp());
        awaitValues("a");
        follower.close();
        assertFalse(follower.isCaughtUp());
    }

    @Test
    void shouldContinueWhereTheSinkIs() throws Exception {
        create(topic, 2);
        send(0, "a");
        send(1, "b");
        follower.start();
        follower.barrier().get(60, TimeUnit.SECONDS);
        assertEquals(2, follower.position());
        assertEquals(List.of("nothing has been read"), kept.problems);
        follower.close();
        send(0, "c");
        kept.values.clear();

        again();

        assertEquals(List.of("c"), kept.values);
        assertEquals(1, kept.problems.size());
        assertEquals(0, follower.lag());
    }

    @Test
    void shouldBeginAnewAfterAGapInWhichTombstonesMayBeLost() throws Exception {
        create(topic, 1);
        send(0, "a");
        send(0, "b");
        follower.start();
        follower.barrier().get(60, TimeUnit.SECONDS);
        follower.close();
        Position was = kept.position;
        kept.position = new Position(1, System.currentTimeMillis() - THIRTEEN_HOURS_MS, was.places());

        again();
        assertEquals(1, kept.problems.size(), "nothing was written since");

        follower.close();
        kept.position = new Position(1, System.currentTimeMillis() - THIRTEEN_HOURS_MS, was.places());
        // As compaction removes a record and, later, its tombstone.
        admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(1)))
                .all()
                .get();
        send(0, "c");
        again();
        assertEquals(List.of("b", "c"), kept.values);
        assertTrue(kept.problems.getLast().startsWith("there may no longer be all deletions since "));
    }

    @Test
    void shouldBeginAnewWhileItReadsIfTheTopicIsCreatedAgain() throws Exception {
        create(topic, 1);
        send(0, "a");
        follower.start();
        awaitValues("a");

        admin.deleteTopics(List.of(topic)).all().get();
        create(topic, 1);
        send(0, "b");
        send(0, "c");

        awaitValues("b", "c");
        assertEquals(2, kept.problems.size());
    }

    @Test
    void shouldEndWithTheFaultOfItsSink() throws Exception {
        create(topic, 1);
        var faults = new CopyOnWriteArrayList<Throwable>();
        follower.close();
        follower = new Follower(
                topic,
                Reading.of(List.of(topic), 1, 10),
                client,
                new Sink() {
                    @Override
                    public @Nullable Position position() {
                        return null;
                    }

                    @Override
                    public void begin(@Nullable String problem) {
                        throw new IllegalStateException("the disk is full");
                    }

                    @Override
                    public void put(ConsumerRecord<byte[], byte[]> record) {}

                    @Override
                    public void write(Position position) {}
                },
                faults::add);
        follower.start();

        assertEquals(
                "cannot read " + topic + ": the disk is full",
                assertThrows(CommandFailed.class, () -> follower.awaitCaughtUp(PATIENCE))
                        .getMessage());
        await().atMost(PATIENCE).until(() -> !faults.isEmpty());
        assertEquals("the disk is full", faults.getFirst().getMessage());
        assertThrows(Exception.class, () -> follower.barrier().get(60, TimeUnit.SECONDS));
    }

    // Counters.

    private static final TenantId TENANT = new TenantId("acme");

    private static void count(String to, int metric, int events) throws Exception {
        send(to, 0, CounterRecords.key(TENANT, metric, 5), CounterRecords.events(5, events));
    }

    private List<Long> counted(LedgerConfig config) {
        try (var metrics = new Metrics().scope();
                var counters =
                        CounterFollower.followApplication(config, DeliveryConfig.APPLICATION_ID, metrics, fault -> {
                            throw new AssertionError(fault);
                        })) {
            await().atMost(PATIENCE).until(() -> {
                try (AccountCounters read = counters.read()) {
                    return read != null;
                }
            });
            try (AccountCounters read = counters.read()) {
                return List.of(
                        read.sum(TENANT, Counter.EVENTS, 1, SegmentGroup.ALL, 0, 100),
                        read.sum(TENANT, Counter.EVENTS, 2, SegmentGroup.ALL, 0, 100));
            }
        }
    }

    /** A node that was away for longer than tombstones stay kept counters for ever that the partitions had deleted. */
    @Test
    void shouldAddUpCountersAnewOnANodeThatWasAwayForLong() throws Exception {
        var config = LedgerConfig.of(StreamsSettings.alone(
                KafkaAccess.at(broker.bootstrapServers()), folder, 2, BoundedRocksDb.DEFAULT_MEMORY_BYTES));
        String changelog = Generation.changelog(DeliveryConfig.APPLICATION_ID, StoreNames.OUTCOMES);
        create(changelog, 2);
        count(changelog, 1, 7);
        count(changelog, 2, 1);
        assertEquals(List.of(7L, 1L), counted(config));

        Path sums = folder.resolve(DeliveryConfig.APPLICATION_ID).resolve("outcomes-sums");
        try (var stored = new CounterSums(sums, Map.of())) {
            Position was = stored.position(changelog);
            stored.write(new Position(was.format(), was.confirmedMs() - THIRTEEN_HOURS_MS, was.places()));
        }
        // The block of the first metric was deleted, and compaction has removed it and, a day later, its tombstone.
        admin.deleteRecords(Map.of(new TopicPartition(changelog, 0), RecordsToDelete.beforeOffset(1)))
                .all()
                .get();
        count(changelog, 2, 5);

        assertEquals(List.of(0L, 5L), counted(config));
    }
}
