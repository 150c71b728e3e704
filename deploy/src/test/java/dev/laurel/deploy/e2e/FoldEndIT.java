package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.processors.LedgerConfig;
import dev.laurel.processors.replay.Promotion;
import dev.laurel.processors.replay.Shadow;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationTable;
import dev.laurel.schemas.topic.RulesetTable;
import dev.laurel.schemas.topic.TopicCreation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The marks of transactions hold offsets, too, and nobody who reads ever comes behind the last of them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FoldEndIT {

    private static final int PARTITIONS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration TABLE_PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path dir;

    private String kafka;

    @Test
    void shouldHaveCaughtUpWhereNothingButMarksOfTransactionsIsLeft() throws Exception {
        try (var broker = EmbeddedBroker.start(BrokerSettings.alone(dir.resolve("kafka"), 0, 0))) {
            kafka = broker.bootstrapServers();
            try (Admin admin = Admin.create(client())) {
                TopicCreation.createMissing(admin, new TopicCreation.Sizes(PARTITIONS, 1, 1, (short) 1, 1));
            }
            swim("ann", "ben", "cid", "dan");
            try (var generations = new GenerationTable(client(), FoldEndIT::fail)) {
                generations.start();
                generations.awaitCaughtUp(TABLE_PATIENCE);
                var promotion = new Promotion(client(), generations, InstantSource.system());
                GenerationRecord claimed = promotion.claim(List.of());
                assertTrue(fold(claimed), "the first reading does not end");
                abort(claimed.log());
                assertTrue(fold(claimed), "what was taken back is waited for");

                GenerationRecord followed = promotion.handToNodes(claimed);
                assertTrue(promotion.awaitFollowed(followed, PATIENCE), "what was taken back is waited for");
                swim("eve");
                assertFalse(promotion.awaitFollowed(followed, Duration.ofSeconds(2)), "nobody has folded the last one");
            }
        }
    }

    private Map<String, Object> client() {
        return Map.of("bootstrap.servers", kafka);
    }

    private void swim(String... users) {
        try (var producer = new DirectProducer(kafka)) {
            for (String user : users) {
                producer.event(user, Instant.now(), "laps", "1");
            }
        }
    }

    /** Written into every partition, and taken back. */
    private void abort(String log) {
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", kafka, "transactional.id", "taken-back"),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                producer.send(new ProducerRecord<>(log, partition, "fay".getBytes(UTF_8),
                        DirectProducer.event("fay", "laps", "1").getBytes(UTF_8)));
            }
            producer.flush();
            producer.abortTransaction();
        }
    }

    private boolean fold(GenerationRecord claimed) throws InterruptedException {
        var config = new LedgerConfig(Map.of(LedgerConfig.BOOTSTRAP_SERVERS, kafka, LedgerConfig.STATE_DIR,
                dir.resolve("shadow").toString()));
        try (var rulesets = new RulesetTable(client(), FoldEndIT::fail)) {
            rulesets.start();
            rulesets.awaitCaughtUp(TABLE_PATIENCE);
            try (var shadow = Shadow.start(config, claimed.generation(), Shadow.Purpose.PROMOTION, rulesets,
                    FoldEndIT::fail)) {
                return shadow.awaitCaughtUp(PATIENCE);
            }
        }
    }

    private static void fail(Throwable fault) {
        throw new AssertionError(fault);
    }
}
