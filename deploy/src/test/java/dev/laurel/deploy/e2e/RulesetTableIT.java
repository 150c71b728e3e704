package dev.laurel.deploy.e2e;

import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.platform.kafka.StoredVersion.Snapshot;
import dev.laurel.platform.kafka.StoredVersion;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.topic.Topics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * Tests versions that are written but not yet committed. Kafka ends a transaction partition by partition, so the
 * marker in the log or the reply to the edit may be readable before the document is. Separate tenants keep these
 * versions apart.
 */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class RulesetTableIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int OBJECTS = Integer.getInteger("laurel.objects", 300);

    @Test
    void shouldWaitForVersionUntilItsTransactionEnds(LaurelInstance instance) throws Exception {
        var tenant = new TenantId("open-then-committed");
        try (var table = table(instance); var producer = producer(instance, tenant)) {
            write(producer, tenant);
            CompletableFuture<Ruleset> awaited = await(table, tenant);
            assertThrows(TimeoutException.class, () -> awaited.get(1, TimeUnit.SECONDS));

            producer.commitTransaction();

            assertEquals(1, awaited.get(30, TimeUnit.SECONDS).version());
        }
    }

    @Test
    void shouldReportAVersionThatWasNeverPublished(LaurelInstance instance) throws Exception {
        var tenant = new TenantId("open-then-aborted");
        try (var table = table(instance); var producer = producer(instance, tenant)) {
            write(producer, tenant);
            CompletableFuture<Ruleset> awaited = await(table, tenant);

            producer.abortTransaction();

            assertNull(awaited.get(30, TimeUnit.SECONDS));
        }
    }

    /**
     * The versions exceed what the table keeps in memory. One of 64 is stored whole, the others as differences. Prints how long it takes
     * to read one with {@code -Dlaurel.objects=2000}.
     */
    @Test
    void shouldReadOldVersionsBack(LaurelInstance instance) throws Exception {
        var tenant = new TenantId("many-versions");
        int versions = 450;
        Snapshot snapshot = new Snapshot(0, new byte[0]);
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", instance.bootstrapServers()),
                Topics.RULESETS.key().serializer(), new ByteArraySerializer())) {
            for (int version = 1; version <= versions; version++) {
                byte[] document = Topics.RULESETS.value().serializer().serialize(Topics.RULESETS.name(),
                        large(tenant, version));
                boolean isWhole = version % 64 == 1;
                snapshot = isWhole ? new Snapshot(version, document) : snapshot;
                producer.send(new ProducerRecord<>(Topics.RULESETS.name(), new RulesetKey(tenant, version),
                        isWhole ? document : StoredVersion.difference(document, snapshot)));
            }
        }
        try (var table = table(instance)) {
            assertEquals(versions, table.newest(tenant).version());
            assertEquals(449, table.newestSnapshot(tenant).version());
            assertArrayEquals(snapshot.document(), table.newestSnapshot(tenant).document());
            double wholeMs = msToRead(table, tenant, 1);
            System.out.printf("versions of %,d bytes are read in %.1f ms, and in %.1f ms if they are differences%n",
                    snapshot.document().length, wholeMs, msToRead(table, tenant, 2));
            // Concurrent reads in both directions by threads that share one reader.
            Concurrently.run(IntStream.range(0, 4).<Callable<Void>>mapToObj(start -> () -> {
                for (int i = 0; i < 40; i++) {
                    int version = 1 + (start * 117 + i * 89) % versions;
                    assertEquals(large(tenant, version), table.version(tenant, version));
                }
                return null;
            }).toList());
            assertNull(table.version(tenant, versions + 1));
            assertNull(table.await(tenant, versions + 1, PATIENCE));
        }
    }

    /** As after a restore by other means, or with a retention of the archive. */
    @Test
    void shouldSayWhichVersionsTheArchiveLacks(LaurelInstance instance) throws Exception {
        var tenant = new TenantId("lost-archive");
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", instance.bootstrapServers()),
                Topics.RULESETS.key().serializer(), new ByteArraySerializer())) {
            // An index: version 1 is in a record of the archive that does not exist.
            byte[] index = ByteBuffer.allocate(37).put((byte) 2).putLong(2).putLong(0).putInt(1).putLong(1)
                    .putLong(1_000_000).array();
            producer.send(new ProducerRecord<>(Topics.RULESETS.name(), new RulesetKey(tenant, 0), index));
            producer.send(new ProducerRecord<>(Topics.RULESETS.name(), new RulesetKey(tenant, 2),
                    Topics.RULESETS.value().serializer().serialize(Topics.RULESETS.name(), large(tenant, 2))));
        }
        try (var table = table(instance)) {
            assertEquals(2, table.newest(tenant).version());
            assertEquals("laurel.ruleset-archive does not have at offset 1000000 the versions of the ruleset of tenant "
                    + "'lost-archive' from 1 on: its records were deleted, or it was restored without their offsets",
                    assertThrows(IllegalStateException.class, () -> table.version(tenant, 1)).getMessage());
            assertNull(table.version(tenant, 3));
        }
    }

    /** Returns the mean time of reading every 64th version, after one round to warm up. */
    private static double msToRead(RulesetTable table, TenantId tenant, int first) {
        long startedNs = 0;
        for (int round = 0; round < 2; round++) {
            startedNs = System.nanoTime();
            for (int i = 0; i < 7; i++) {
                assertEquals(first + i * 64, table.version(tenant, first + i * 64).version());
            }
        }
        return (System.nanoTime() - startedNs) / 1e6 / 7;
    }

    /** Returns a description of about 50 KB, unless another number of objects is given, that differs from version to version. */
    private static Ruleset large(TenantId tenant, int version) {
        Ruleset empty = Ruleset.empty(tenant);
        List<Metric> metrics = IntStream.range(0, OBJECTS)
                .mapToObj(i -> new Metric(i, new UUID(version, i), "metric-" + i,
                        "Metric " + i + " of version " + version, "number", "", Instant.EPOCH))
                .toList();
        return new Ruleset(tenant, version, Instant.ofEpochSecond(version), OBJECTS + 1, metrics, empty.attributes(),
                empty.achievements(), empty.streak(), empty.pointsSystems(), empty.leaderboards(), empty.settings(),
                empty.webhooks(), empty.notifications(), empty.retired());
    }

    private static RulesetTable table(LaurelInstance instance) throws InterruptedException {
        var table = new RulesetTable(Map.of("bootstrap.servers", instance.bootstrapServers()), _ -> {});
        table.start();
        table.awaitCaughtUp(PATIENCE);
        return table;
    }

    private static KafkaProducer<RulesetKey, Ruleset> producer(LaurelInstance instance, TenantId tenant) {
        var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", instance.bootstrapServers(), "transactional.id",
                        tenant.value()),
                Topics.RULESETS.key().serializer(), Topics.RULESETS.value().serializer());
        producer.initTransactions();
        producer.beginTransaction();
        return producer;
    }

    private static void write(KafkaProducer<RulesetKey, Ruleset> producer, TenantId tenant) throws Exception {
        Ruleset empty = Ruleset.empty(tenant);
        var first = new Ruleset(tenant, 1, empty.published(), empty.nextNumber(), empty.metrics(), empty.attributes(),
                empty.achievements(),
                empty.streak(), empty.pointsSystems(), empty.leaderboards(), empty.settings(), empty.webhooks(),
                empty.notifications(), empty.retired());
        producer.send(new ProducerRecord<>(Topics.RULESETS.name(), new RulesetKey(tenant, 1), first)).get(30,
                TimeUnit.SECONDS);
    }

    private static CompletableFuture<Ruleset> await(RulesetTable table, TenantId tenant) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return table.await(tenant, 1, PATIENCE);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
