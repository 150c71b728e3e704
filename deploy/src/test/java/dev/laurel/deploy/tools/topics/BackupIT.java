package dev.laurel.deploy.tools.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.processors.generation.Generations;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Backs up one broker and restores the backup to another one. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class BackupIT {

    private static final String LOG = Topics.COMMANDS.name();
    private static final String ARCHIVE = Topics.RULESET_ARCHIVE.name();

    @TempDir
    private Path dir;

    @AutoClose
    private EmbeddedBroker from;

    @AutoClose
    private EmbeddedBroker to;

    @BeforeEach
    void startBrokers() throws Exception {
        from = EmbeddedBroker.start(BrokerSettings.alone(dir.resolve("from"), 0, 0));
        to = EmbeddedBroker.start(BrokerSettings.alone(dir.resolve("to"), 0, 0));
        run(from, "create", "--partitions", "2", "--board-partitions", "3", "--gateway-partitions", "5");
        write(null, 0, "ida", "{\"type\":\"event\",\"n\":1}");
        write("published", 0, null, "{\"type\":\"ruleset-published\"}");
        write("aborted", 0, "eve", "never was");
        write(null, 0, "ida", "{\"type\":\"event\",\"n\":2}");
        write(null, 1, "eve", null);
        write("published", 1, null, "{\"type\":\"ruleset-published\"}");
        for (String versions : List.of("club@1", "club@5")) {
            write(from, ARCHIVE, "moved", 0, versions, "versions");
        }
    }

    @Test
    void shouldRestoreOffsetsAndBeginNewGeneration() throws Exception {
        Map<TopicPartition, Map<Long, String>> wanted = log(from);

        expectDone(run(from, "backup", backup()));
        expectDone(run(to, "restore", backup()));
        CommandRun again = run(to, "restore", backup());
        expectDone(again);
        assertTrue(again.out().contains("0 records written"), again.out());

        Map<TopicPartition, Map<Long, String>> restored = log(to);
        wanted.forEach((partition, records) -> records.forEach(
                (offset, record) -> assertEquals(record, restored.get(partition).get(offset))));
        assertEquals(
                "null null {}", text(restored.get(new TopicPartition(LOG, 0)).get(2L)), "an end of a transaction");
        try (var table = new GenerationTable(Map.of("bootstrap.servers", to.bootstrapServers()), _ -> {})) {
            table.start();
            table.awaitCaughtUp(Duration.ofSeconds(20));
            assertEquals(2, table.inForce().number());
            assertEquals(State.OVER, table.find(1).state());
            assertEquals(2, wanted.get(new TopicPartition(ARCHIVE, 0)).size());
            for (int partition = 0; partition < 2; partition++) {
                String marker = restored.get(new TopicPartition(LOG, partition))
                        .get(table.inForce().handover().get(partition));
                assertTrue(marker.contains("generation-promoted"), marker);
            }
        }
        assertTrue(run(to, "describe").out().lines().anyMatch(line -> line.matches("laurel.scores +3 .*")));
    }

    @Test
    @EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
    void shouldCopyOnlyNewRecords() throws Exception {
        expectDone(run(from, "backup", backup()));
        CommandRun nothing = run(from, "backup", backup());
        write(null, 1, "eve", "{\"type\":\"event\",\"n\":3}");
        CommandRun one = run(from, "backup", backup());

        assertTrue(nothing.out().startsWith("0 records copied"), nothing.out());
        assertTrue(one.out().startsWith("1 records copied"), one.out());
        assertTrue(run(from, "restore", backup(), "--check").out().contains("is complete: 8 records"));
    }

    @Test
    @EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
    void shouldContinueInterruptedRestore() throws Exception {
        expectDone(run(from, "backup", backup()));
        expectDone(run(to, "restore", backup()));
        Map<TopicPartition, Map<Long, String>> restored = log(to);
        to.close();
        to = EmbeddedBroker.start(BrokerSettings.alone(dir.resolve("third"), 0, 0));
        run(to, "create", "--partitions", "2", "--board-partitions", "3", "--gateway-partitions", "5");
        write(to, LOG, null, 0, "ida", "{\"type\":\"event\",\"n\":1}");

        CommandRun again = run(to, "restore", backup());

        expectDone(again);
        assertEquals(withoutTimes(restored), withoutTimes(log(to)));
    }

    @Test
    void shouldNotOverwriteRecords() throws Exception {
        expectDone(run(from, "backup", backup()));
        run(to, "create", "--partitions", "2");
        write(to, LOG, null, 0, "ida", "{\"type\":\"event\",\"n\":999}");

        CommandRun refused = run(to, "restore", backup());

        assertEquals(1, refused.exitCode());
        assertTrue(refused.err().contains("this Kafka is not empty: laurel.commands-0@0"), refused.err());
        CommandRun itself = run(from, "restore", backup());
        assertEquals(1, itself.exitCode(), itself.out());
    }

    @Test
    @EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
    void shouldRefuseBackupOfAnotherClusterAndDamagedOne() throws Exception {
        expectDone(run(from, "backup", backup()));
        run(to, "create", "--partitions", "2");

        CommandRun other = run(to, "backup", backup());
        assertTrue(other.err().contains("has a backup of another laurel."), other.err());

        Path segment = dir.resolve("backup").resolve(LOG).resolve("1");
        try (var files = Files.list(segment)) {
            Files.delete(files.findFirst().orElseThrow());
        }
        CommandRun damaged = run(to, "restore", backup(), "--check");
        assertEquals(1, damaged.exitCode());
        assertTrue(damaged.err().contains("is damaged"), damaged.err());
    }

    @Test
    @EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
    void shouldRefuseBackupWhileGenerationIsUnderWay() throws Exception {
        Map<String, Object> client = Map.of("bootstrap.servers", from.bootstrapServers());
        try (var table = new GenerationTable(client, _ -> {})) {
            table.start();
            table.awaitCaughtUp(Duration.ofSeconds(20));
            new Generations(client, table, InstantSource.system()).claim(List.of());
        }

        CommandRun refused = run(from, "backup", backup());

        assertEquals(1, refused.exitCode());
        assertTrue(refused.err().contains("generation 2 is under way"), refused.err());
        assertFalse(Files.exists(dir.resolve("backup").resolve("backup.json")));
    }

    @Test
    @EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
    void shouldLeaveOutNamedRecords() throws Exception {
        expectDone(run(from, "backup", backup()));

        CommandRun wrong = run(to, "restore", backup(), "--leave-out", "laurel.commands-0@2");
        CommandRun done = run(to, "restore", backup(), "--leave-out", "laurel.commands-0@0");

        assertEquals("laurel: the backup has no record at laurel.commands-0@2\n", wrong.err());
        expectDone(done);
        assertTrue(done.out().contains("1 records were replaced by blank ones."), done.out());
        assertEquals(
                "null null {}", text(log(to).get(new TopicPartition(LOG, 0)).get(0L)));
        assertEquals(
                2,
                run(to, "restore", backup(), "--leave-out", "laurel.access-0@0").exitCode());
    }

    private String backup() {
        return dir.resolve("backup").toString();
    }

    private static CommandRun run(EmbeddedBroker broker, String command, String... options) {
        var all = new ArrayList<>(List.of("topics", command, "--kafka", broker.bootstrapServers()));
        all.addAll(List.of(options));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static void expectDone(CommandRun run) {
        assertEquals(0, run.exitCode(), run.err());
    }

    private void write(String transaction, int partition, String key, String value) throws Exception {
        write(from, LOG, transaction, partition, key, value);
    }

    /** @param transaction null for none; {@code aborted} is aborted, others are committed */
    private static void write(
            EmbeddedBroker broker, String topic, String transaction, int partition, String key, String value)
            throws Exception {
        var config = new HashMap<String, Object>(Map.of("bootstrap.servers", broker.bootstrapServers()));
        if (transaction != null) {
            config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transaction);
        }
        try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            if (transaction != null) {
                producer.initTransactions();
                producer.beginTransaction();
            }
            var headers = new RecordHeaders().add("h", new byte[] {1, 2});
            var sent = producer.send(new ProducerRecord<>(
                    topic,
                    partition,
                    1_700_000_000_000L,
                    key == null ? null : key.getBytes(UTF_8),
                    value == null ? null : value.getBytes(UTF_8),
                    headers));
            producer.flush();
            assertNotNull(sent.get(20, TimeUnit.SECONDS));
            if ("aborted".equals(transaction)) {
                producer.abortTransaction();
            } else if (transaction != null) {
                producer.commitTransaction();
            }
        }
    }

    /** Returns the committed records of the log and of the archive of rulesets as text, by offset. */
    private static Map<TopicPartition, Map<Long, String>> log(EmbeddedBroker broker) {
        var partitions =
                List.of(new TopicPartition(LOG, 0), new TopicPartition(LOG, 1), new TopicPartition(ARCHIVE, 0));
        var found = new HashMap<TopicPartition, Map<Long, String>>();
        partitions.forEach(partition -> found.put(partition, new TreeMap<>()));
        try (var consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    found.get(new TopicPartition(record.topic(), record.partition()))
                            .put(
                                    record.offset(),
                                    record.timestamp() + " " + textOf(record.key()) + " " + textOf(record.value()) + " "
                                            + record.headers());
                }
            }
        }
        assertFalse(found.get(partitions.getFirst()).isEmpty());
        return found;
    }

    private static String textOf(byte[] bytes) {
        return bytes == null ? "null" : new String(bytes, UTF_8);
    }

    /** The time of a blank record is that of its neighbour. */
    private static String text(String record) {
        return record.substring(record.indexOf(' ') + 1).replaceAll("RecordHeaders\\(headers = \\[(.*?)\\].*", "{$1}");
    }

    private static Map<TopicPartition, List<String>> withoutTimes(Map<TopicPartition, Map<Long, String>> log) {
        var plain = new HashMap<TopicPartition, List<String>>();
        log.forEach((partition, records) -> plain.put(
                partition, records.values().stream().map(BackupIT::text).toList()));
        return plain;
    }
}
