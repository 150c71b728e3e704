package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.RulesetKey;
import dev.laurel.schemas.topic.Topics;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

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
        try (var table = table(instance);
                var producer = producer(instance, tenant)) {
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
        try (var table = table(instance);
                var producer = producer(instance, tenant)) {
            write(producer, tenant);
            CompletableFuture<Ruleset> awaited = await(table, tenant);

            producer.abortTransaction();

            assertNull(awaited.get(30, TimeUnit.SECONDS));
        }
    }

    /** The versions exceed what the table keeps in memory. */
    @Test
    void shouldReadOldVersionsBack(LaurelInstance instance) throws Exception {
        var tenant = new TenantId("many-versions");
        int versions = 450;
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", instance.bootstrapServers()),
                Topics.RULESETS.key().serializer(),
                Topics.RULESETS.value().serializer())) {
            for (int version = 1; version <= versions; version++) {
                producer.send(new ProducerRecord<>(
                        Topics.RULESETS.name(), new RulesetKey(tenant, version), large(tenant, version)));
            }
        }
        try (var table = table(instance)) {
            assertEquals(versions, table.newest(tenant).version());
            // Concurrent reads in both directions by threads that share one reader.
            Concurrently.run(IntStream.range(0, 4)
                    .<Callable<Void>>mapToObj(start -> () -> {
                        for (int i = 0; i < 40; i++) {
                            int version = 1 + (start * 117 + i * 89) % versions;
                            assertEquals(large(tenant, version), table.version(tenant, version));
                        }
                        return null;
                    })
                    .toList());
            assertNull(table.version(tenant, versions + 1));
            assertNull(table.await(tenant, versions + 1, PATIENCE));
        }
    }

    /** Returns a description of about 50 KB, unless another number of objects is given, that differs from version to version. */
    private static Ruleset large(TenantId tenant, int version) {
        Ruleset empty = Ruleset.empty(tenant);
        List<Metric> metrics = IntStream.range(0, OBJECTS)
                .mapToObj(i -> new Metric(
                        i,
                        new UUID(version, i),
                        "metric-" + i,
                        "Metric " + i + " of version " + version,
                        "number",
                        "",
                        Instant.EPOCH))
                .toList();
        return new Ruleset(
                tenant,
                version,
                Instant.ofEpochSecond(version),
                OBJECTS + 1,
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

    private static RulesetTable table(LaurelInstance instance) throws InterruptedException {
        var table = new RulesetTable(Map.of("bootstrap.servers", instance.bootstrapServers()), _ -> {});
        table.start();
        table.awaitCaughtUp(PATIENCE);
        return table;
    }

    private static KafkaProducer<RulesetKey, Ruleset> producer(LaurelInstance instance, TenantId tenant) {
        var producer = new KafkaProducer<>(
                Map.<String, Object>of(
                        "bootstrap.servers", instance.bootstrapServers(), "transactional.id", tenant.value()),
                Topics.RULESETS.key().serializer(),
                Topics.RULESETS.value().serializer());
        producer.initTransactions();
        producer.beginTransaction();
        return producer;
    }

    private static void write(KafkaProducer<RulesetKey, Ruleset> producer, TenantId tenant) throws Exception {
        Ruleset empty = Ruleset.empty(tenant);
        var first = new Ruleset(
                tenant,
                1,
                empty.published(),
                empty.nextNumber(),
                empty.metrics(),
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
        producer.send(new ProducerRecord<>(Topics.RULESETS.name(), new RulesetKey(tenant, 1), first))
                .get(30, TimeUnit.SECONDS);
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
